import { MINUTE, OptionError, type Seconds } from '../../model/index.js'
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
}

/** The options, checked. */
export interface DemoSettings {
  /** Demo seconds per real second. */
  readonly speed: number
  readonly seed: number
  /** In real seconds; undefined: until the person ends it. */
  readonly duration: Seconds | undefined
  /** Nothing is shown but the summary at the end. */
  readonly quiet: boolean
  readonly json: boolean
  /** Where its store is kept; undefined: for this run only. */
  readonly folder: string | undefined
  /** Of the first site; undefined where not said. */
  readonly port: number | undefined
}

/** A day in ten seconds. */
export const defaultSpeed = 8640
/** What a script that starts the demo without an end is given. */
const untilNobodyLooks: Seconds = 2 * MINUTE

export function demoSettings(
  flags: DemoFlags,
  { watched }: { readonly watched: boolean },
): DemoSettings {
  const json = flags.json === true
  const quiet = json || flags.onceSummary === true
  const told = flags.for === undefined ? undefined : parseDuration(flags.for, '--for')
  return {
    speed: parseNumber(flags.speed, { option: '--speed', otherwise: defaultSpeed }),
    seed: parseNumber(flags.seed, { option: '--seed', otherwise: 1 }),
    duration: told ?? (watched && !quiet ? undefined : untilNobodyLooks),
    quiet,
    json,
    folder: flags.folder,
    port:
      flags.port === undefined
        ? undefined
        : parseNumber(flags.port, { option: '--port', otherwise: 0 }),
  }
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
