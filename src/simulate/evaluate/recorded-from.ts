import { historyOf, type RecordedChanges, splitCalm, type VisitRecord } from '../../model/index.js'
import { Random } from '../../numeric/index.js'

export interface RecordedFrom {
  readonly id: string
  readonly source: string
  /** The same seed puts the same changes at the same times. */
  readonly seed: number
}

/**
 * When a page changed, as far as its visits tell: each change that a visit
 * found happened somewhere in the gap before it, at the time that a believable
 * Last-Modified tells, else by a seeded uniform draw. Several changes in one
 * gap are one. Null where the page was not seen twice. O(visits).
 */
export function recordedFrom(
  visits: readonly VisitRecord[],
  { id, source, seed }: RecordedFrom,
): RecordedChanges | null {
  const history = historyOf(visits)
  const last = history?.observations.at(-1)
  if (history === null || last === undefined) return null
  const random = Random.stream({ seed, index: hash(id) })
  const changes = splitCalm(history)
    .observations.filter(({ changed }) => changed)
    .map(({ at, gap, contentAge }) =>
      contentAge !== undefined && contentAge < gap ? at - contentAge : at - gap * random.uniform(),
    )
  const from = history.start.at
  const times = Float64Array.from(changes.filter((at) => at > from))
  return { id, source, from, until: last.at, cadence: 0, changes: times }
}

/** FNV-1a over the characters of an id: a page's draws do not depend on the other pages. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}
