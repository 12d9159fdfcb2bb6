import { type Outcome, succeeded } from '../../model/index.js'

/** No digest is known: the page was never seen with one, or last seen without. */
export const noDigest = Number.NaN

/**
 * What a digest tells beside the one of the successful visit before: a new
 * digest is a change, and with nothing to compare with the visit is a first.
 */
export function outcomeByDigest(digest: number, before: number): Outcome {
  if (Number.isNaN(before)) return 'first'
  return digest === before ? 'unchanged' : 'changed'
}

/** The digest to compare the next visit with: an `unchanged` without one (a 304) keeps the old. */
export function digestAfter(visit: { outcome: Outcome; digest: number }, before: number): number {
  if (!Number.isNaN(visit.digest)) return visit.digest
  return succeeded(visit.outcome) && visit.outcome !== 'unchanged' ? noDigest : before
}
