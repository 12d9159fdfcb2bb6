import { DAY, HOUR, humanDuration, type Policy } from '../model/index.js'

/** StormCrawler's AdaptiveScheduler defaults. */
const firstGap = DAY
const shortest = HOUR
const longest = 14 * DAY

/**
 * StormCrawler's adaptive rule: after a change half of the gap plus half an
 * hour, so it falls towards an hour; without one half as long again, up to two
 * weeks.
 */
export const stormCrawler: Policy = {
  name: 'storm-crawler',
  summary:
    "StormCrawler's adaptive rule: changed: halfway to an hour, unchanged x 1.5 up to 14 days",
  learner: null,
  nextGap({ plannedGap, changed }) {
    if (plannedGap === 0) return firstGap
    return changed ? 0.5 * plannedGap + 0.5 * shortest : Math.min(longest, 1.5 * plannedGap)
  },
  reason({ plannedGap, changed }, gap) {
    if (plannedGap === 0) return `new: first gap of ${humanDuration(firstGap)}`
    return changed
      ? `changed: the gap shrinks to ${humanDuration(gap)}`
      : `unchanged: the gap grows to ${humanDuration(gap)}`
  },
}
