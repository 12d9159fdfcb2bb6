import { httpDate } from '../../formats/index.js'
import { type Seconds, type UnixSeconds, YEAR } from '../../model/index.js'

/** RFC 9111, 1.2.2: more than 2^31 seconds is as long as that; a year is as long as anybody means. */
const longest: Seconds = YEAR

/**
 * How long caches may keep an answer without asking, from when it came; null
 * where it says nothing or that it may not be kept. `max-age` counts before
 * Expires, and Age is taken off; s-maxage is for shared caches, which we are
 * not. An Expires that cannot be read is in the past (RFC 9111, 5.3).
 *
 * RFC 9111, 4.2.1 and 5.2.2.
 */
export function cacheLifetime(
  headers: Readonly<Record<string, string>>,
  { now }: { readonly now: UnixSeconds },
): Seconds | null {
  const control = (headers['cache-control'] ?? '').slice(0, 2000)
  if (/(?:^|[\s,])(?:no-cache|no-store)(?:[\s,=]|$)/i.test(control)) return null
  const found = /(?:^|[\s,])max-age\s{0,5}=\s{0,5}"?(\d{1,15})/i.exec(control)
  const lifetime = found === null ? untilExpires(headers, now) : Number(found[1])
  const spent = /^\s*(\d{1,12})/.exec(headers.age ?? '')
  const left = Math.min(longest, lifetime) - Number(spent?.[1] ?? 0)
  return left > 0 ? left : null
}

function untilExpires(headers: Readonly<Record<string, string>>, now: UnixSeconds): Seconds {
  const { expires, date } = headers
  if (expires === undefined || expires.length > 100) return 0
  const answered = date === undefined ? now : httpDate(date, { now })
  const left = httpDate(expires, { now }) - (Number.isNaN(answered) ? now : answered)
  return Number.isNaN(left) ? 0 : left
}
