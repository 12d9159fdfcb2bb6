import { DAY, humanDuration, MINUTE, type Policy, type Seconds } from '../model/index.js'
import { factorOf, limitOf, positive } from './duration.js'

export interface Listing2Options {
  /** Stop once so many changes were seen; Infinity goes on for ever. Table 4: 100. */
  readonly maxChanges?: number
  /** Gaps grow beyond this only for pages slower than maxRatio times it. Table 4: two days. */
  readonly softMaxGap?: Seconds
  /** Visits a change period beyond the soft maximum. Table 4: 3. */
  readonly maxRatio?: number
  /** Shortest gap, and the first one. Table 4: ten minutes. */
  readonly minGap?: Seconds
}

/**
 * Visits for measuring a page without Last-Modified: at the estimated change
 * period, at most every two days unless the page is slower than six, at least
 * ten minutes apart; stops after a hundred changes. Before a change is seen
 * the estimate is the time sampled, so gaps double.
 *
 * Malcolm & Armitage, Listing 2 and Table 4.
 */
export function malcolmArmitage2(options: Listing2Options = {}): Policy {
  const maxChanges = limitOf('maxChanges', options.maxChanges ?? 100)
  const softMaxGap = positive('softMaxGap', options.softMaxGap ?? 2 * DAY)
  const maxRatio = factorOf('maxRatio', options.maxRatio ?? 3)
  const minGap = positive('minGap', options.minGap ?? 10 * MINUTE)
  return {
    name: 'malcolm-armitage-2',
    summary:
      'Malcolm & Armitage Listing 2: at the estimated change period, two days at most unless slow',
    learner: 'detection-gap',
    nextGap({ changes, changePeriod }) {
      if (changes >= maxChanges) return Infinity
      if (changePeriod <= softMaxGap) return changePeriod <= minGap ? minGap : changePeriod
      return Math.max(softMaxGap, changePeriod / maxRatio)
    },
    reason({ changes, changePeriod }, gap) {
      if (gap === Infinity) return `${changes} changes seen: enough to know its change period`
      if (gap <= minGap)
        return `nothing known of it yet, or it changes faster than every ${humanDuration(minGap)}: the shortest gap`
      const pace =
        changes === 0
          ? `no change in ${humanDuration(changePeriod)}`
          : `changes about every ${humanDuration(changePeriod)}`
      return gap < changePeriod
        ? `${pace}; visited more often than that to count its changes`
        : `${pace}; visited at that pace`
    },
  }
}
