import type { PageRecord } from '../model/page.js'
import type { Seconds, UnixSeconds } from '../model/units.js'
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

/**
 * How a reason ends where a visit sooner is not worth its price in freshness.
 * Whatever else sets a time (another objective or policy, a limit, allowed
 * hours, a hint, a person, what a server asked for) ends it with words of its
 * own. With other objectives a fast page is not given up: its visits find more.
 */
const byPrice = /(?:x the price of a request|worth a request; none waits longer)$/

/** A page is given up as too fast where it is left for so many of its own changes. */
const manyChanges = 10
/** That many were seen at least: one alone says little of how fast it is. */
const fewestSeen = 3

type TimelyPage = Pick<PageRecord, 'due' | 'lastVisit' | 'changes' | 'failing' | 'gone'>

/**
 * Whether a page changes too fast to follow for the price of a request: by that
 * it is left for so long that a visit gains next to nothing, since its copy is
 * out of date again at once. One that is due now does not wait.
 */
export function isTooFast(
  { due, lastVisit, changes, failing, gone }: TimelyPage,
  { changePeriod, now }: { readonly changePeriod: Seconds | null; readonly now: UnixSeconds },
): boolean {
  if (due.at === 'never' || due.at <= now) return false
  if (lastVisit === null || changePeriod === null) return false
  // What fails or is gone waits for that.
  if (changes < fewestSeen || failing > 0 || gone > 0) return false
  return byPrice.test(due.reason) && due.at - lastVisit.at > manyChanges * changePeriod
}
