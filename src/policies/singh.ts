import { humanDuration } from '../model/duration.js'
import type { Policy } from '../model/policy.js'
import { DAY, MINUTE, type Seconds } from '../model/units.js'
import { positive } from './limits.js'

export interface SinghOptions {
  /** Gap before anything is known; the paper crawled daily. */
  readonly firstGap?: Seconds
  /** No gap shorter than this; a prediction in the past is taken up at once. */
  readonly minGap?: Seconds
  /** No gap longer than this, or one unchanged spell would end the visits. */
  readonly maxGap?: Seconds
  /** The learner that predicts, as the registry reads it. */
  readonly learner?: string
}

/**
 * Visits at the predicted next update of the latest consistent window. The
 * learner does the predicting, its bound alpha and what follows a premature
 * visit included (`consistentWindowLearner`).
 *
 * Singh 2007, section 5.
 */
export function singh(options: SinghOptions = {}): Policy {
  const firstGap = positive('firstGap', options.firstGap ?? DAY)
  const minGap = positive('minGap', options.minGap ?? 10 * MINUTE)
  const maxGap = positive('maxGap', options.maxGap ?? 365 * DAY)
  return {
    name: 'singh',
    summary: 'Singh: at the predicted next update of the latest consistent window',
    learner: options.learner ?? 'consistent-window',
    nextGap({ changePeriod }) {
      return changePeriod === 0 ? firstGap : Math.min(maxGap, Math.max(minGap, changePeriod))
    },
    reason({ changePeriod, changed }, gap) {
      if (changePeriod === 0) return `new: visited again after ${humanDuration(gap)}`
      const basis = changed
        ? 'its latest changes predict the next one'
        : 'nothing new yet; its latest changes predict the next one'
      return `${basis} in ${humanDuration(gap)}`
    },
  }
}
