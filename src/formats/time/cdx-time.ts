import type { UnixSeconds } from '../../model/index.js'
import type { ByteSlice } from '../bytes/byte-slice.js'
import { digitsAt } from '../bytes/number-field.js'
import { fromCivil } from './civil-time.js'

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
