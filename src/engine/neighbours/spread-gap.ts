import type { RandomSource, Seconds } from '../../model/index.js'
import { type NewsTally, worthNewsVisit } from '../../schedule/auto/neighbour-news.js'

/** Plans are moved by up to this share of their gap: no further than a plan made anew would leave them. */
const spread = 0.25

/**
 * The gap of a page whose site's news are worth following, moved at random
 * within its limits, so that pages of the site take turns and one of them sees
 * the next change early; the same gap where news are not worth it. Pure.
 */
export function spreadGap(
  gap: Seconds,
  about: {
    readonly tally: NewsTally
    /** How long a copy taken at its start should stay fresh within a gap. */
    readonly freshTime: (gap: Seconds) => Seconds
    readonly price: number
    readonly limits: { readonly minGap: Seconds; readonly maxGap: Seconds }
    readonly random: RandomSource
  },
): Seconds {
  const { tally, price, limits, random } = about
  const untilDue = gap / 2
  const freshTime = () => about.freshTime(untilDue)
  if (!worthNewsVisit(tally, { untilDue, freshTime, price })) return gap
  const moved = gap * (1 + spread * (2 * random.uniform() - 1))
  return Math.min(limits.maxGap, Math.max(limits.minGap, moved))
}
