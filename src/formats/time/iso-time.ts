import { DAY, HOUR, MINUTE, type Seconds, type UnixSeconds } from '../../model/units.js'
import { type ByteSlice, digitsAt, isDigit, MINUS, POINT, SPACE } from '../bytes/byte-slice.js'

/** A time by calendar and clock, in UTC. */
interface CivilTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Unix seconds of a date and time in the Gregorian calendar, or NaN if there is no such time. */
export function fromCivil(civil: CivilTime): UnixSeconds {
  const { year, month, day, hour, minute, second } = civil
  const wrongDay = month < 1 || month > 12 || day < 1 || day > monthLength({ year, month })
  const wrongHour = hour < 0 || hour > 23 || minute < 0 || minute > 59
  if (year < 0 || wrongDay || wrongHour || second < 0 || second >= 60) return Number.NaN
  return dayNumber({ year, month, day }) * DAY + hour * HOUR + minute * MINUTE + second
}

function monthLength({ year, month }: { year: number; month: number }): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return month === 2 && leap ? 29 : monthLengths[month - 1]!
}

/**
 * Days since 1970-01-01, counted in years that begin in March so that the leap
 * day comes last. Howard Hinnant, "chrono-Compatible Low-Level Date
 * Algorithms", days_from_civil. `new Date` costs ten times as much.
 */
function dayNumber({ year, month, day }: { year: number; month: number; day: number }): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const leapDays = Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)
  return era * 146097 + yearOfEra * 365 + leapDays + dayOfYear - 719468
}

/** Digits of a CDX timestamp: YYYYMMDDhhmmss, always UTC. */
export const cdxDigits = 14

/** Unix seconds of a CDX timestamp such as `20260301120000`, or NaN if it is none. */
export function cdxTime({ bytes, start, end }: ByteSlice): UnixSeconds {
  if (end - start !== cdxDigits) return Number.NaN
  const two = (after: number) => digitsAt(bytes, { at: start + after, count: 2 })
  return fromCivil({
    year: digitsAt(bytes, { at: start, count: 4 }),
    month: two(4),
    day: two(6),
    hour: two(8),
    minute: two(10),
    second: two(12),
  })
}

const COLON = 0x3a
const PLUS = 0x2b

/** Whether a field has the shape of an ISO 8601 date: four digits and a hyphen. */
export function looksIso({ bytes, start, end }: ByteSlice): boolean {
  return end - start >= 10 && bytes[start + 4] === MINUS && isDigit(bytes[start])
}

/**
 * Unix seconds of an ISO 8601 time: `2026-03-01`, `2026-03-01T12:00Z`,
 * `2026-03-01 12:00:00.25+02:00`. NaN if it is no such time; `no-zone` if it
 * names no zone and none is given (`zone`, seconds east of UTC).
 */
export function isoTime(field: ByteSlice, zone: Seconds | undefined): UnixSeconds | 'no-zone' {
  const { bytes, start, end } = field
  if (end - start < 10 || bytes[start + 7] !== MINUS) return Number.NaN
  const clock = clockTime(field)
  const year = digitsAt(bytes, { at: start, count: 4 })
  const month = digitsAt(bytes, { at: start + 5, count: 2 })
  const day = digitsAt(bytes, { at: start + 8, count: 2 })
  const local = fromCivil({ year, month, day, hour: 0, minute: 0, second: 0 }) + clock.seconds
  if (Number.isNaN(local)) return local
  const east = clock.next === end ? zone : offset(bytes, { at: clock.next, end })
  return east === undefined ? 'no-zone' : local - east
}

/** The time of day after the date, and where it ends; NaN if it is none. */
function clockTime({ bytes, start, end }: ByteSlice): { seconds: Seconds; next: number } {
  let next = start + 10
  if (next === end) return { seconds: 0, next }
  const separator = bytes[next]
  const separated = separator === 0x54 || separator === 0x74 || separator === SPACE
  if (!separated || bytes[next + 3] !== COLON) return { seconds: Number.NaN, next }
  const hour = digitsAt(bytes, { at: next + 1, count: 2 })
  const minute = digitsAt(bytes, { at: next + 4, count: 2 })
  next += 6
  let second = 0
  if (next < end && bytes[next] === COLON) {
    second = digitsAt(bytes, { at: next + 1, count: 2 })
    next += 3
    if (next < end && bytes[next] === POINT) {
      const from = ++next
      while (next < end && isDigit(bytes[next])) next++
      second += fraction(bytes, { from, to: next })
    }
  }
  if (next > end) return { seconds: Number.NaN, next: end }
  return { seconds: fromCivil({ year: 1970, month: 1, day: 1, hour, minute, second }), next }
}

/** Nine digits are enough: a double holds no finer time. */
function fraction(bytes: Uint8Array, { from, to }: { from: number; to: number }): number {
  const count = Math.min(to - from, 9)
  return count === 0 ? Number.NaN : digitsAt(bytes, { at: from, count }) / 10 ** count
}

/** Seconds east of UTC that `Z`, `+02`, `+0200` or `+02:00` says; NaN for anything else. */
function offset(bytes: Uint8Array, { at, end }: { at: number; end: number }): Seconds {
  const sign = bytes[at]
  if (end - at === 1 && (sign! | 0x20) === 0x7a) return 0
  if (sign !== PLUS && sign !== MINUS) return Number.NaN
  const minutesAt = bytes[at + 3] === COLON ? at + 4 : at + 3
  const hours = digitsAt(bytes, { at: at + 1, count: 2 })
  const minutes = end === at + 3 ? 0 : digitsAt(bytes, { at: minutesAt, count: 2 })
  const wrongEnd = end !== at + 3 && end !== minutesAt + 2
  if (wrongEnd || hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return Number.NaN
  return (sign === PLUS ? 1 : -1) * (hours * HOUR + minutes * MINUTE)
}
