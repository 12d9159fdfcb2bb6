import { httpDate, looseDate } from '../../formats/index.js'
import type { UnixSeconds } from '../../model/index.js'

/**
 * When the server says the page last changed, believed or not; null where it
 * says nothing that can be read. Servers that break the grammar but name a
 * clear date are understood. A date less than a second from that of the answer
 * tells of the answer: pages made on request are often stamped so, and taken
 * for changes they would hide how often the page really changes (RFC 9110,
 * 8.8.2.2, does not trust such dates either).
 */
export function lastModifiedOf(
  headers: Readonly<Record<string, string>>,
  { now }: { readonly now: UnixSeconds },
): UnixSeconds | null {
  const text = headers['last-modified']
  if (text === undefined) return null
  const exact = httpDate(text, { now })
  const at = Number.isNaN(exact) ? looseDate(text, { now }) : exact
  const answered = httpDate(headers.date ?? '', { now })
  return Number.isNaN(at) || Math.abs(answered - at) < 1 ? null : at
}
