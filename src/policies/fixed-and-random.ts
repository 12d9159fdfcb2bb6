import { humanDuration } from '../model/duration.js'
import type { Policy } from '../model/policy.js'
import { DAY, type Seconds, WEEK } from '../model/units.js'
import { positive } from './limits.js'

/** Every page at the same gap, whatever it does. */
export function fixed({ gap = WEEK }: { gap?: Seconds } = {}): Policy {
  positive('gap', gap)
  return {
    name: 'fixed',
    summary: 'every page at the same gap',
    learner: null,
    nextGap: () => gap,
    reason: () => `every page every ${humanDuration(gap)}`,
  }
}

/** The typical crawler that Hattab compares with: every page every week. */
export const typicalCrawler: Policy = {
  ...fixed({ gap: WEEK }),
  name: 'typical-crawler',
  summary: 'every page weekly (Hattab)',
}

/**
 * Gaps sampled anew each time, for measuring the distribution of update gaps
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
      `sampled at random: ${humanDuration(gap)}, ${humanDuration(meanGap)} on average`,
  }
}
