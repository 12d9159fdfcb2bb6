import { DAY, humanDuration, type Policy, type Seconds } from '../model/index.js'
import { factorOf, limitOf, positive } from './duration.js'

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
