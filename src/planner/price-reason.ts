import type { PageRecord } from '../model/page.js'
import type { Seconds, UnixSeconds } from '../model/units.js'
import type { BestGap, GapProblem } from './value/best-gap.js'
import type { Objective } from './value/objective.js'

/** Where a limit and not the value sets the time, the reason says so. */
export function valueWords(
  value: number,
  about: { wanted: Seconds; maxGap: Seconds; minGap: Seconds; objective: Objective },
): string {
  const { wanted, maxGap, minGap, objective } = about
  const aim = objective === 'freshness' ? '' : ` (objective: ${objective})`
  if (wanted > maxGap) return `a visit sooner is not worth a request${aim}; none waits longer`
  const times = value >= 10 ? value.toFixed(0) : value.toFixed(1)
  const held = wanted < minGap ? ', but no sooner is allowed' : ''
  return `value ${times}x the price of a request${aim}${held}`
}

/** With this chance the page has changed long before its visit: it is given up, and not one that hardly changes. */
const surelyChanged = 0.98
/** A page that is given up waits for so many prices of a request, in seconds of freshness, at the most. */
const mostPrices = 30

/**
 * The longest that a page waits which changes too fast for its copy to be kept
 * fresh at this price; Infinity for any other. By freshness alone the best gap
 * of such a page leaps from minutes to never at some price: with few pages that
 * leaves the budget unspent for weeks, and a person without a look at the page.
 * So it is visited all the same, the more often the cheaper requests are.
 */
export function longestGivenUp(
  { chance }: BestGap,
  { price, objective }: Pick<GapProblem, 'price' | 'objective'>,
): number {
  return objective === 'freshness' && chance >= surelyChanged ? mostPrices * price : Infinity
}

/** Where a page changes too fast for its copy to be kept fresh, and is visited all the same. */
export const tooFastWords = 'too fast to follow for the price of a request'

/** The same where the shortest gap may be what the page waits for. */
export function tooFastReason({ wanted, minGap }: { wanted: Seconds; minGap: Seconds }): string {
  return wanted > minGap ? tooFastWords : `${tooFastWords}, and no sooner is allowed`
}

/** So many changes were seen at least: one alone says little of how fast a page is. */
const fewestSeen = 3

/**
 * Whether a page waits because it changes too fast to follow for the price of a
 * request. Whatever else sets a time (another policy, a limit, allowed hours, a
 * hint, a person, a failure) ends its reason with words of its own, and one
 * that is due does not wait.
 */
export function isTooFast(
  { due, changes }: Pick<PageRecord, 'due' | 'changes'>,
  now: UnixSeconds,
): boolean {
  const isWaiting = due.at !== 'never' && due.at > now
  return isWaiting && changes >= fewestSeen && due.reason.endsWith(tooFastWords)
}
