import { humanDuration } from '../model/duration.js'
import type { Policy } from '../model/policy.js'
import { DAY, MINUTE, type Seconds } from '../model/units.js'
import { factorOf, positive } from './limits.js'

export interface GrimesFordOptions {
  /** Next gap over estimated change period: 1 in section 5, 0.8 in Figure 2. */
  readonly factor?: number
  /** First gap, where the learner has no prior of its own. Section 4.2 found 11 days. */
  readonly firstGap?: Seconds
  /** No gap shorter than this: a page that always changes would be visited ever faster. */
  readonly minGap?: Seconds
}

/**
 * Visits at the estimated change period times a factor.
 *
 * Grimes & Ford 4.1 and 5. With pseudo-gaps in the learner, the first gap is
 * the prior's own estimate.
 */
export function grimesFord(options: GrimesFordOptions = {}): Policy {
  const factor = factorOf('factor', options.factor ?? 1)
  const firstGap = positive('firstGap', options.firstGap ?? 11 * DAY)
  const minGap = positive('minGap', options.minGap ?? MINUTE)
  return {
    name: 'grimes-ford',
    summary: 'Grimes & Ford: next gap = factor x estimated change period, first gap from the prior',
    learner: 'irregular-mle',
    nextGap({ changePeriod }) {
      return changePeriod === 0 ? firstGap : Math.max(minGap, factor * changePeriod)
    },
    reason({ changePeriod, visits }, gap) {
      if (changePeriod === 0)
        return `new: pages like it are best visited again after ${humanDuration(gap)}`
      const basis = visits < 2 ? 'pages like it change' : 'changes'
      return `${basis} about every ${humanDuration(changePeriod)}; next visit after ${factor === 1 ? 'that time' : `${factor} of that`}`
    },
  }
}
