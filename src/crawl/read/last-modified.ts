import { httpDate, looseDate } from '../../formats/index.js'
import type { UnixSeconds } from '../../model/index.js'

/**
 * When the server says the page last changed, believed or not; null where it
 * says nothing that can be read. Servers that break the grammar but name a
 * clear date are understood.
 */
export function lastModifiedOf(
  headers: Readonly<Record<string, string>>,
  { now }: { readonly now: UnixSeconds },
): UnixSeconds | null {
  const text = headers['last-modified'] ?? ''
  const exact = httpDate(text, { now })
  const at = Number.isNaN(exact) ? looseDate(text, { now }) : exact
  return Number.isNaN(at) ? null : at
}
