import { httpDate } from '../../formats/index.js'
import type { Seconds, UnixSeconds } from '../../model/index.js'

/**
 * How long Retry-After asks to wait, in seconds or until a date, at most `most`;
 * null where it is missing or says nothing. RFC 9110, 10.2.3.
 */
export function retryAfter(
  text: string | undefined,
  { now, most }: { readonly now: UnixSeconds; readonly most: Seconds },
): Seconds | null {
  const trimmed = text?.trim() ?? ''
  const wait = /^\d+$/.test(trimmed) ? Number(trimmed) : httpDate(trimmed, { now }) - now
  return Number.isNaN(wait) ? null : Math.min(Math.max(0, wait), most)
}
