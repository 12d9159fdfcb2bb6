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

/** Where a page changes too fast for its copy to be kept fresh, and is visited all the same. */
export const tooFastWords = 'too fast to follow for the price of a request'

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
