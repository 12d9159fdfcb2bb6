import { pseudoGapWords, type RatePrior } from '../estimators/prior/rate-prior.js'
import { humanDuration } from '../model/duration.js'
import type { Policy } from '../model/policy.js'
import { DAY, MINUTE, type Seconds } from '../model/units.js'
import { factorOf, positive } from './limits.js'

export interface GrimesFordOptions {
  /** Next gap over estimated change period: 1 in section 5, 0.8 in Figure 2. */
  readonly factor?: number
  /** First gap where there is no prior. Section 4.2 found 11 days for its own sample. */
  readonly firstGap?: Seconds
  /** No gap shorter than this: a page that always changes would be visited ever faster. */
  readonly minGap?: Seconds
  /** What its learner assumes of pages never seen; nothing by default. */
  readonly prior?: RatePrior | null
  /** The learner that follows that prior, as the registry reads it. */
  readonly learner?: string
}

/** The best first gap for the paper's own sample of pages (section 4.2, Figure 4). */
const gapOfPaper: Seconds = 11 * DAY

/**
 * Visits at the estimated change period times a factor. The first gap is the
 * prior's: with two pseudo-gaps the estimate from them alone (section 5, step 1),
 * with a whole law the one that brings estimates nearest to the truth (4.2).
 *
 * Grimes & Ford 4.1 to 5.
 */
export function grimesFord(options: GrimesFordOptions = {}): Policy {
  const factor = factorOf('factor', options.factor ?? 1)
  const firstGap = positive('firstGap', options.firstGap ?? gapOfPaper)
  const minGap = positive('minGap', options.minGap ?? MINUTE)
  const { prior = null, learner = 'irregular-mle' } = options
  return {
    name: 'grimes-ford',
    summary: 'Grimes & Ford: next gap = factor x estimated change period, first gap from the prior',
    learner,
    nextGap({ changePeriod, visits }) {
      if (visits < 2 && prior?.kind === 'law') return Math.max(minGap, prior.firstGap)
      return changePeriod === 0 ? firstGap : Math.max(minGap, factor * changePeriod)
    },
    reason({ changePeriod, visits }, gap) {
      if (visits < 2 && prior?.kind === 'law')
        return `new: the best first gap for pages like ${prior.from} is ${humanDuration(prior.firstGap)}`
      if (changePeriod === 0) return unknownReason(gap, { firstGap })
      const period = humanDuration(changePeriod)
      const wait = `next visit after ${factor === 1 ? 'that time' : `${factor} of that`}`
      if (visits < 2 && prior?.kind === 'pseudo-gaps')
        return `new: pages like ${prior.from} change about every ${period} (best first gap by two pseudo-gaps, ${pseudoGapWords(prior.pseudoGaps)}); ${wait}`
      return `changes about every ${period}; ${wait}`
    },
  }
}

/** Nothing is known, and nothing is assumed. */
function unknownReason(gap: Seconds, { firstGap }: { readonly firstGap: Seconds }): string {
  const origin = firstGap === gapOfPaper ? "the best for the paper's own pages" : 'as set'
  return `new, with no prior: first gap of ${humanDuration(gap)}, ${origin}`
}
