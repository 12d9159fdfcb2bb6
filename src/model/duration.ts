import { OptionError } from './errors.js'
import { DAY, HOUR, MINUTE, MONTH, type Seconds, type UnixSeconds, WEEK, YEAR } from './units.js'

/** A unit is used from the length at which its number reads better than the smaller unit's. */
const scales: ReadonlyArray<{ from: Seconds; size: Seconds; name: string }> = [
  { from: 2 * YEAR, size: YEAR, name: 'year' },
  { from: 3 * MONTH, size: MONTH, name: 'month' },
  { from: 2 * DAY, size: DAY, name: 'day' },
  { from: 2 * HOUR, size: HOUR, name: 'hour' },
  { from: 2 * MINUTE, size: MINUTE, name: 'minute' },
  { from: 0.01, size: 1, name: 'second' },
  { from: 0, size: 1e-3, name: 'millisecond' },
]

/** A duration as a person says it: `3.2 days`, `45 minutes`, `0.25 seconds`, `4 milliseconds`. */
export function humanDuration(seconds: Seconds): string {
  if (Number.isNaN(seconds)) return 'unknown'
  if (seconds === Infinity) return 'for ever'
  if (seconds < 0) return `-${humanDuration(-seconds)}`
  if (seconds === 0) return '0 seconds'
  const scale = scales.find((each) => seconds >= each.from) ?? scales[scales.length - 1]!
  const text = shortNumber(seconds / scale.size)
  return `${text} ${scale.name}${text === '1' ? '' : 's'}`
}

/** How often a page with this change period changes: `every 3.2 days`. */
export function humanPeriod(changePeriod: Seconds | null): string {
  if (changePeriod === null) return 'unknown'
  return changePeriod === 0 ? 'faster than can be seen' : `every ${humanDuration(changePeriod)}`
}

/** A time beside the present: `3 hours ago`, `in 2.1 days`, `now`. */
export function humanMoment(at: UnixSeconds, now: UnixSeconds): string {
  const ahead = at - now
  if (Math.abs(ahead) < 1) return 'now'
  return ahead > 0 ? `in ${humanDuration(ahead)}` : `${humanDuration(-ahead)} ago`
}

/** A time in UTC to the second, as ISO 8601: `2026-03-01T12:00:00Z`. */
export function humanTime(at: UnixSeconds): string {
  const date = new Date(at * 1000)
  if (Number.isNaN(date.getTime())) return `${at} s`
  return date.toISOString().replace(/\.\d+Z$/, 'Z')
}

/** Two significant digits below ten, whole numbers above, exponents for the absurd. */
function shortNumber(value: number): string {
  if (value === 0) return '0'
  if (value >= 1e6 || value < 1e-3) return value.toExponential(1)
  if (value >= 10) return String(Math.round(value))
  if (value >= 1) return String(Number(value.toFixed(1)))
  return String(Number(value.toPrecision(2)))
}

const units: ReadonlyArray<[RegExp, Seconds]> = [
  [/^(ms(ec)?|milliseconds?)$/, 1e-3],
  [/^s(ec(onds?)?)?$/, 1],
  [/^m(in(utes?)?)?$/, MINUTE],
  [/^h(ours?|rs?)?$/, HOUR],
  [/^d(ays?)?$/, DAY],
  [/^w(eeks?)?$/, WEEK],
  [/^mo(n(ths?)?)?$/, MONTH],
  [/^y(ears?|rs?)?$/, YEAR],
]

/** A duration as people write it: `5min`, `36h`, `1.5 weeks`, `200ms`; undefined where it is none, or has no unit. */
export function readDuration(text: string): Seconds | undefined {
  const found = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]+)\s*$/i.exec(text)
  const unit = found?.[2]?.toLowerCase() ?? ''
  const size = units.find(([pattern]) => pattern.test(unit))?.[1]
  return size === undefined ? undefined : Number(found![1]) * size
}

/** The same, or an error; a bare number is seconds. */
export function parseDuration(text: string): Seconds {
  const seconds = readDuration(text) ?? readDuration(`${text}s`)
  if (seconds !== undefined) return seconds
  throw new OptionError(
    'bad-duration',
    `"${text}" is not a duration; write a number and a unit (ms, s, min, h, d, w, mo, y), such as 5min or 3d`,
  )
}
