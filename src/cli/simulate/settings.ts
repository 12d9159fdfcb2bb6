import { DAY, OptionError } from '../../model/index.js'
import type { StudySpec } from '../../simulate/index.js'
import { parseCount } from '../text/parse-count.js'

/** What commander hands over. */
export interface SimulateFlags {
  readonly process?: readonly string[]
  readonly policy?: readonly string[]
  readonly processes?: string
  readonly policies?: string
  readonly learners?: string
  readonly learner?: string
  readonly lastModified?: string
  readonly pages?: string
  readonly days?: string
  readonly seed?: string
  readonly threads?: string
  readonly json?: boolean
  readonly html?: string
  readonly yes?: boolean
}

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
    pages: parseCount(flags.pages ?? '1000', { option: '--pages', from: 1 }),
    length: daysOf(flags.days ?? '120') * DAY,
    seed: parseCount(flags.seed ?? '1', { option: '--seed', from: 0 }),
  }
  const processes = needed(flags.process, { option: '--process', example: 'poisson:period=3d' })
  const policies = needed(flags.policy, { option: '--policy', example: 'malcolm-armitage-2' })
  return {
    specs: processes.flatMap((process) =>
      policies.map((policy) => ({ process, policy, ...about })),
    ),
    threads:
      flags.threads === undefined
        ? undefined
        : parseCount(flags.threads, { option: '--threads', from: 1 }),
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

function daysOf(text: string): number {
  const days = text.trim() === '' ? Number.NaN : Number(text)
  if (days > 0 && days <= 1e6) return days
  throw new OptionError(
    'bad-days',
    `--days takes a number of days above 0, up to 1000000; got "${text}"`,
  )
}
