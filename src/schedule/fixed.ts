import { humanDuration, type Policy, type Seconds, WEEK } from '../model/index.js'
import { positive } from './duration.js'

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
