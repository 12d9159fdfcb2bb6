import { HOUR, MINUTE, type Seconds, type UnixSeconds } from '../../model/index.js'
import { isDigit, MINUS, POINT, SPACE } from '../bytes/ascii.js'
import type { ByteSlice } from '../bytes/byte-slice.js'
import { digitsAt } from '../bytes/number-field.js'
import { fromCivil } from './civil-time.js'

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
