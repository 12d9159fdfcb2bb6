import { humanDuration } from '../model/duration.js'
import type { Policy } from '../model/policy.js'
import { DAY, HOUR, MINUTE } from '../model/units.js'

/** Apache Nutch's defaults: first 30 days, bounds of a minute and a year. */
const firstGap = 30 * DAY
const shortest = MINUTE
const longest = 365 * DAY

/**
 * Apache Nutch's AdaptiveFetchSchedule as it ships: the gap shrinks by a fifth
 * after a change and grows by two fifths without one.
 */
export const nutch: Policy = {
  name: 'nutch',
  summary: "Apache Nutch's adaptive rule: changed x 0.8, unchanged x 1.4, first 30 days",
  learner: null,
  nextGap({ plannedGap, changed }) {
    if (plannedGap === 0) return firstGap
    return Math.min(longest, Math.max(shortest, plannedGap * (changed ? 0.8 : 1.4)))
  },
  reason({ plannedGap, changed }, gap) {
    if (plannedGap === 0) return `new: first gap of ${humanDuration(firstGap)}`
    return changed
      ? `changed: the gap shrinks to ${humanDuration(gap)}`
      : `unchanged: the gap grows to ${humanDuration(gap)}`
  },
}

/** StormCrawler's AdaptiveScheduler defaults. */
const firstGapOfStormCrawler = DAY
const shortestOfStormCrawler = HOUR
const longestOfStormCrawler = 14 * DAY

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
    if (plannedGap === 0) return firstGapOfStormCrawler
    return changed
      ? 0.5 * plannedGap + 0.5 * shortestOfStormCrawler
      : Math.min(longestOfStormCrawler, 1.5 * plannedGap)
  },
  reason({ plannedGap, changed }, gap) {
    if (plannedGap === 0) return `new: first gap of ${humanDuration(firstGapOfStormCrawler)}`
    return changed
      ? `changed: the gap shrinks to ${humanDuration(gap)}`
      : `unchanged: the gap grows to ${humanDuration(gap)}`
  },
}
