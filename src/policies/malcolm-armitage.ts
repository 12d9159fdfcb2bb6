import { humanDuration } from '../model/duration.js'
import type { PageView, Policy } from '../model/policy.js'
import { DAY, MINUTE, type Seconds } from '../model/units.js'
import { factorOf, limitOf, positive } from './limits.js'

export interface Listing1Options {
  /** Stop once so many changes were seen; Infinity goes on for ever. Table 3: 100. */
  readonly maxChanges?: number
  /** Shortest gap. Table 3: a day. */
  readonly targetGap?: Seconds
  /** A page may be visited so many times a change period. Table 3: 5. */
  readonly maxRatio?: number
}

/**
 * Visits for measuring a page that tells Last-Modified: a fixed short gap, or
 * a fifth of the estimated change period where that is longer, because looking
 * more often adds nothing; stops after a hundred changes.
 *
 * Malcolm & Armitage, Listing 1 and Table 3.
 */
export function malcolmArmitage1(options: Listing1Options = {}): Policy {
  const maxChanges = limitOf('maxChanges', options.maxChanges ?? 100)
  const targetGap = positive('targetGap', options.targetGap ?? DAY)
  const maxRatio = factorOf('maxRatio', options.maxRatio ?? 5)
  return {
    name: 'malcolm-armitage-1',
    summary:
      'Malcolm & Armitage Listing 1: daily, or a fifth of the change period; needs Last-Modified',
    learner: 'mean-content-age',
    nextGap({ changes, changePeriod }) {
      return changes >= maxChanges ? Infinity : Math.max(targetGap, changePeriod / maxRatio)
    },
    reason({ changes, changePeriod }, gap) {
      if (gap === Infinity) return `${changes} changes seen: enough to know its change period`
      if (gap > targetGap)
        return `changes about every ${humanDuration(changePeriod)}; ${maxRatio} visits in that time are enough`
      return `changes about every ${humanDuration(changePeriod)}; visited every ${humanDuration(targetGap)} at most`
    },
  }
}

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
      const periodText =
        changes === 0
          ? `no change in ${humanDuration(changePeriod)}`
          : `changes about every ${humanDuration(changePeriod)}`
      return gap < changePeriod
        ? `${periodText}; visited more often than that to count its changes`
        : `${periodText}; visited at that rate`
    },
  }
}

/**
 * Listing 1 where the content age is known, Listing 2 elsewhere, both without
 * the stop rule: a page that is followed goes on being followed.
 */
export function malcolmArmitage(): Policy {
  const dated = malcolmArmitage1({ maxChanges: Infinity })
  const undated = malcolmArmitage2({ maxChanges: Infinity })
  const listing = (view: PageView) => (Number.isNaN(view.contentAge) ? undated : dated)
  return {
    name: 'malcolm-armitage',
    summary:
      'Malcolm & Armitage: Listing 1 where Last-Modified is reported, Listing 2 elsewhere; never stops',
    learner: 'malcolm-armitage',
    nextGap: (view) => listing(view).nextGap(view),
    reason: (view, gap) => listing(view).reason(view, gap),
  }
}
