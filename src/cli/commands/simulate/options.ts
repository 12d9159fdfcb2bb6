import { lastModifiedKinds } from '../../../lab/study/last-modified.js'
import type { StudySpec } from '../../../lab/study/study.js'
import { OptionError } from '../../../model/errors.js'
import { DAY } from '../../../model/units.js'
import type { FlagsOf } from '../../command.js'
import { exitCodeHelp } from '../../environment.js'
import { count } from '../../text/numbers.js'

/**
 * What is run without asking: about ten minutes on one core at the slowest, a
 * learner that climbs a likelihood at each visit.
 */
export const effortLimit = {
  steps: 1e9,
  words: '1,000,000,000 simulated visits and changes',
} as const

/** The options of `revisit simulate`. */
export const simulateOptions = [
  ['-p, --process <spec>', 'how pages change, such as poisson:period=3d; again for more', 'again'],
  ['-P, --policy <spec>', 'when to visit, such as fixed:gap=1d; again for more', 'again'],
  ['--processes <list>', '"list" describes the processes there are'],
  ['--policies <list>', '"list" describes the policies there are'],
  ['--learners <list>', '"list" describes the learners there are'],
  ['--learner <name>', 'what estimates the change period (default: what the policy follows)'],
  ['--last-modified <kind>', `${Object.keys(lastModifiedKinds).join(', ')} (default: missing)`],
  ['--pages <count>', 'pages of each process (default: 1000)', count(1)],
  ['--days <count>', 'how long each page is visited (default: 120)', daysOf],
  ['--seed <number>', 'the same seed gives the same results (default: 1)', count(0)],
  ['--threads <count>', 'worker threads; changes no result (default: by the work)', count(1)],
  ['-j, --json', 'JSON; durations in seconds, each figure with its standard error'],
  ['--html <file>', 'write a report with figures'],
  ['-y, --yes', `go on with more than ${effortLimit.words}`],
] as const

export type SimulateFlags = FlagsOf<typeof simulateOptions>

const columnsHelp = `Columns (± is one standard error):
  fresh     share of the time in which the copy equalled the page
  copy age  mean time since the copy went stale, 0 while it is fresh
  caught    share of the changes that a visit noticed; several in one gap count once
  needless  share of the visits after the first that found nothing new
  visits    visits a page, the first among them
  bias      mean final estimate / true change period; 1 is unbiased
  spread    standard deviation of the final estimate, in % of the true change period`

function lastModified(): string {
  const widest = Math.max(...Object.keys(lastModifiedKinds).map((name) => name.length))
  const lines = Object.entries(lastModifiedKinds).map(
    ([name, summary]) => `  ${name.padEnd(widest)}  ${summary}`,
  )
  return `Last-Modified:\n${lines.join('\n')}`
}

const examples = `Examples:
  revisit simulate --process poisson:period=3d --policy malcolm-armitage-2
  revisit simulate -p weibull:period=5d,shape=0.6 -P nutch -P storm-crawler -P grimes-ford:factor=0.8
  revisit simulate -p poisson:period=1h -P malcolm-armitage-1 --last-modified honest --pages 10000
  revisit simulate --policies list`

/** What stands below the options in its help. */
export const simulateHelp = [columnsHelp, lastModified(), `${examples}\n${exitCodeHelp}`].join(
  '\n\n',
)

export interface SimulateSettings {
  /** Every process with every policy, in the order given. */
  readonly specs: readonly StudySpec[]
  readonly threads: number | undefined
  readonly json: boolean
  readonly html: string | undefined
  readonly yes: boolean
}

export function simulateSettings(flags: SimulateFlags): SimulateSettings {
  const about = {
    ...(flags.learner !== undefined && { learner: flags.learner }),
    lastModified: flags.lastModified ?? 'missing',
    pages: flags.pages ?? 1000,
    length: (flags.days ?? 120) * DAY,
    seed: flags.seed ?? 1,
  }
  const processes = needed(flags.process, { option: '--process', example: 'poisson:period=3d' })
  const policies = needed(flags.policy, { option: '--policy', example: 'malcolm-armitage-2' })
  return {
    specs: processes.flatMap((process) =>
      policies.map((policy) => ({ process, policy, ...about })),
    ),
    threads: flags.threads,
    json: flags.json ?? false,
    html: flags.html,
    yes: flags.yes ?? false,
  }
}

function needed(
  values: readonly string[] | undefined,
  { option, example }: { option: string; example: string },
): readonly string[] {
  if (values !== undefined) return values
  const lists = option === '--process' ? '--processes list' : '--policies list'
  throw new OptionError(
    'missing-option',
    `say ${option}, such as ${option} ${example}; ${lists} describes what there is`,
  )
}

function daysOf(text: string, option: string): number {
  const days = text.trim() === '' ? Number.NaN : Number(text)
  if (days > 0 && days <= 1e6) return days
  throw new OptionError(
    'bad-days',
    `${option} takes a number of days above 0, up to 1000000; got "${text}"`,
  )
}
