import type { History } from '../../model/index.js'
import { irregularMle } from '../rate/irregular-mle.js'

/**
 * Whether visits came often enough for seen changes to count as updates, which
 * every fit of update points assumes ("assuming that m(i) is small"). Not so
 * where they are fewer than the least that the gaps themselves allow, by the
 * lower likelihood bound at 95%: then the points show the visits, not the page.
 *
 * Singh 2007, section 1.1; the bound is ours, for the paper names none. O(n).
 */
export function countsUpdates(history: History): boolean {
  const { bounds, evidence } = irregularMle.estimate(history)
  return bounds === null || evidence.changes / evidence.samplingPeriod >= bounds.low
}
