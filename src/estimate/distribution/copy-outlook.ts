import { OptionError, type Seconds } from '../../model/index.js'
import { cdfAt } from './curves.js'
import type { DistributionCurve } from './distribution-estimate.js'
import { type UpdateLaw, updateGapCdf } from './update-law.js'

type Law = Extract<UpdateLaw, { kind: 'law' }>

/**
 * How many updates the copy is behind the page on average, for visits at the
 * given gaps: mu E[S^2] / (2 E[S]), half the updates of a gap where gaps are
 * equal, more where they vary. Holds for any law of update gaps. O(gaps).
 *
 * Li, Cline & Loguinov 2015, section III-B.
 */
export function updatesBehind(
  { changePeriod }: { changePeriod: Seconds },
  { gaps }: { gaps: ArrayLike<Seconds> },
): number {
  let total = 0
  let squares = 0
  for (let i = 0; i < gaps.length; i++) {
    total += gaps[i]!
    squares += gaps[i]! ** 2
  }
  if (!(total > 0 && changePeriod > 0))
    throw new OptionError('bad-gaps', 'give at least one gap above 0, and a change period above 0')
  return squares / (2 * total * changePeriod)
}

/**
 * The chance that a copy fetched `sinceVisit` ago is still fresh, where nothing
 * is known of the content's age at the visit: 1 - G_U(sinceVisit). O(log n).
 */
export function chanceFresh(
  curve: DistributionCurve,
  { sinceVisit }: { sinceVisit: Seconds },
): number {
  return 1 - cdfAt(curve, sinceVisit)
}

/**
 * The same where the content was `contentAge` old at the visit: the chance that
 * an update gap that lasted so long lasts `sinceVisit` more. Null beyond the
 * longest update gap the law knows of. O(log n).
 */
export function chanceFreshAtAge(
  law: Law,
  { contentAge, sinceVisit }: { contentAge: Seconds; sinceVisit: Seconds },
): number | null {
  const lasted = 1 - updateGapCdf(law, contentAge)
  if (!(lasted > 0)) return null
  return Math.min(1, (1 - updateGapCdf(law, contentAge + sinceVisit)) / lasted)
}
