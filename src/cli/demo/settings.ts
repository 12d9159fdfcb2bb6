import { DAY, MINUTE, OptionError, type Seconds } from '../../model/index.js'
import { parseDuration } from '../text/parse-duration.js'

/** The options as a person gave them. */
export interface DemoFlags {
  readonly speed?: string
  readonly seed?: string
  readonly for?: string
  readonly onceSummary?: boolean
  readonly json?: boolean
  readonly folder?: string
  readonly port?: string
  readonly budget?: string
  readonly compare?: boolean
  readonly hints?: boolean
}

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
  /** Of the first site; undefined where not said. */
  readonly port: number | undefined
  /** Requests a page and day. */
  readonly perPage: number
  /** Spends the budget in several ways, side by side. */
  readonly compare: boolean
  /** Whether publishers' hints are heard, and their sitemaps and feeds followed. */
  readonly hints: boolean
}

/** A day in ten seconds. */
export const defaultSpeed = 8640
/** Four webs at once, 18 days each in two minutes: faster, and one machine does not keep up. */
const compareBudget = 1
/** Of the demo's own time. */
const compareTime: Seconds = 60 * DAY
/** Requests a page and day. */
export const defaultBudget = 2
/** What a script that starts the demo without an end is given. */
const untilNobodyLooks: Seconds = 2 * MINUTE

export function demoSettings(
  flags: DemoFlags,
  { watched }: { readonly watched: boolean },
): DemoSettings {
  const json = flags.json === true
  const compare = flags.compare === true
  const quiet = json || flags.onceSummary === true
  const told = flags.for === undefined ? undefined : parseDuration(flags.for, '--for')
  return {
    speed: parseNumber(flags.speed, {
      option: '--speed',
      otherwise: defaultSpeed,
    }),
    perPage: positive(flags.budget, compare ? compareBudget : defaultBudget),
    compare,
    hints: flags.hints !== false,
    seed: parseNumber(flags.seed, { option: '--seed', otherwise: 1 }),
    compareTime: told ?? compareTime,
    duration: told ?? (watched && !quiet && !compare ? undefined : untilNobodyLooks),
    quiet,
    json,
    folder: flags.folder,
    port:
      flags.port === undefined
        ? undefined
        : parseNumber(flags.port, { option: '--port', otherwise: 0 }),
  }
}

function positive(text: string | undefined, otherwise: number): number {
  const value = parseNumber(text, { option: '--budget', otherwise })
  if (value > 0) return value
  throw new OptionError('bad-budget', '--budget takes requests a page and day above 0, such as 2')
}

function parseNumber(
  text: string | undefined,
  { option, otherwise }: { readonly option: string; readonly otherwise: number },
): number {
  if (text === undefined) return otherwise
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (Number.isFinite(value)) return value
  throw new OptionError('bad-number', `${option} takes a number from 0 on; got "${text}"`)
}
