import { DAY, humanDuration, type Policy, type Seconds } from '../model/index.js'
import { positive } from './duration.js'

/**
 * Gaps drawn anew each time, for measuring the distribution of update gaps
 * with M6, which needs gaps of every length and none that falls in step with
 * the page.
 *
 * Li, Cline & Loguinov, section VI: exponential, or uniform from 0 to twice
 * the mean (the paper prints 2 lambda where 2 / lambda is meant).
 */
export function randomGaps(
  options: { law?: 'exponential' | 'uniform'; meanGap?: Seconds } = {},
): Policy {
  const law = options.law ?? 'exponential'
  const meanGap = positive('meanGap', options.meanGap ?? DAY)
  return {
    name: `random-gaps-${law}`,
    summary: `${law} gaps, for measuring update gaps with M6`,
    learner: null,
    nextGap({ random }) {
      const share = law === 'exponential' ? random.exponential() : 2 * (1 - random.uniform())
      return meanGap * Math.max(share, 1e-9)
    },
    reason: (_, gap) =>
      `drawn by chance: ${humanDuration(gap)}, ${humanDuration(meanGap)} on average`,
  }
}
