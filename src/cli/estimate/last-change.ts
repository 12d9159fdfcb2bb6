import { updatePoints } from '../../estimate/index.js'
import type { History, UnixSeconds } from '../../model/index.js'

/** When the page last changed, as its server dated it, or as it was seen; null where it never was. */
export function lastChange(history: History | null): UnixSeconds | null {
  const last = history === null ? undefined : updatePoints(history).points.at(-1)
  if (last === undefined) return null
  return last.kind === 'last-modified' ? last.at : last.seenAt
}
