import { OptionError } from '../../../model/errors.js'
import { DAY, MINUTE, type Seconds } from '../../../model/units.js'
import { policyOf } from '../../../planner/registry.js'
import type { FlagsOf } from '../../command.js'
import { parseNumber } from '../../text/numbers.js'
import { positiveDuration } from '../../text/time.js'

/** The options, checked. */
export interface DemoSettings {
  /** Demo seconds per real second. */
  readonly speed: number
  readonly seed: number
  /** In real seconds; undefined: until the person ends it. */
  readonly duration: Seconds | undefined
  /** How long each way is followed, in demo time. */
  readonly compareTime: Seconds
  /** Nothing is shown but the summary at the end. */
  readonly quiet: boolean
  readonly json: boolean
  /** Where its store is kept; undefined: for this run only. */
  readonly folder: string | undefined
  /** Of the first site; undefined where not given. */
  readonly port: number | undefined
  /** Requests a page and day. */
  readonly perPage: number
  /** Spends the budget in several ways, side by side. */
  readonly compare: boolean
  /** Whether publishers' hints are followed, and their sitemaps and feeds followed. */
  readonly hints: boolean
  /** Follows the pages by this policy, which spends what it asks for; undefined: the default, by the budget. */
  readonly policy: string | undefined
  /** Where to write a picture of the gaps that are planned; undefined for none. */
  readonly figure: string | undefined
}

/** A day in ten seconds. */
const defaultSpeed = 8640
/** Four webs at once, 18 days each in two minutes: faster, and one machine does not keep up. */
const compareBudget = 1
/** Of the demo's own time. */
const compareTime: Seconds = 60 * DAY
/** Requests a page and day. */
const defaultBudget = 2
/** What a script that starts the demo without an end is given. */
const unwatchedTime: Seconds = 2 * MINUTE

/** The options of `revisit demo`. */
export const demoOptions = [
  ['--speed <factor>', `demo seconds in a real second (default: ${defaultSpeed})`, parseNumber],
  ['--seed <number>', 'another web, from another number (default: 1)', parseNumber],
  [
    '--for <duration>',
    'end after so much real time: 30s, 2min; with --compare, so much demo time: 60d (default: see below)',
    positiveDuration,
  ],
  ['--budget <number>', `requests a page and day (default: ${defaultBudget})`, positive],
  [
    '--policy <name>',
    'follow the pages by this policy, without a budget, such as malcolm-armitage-2 (see revisit policies)',
  ],
  [
    '--figure <file>',
    'write a picture (SVG): the gap planned for each page by its true change period',
  ],
  ['--compare', 'spend the budget in four ways on the same web, side by side'],
  ['--no-hints', "take no notice of publishers' hints, and follow no sitemap or feed"],
  ['--once-summary', 'nothing but the summary at the end'],
  ['-j, --json', 'the summary as JSON; times in demo seconds'],
  ['--folder <dir>', 'keep the store there, and go on from it the next time'],
  ['--port <number>', 'port of the first site; the others follow (default: any free)', parseNumber],
] as const

type DemoFlags = FlagsOf<typeof demoOptions>

export function demoSettings(
  flags: DemoFlags,
  { watched }: { readonly watched: boolean },
): DemoSettings {
  const { json = false, compare = false, speed = defaultSpeed, seed = 1 } = flags
  const { for: wanted, folder, port } = flags
  const quiet = json || flags.onceSummary === true
  return {
    speed,
    perPage: flags.budget ?? (compare ? compareBudget : defaultBudget),
    compare,
    hints: flags.hints !== false,
    policy: policyIn(flags),
    figure: figureIn(flags),
    seed,
    compareTime: wanted ?? compareTime,
    duration: wanted ?? (watched && !quiet && !compare ? undefined : unwatchedTime),
    quiet,
    json,
    folder,
    port,
  }
}

/** A policy by name spends what it asks for: it knows no budget, and the four ways are given. */
function policyIn({ policy, budget, compare }: DemoFlags): string | undefined {
  if (policy === undefined) return undefined
  const other = budget !== undefined ? '--budget' : compare === true ? '--compare' : null
  if (other !== null)
    throw new OptionError(
      'options-conflict',
      `--policy and ${other} do not go together; a policy by name spends what it asks for`,
    )
  policyOf(policy)
  return policy
}

function figureIn({ figure, compare }: DemoFlags): string | undefined {
  if (figure === undefined || compare !== true) return figure
  throw new OptionError(
    'options-conflict',
    '--figure and --compare do not go together; a picture is of one policy',
  )
}

function positive(text: string, option: string): number {
  const value = parseNumber(text, option)
  if (value > 0) return value
  throw new OptionError('bad-budget', `${option} takes requests a page and day above 0, such as 2`)
}
