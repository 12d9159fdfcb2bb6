import type { History } from './history.js'
import type { Observation } from './observation.js'
import type { Seconds } from './units.js'

/**
 * A history in which every gap with a calm beginning is two: unchanged for so
 * long, then the rest with the change. For methods that know only changed or
 * unchanged: to them a list that told of no change is one more visit that saw
 * none. Without such gaps it is the history itself. O(n).
 */
export function splitCalm<H extends History>(history: H): H {
  if (!history.observations.some(hasCalm)) return history
  return { ...history, observations: history.observations.flatMap(calmParts) }
}

/** One observation as one or two that say no more than changed or unchanged. */
export function calmParts(observation: Observation): Observation[] {
  if (!hasCalm(observation)) return [observation]
  const { calmFor, ...seen } = observation
  const rest = seen.gap - calmFor
  const told = seen.contentAge
  return [
    { at: seen.at - rest, gap: calmFor, changed: false },
    // Clocks differ a little: the change came after the calm.
    { ...seen, gap: rest, ...(told === undefined ? {} : { contentAge: Math.min(told, rest) }) },
  ]
}

/** Not where one of the two would be lost in the rounding of times. */
function hasCalm(seen: Observation): seen is Observation & { readonly calmFor: number } {
  const { at, gap, changed, calmFor } = seen
  if (calmFor === undefined || !changed) return false
  const calmUntil = at - (gap - calmFor)
  return calmFor > 0 && calmFor < gap && calmUntil > at - gap && calmUntil < at
}

/** How much of a gap is known to be without change. */
export function calmTime(seen: Observation): Seconds {
  if (!seen.changed) return seen.gap
  return hasCalm(seen) ? seen.calmFor : 0
}
