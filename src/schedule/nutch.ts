import { DAY, humanDuration, MINUTE, type Policy } from '../model/index.js'

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
