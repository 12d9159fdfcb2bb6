import { InputError } from './errors.js'
import type { Seconds, UnixSeconds } from './units.js'
import type { Visit } from './visit.js'
import { visitTimeFault } from './visit-time.js'

/** What two successive successful visits tell. */
export interface Observation {
  readonly at: UnixSeconds
  /** Time since the successful visit before; always positive. */
  readonly gap: Seconds
  readonly changed: boolean
  /** Time since the page last changed, if the server told a believable one. */
  readonly contentAge?: Seconds
  /** How long after the gap's start the page is known not to have changed, by a list that proved right. */
  readonly calmFor?: Seconds
}

/** Servers give Last-Modified to the second, and clocks differ a little. */
const clockSlack: Seconds = 2

/**
 * Pairs a visit with the successful visit before it. The gap spans any failed
 * visits between the two. Refuses times that do not go forward.
 */
export function observe(before: { readonly at: UnixSeconds }, visit: Visit): Observation {
  const fault = visitTimeFault(visit.at, { after: before.at, now: Infinity })
  if (fault !== undefined) throw new InputError(fault.code, fault.message(), { line: visit.line })
  const gap = visit.at - before.at
  const changed = visit.outcome === 'changed'
  const contentAge = believableAge(visit, { gap, changed })
  const { at, calmFor } = visit
  const seen = contentAge === undefined ? { at, gap, changed } : { at, gap, changed, contentAge }
  return calmFor === undefined ? seen : withCalm(seen, calmFor)
}

/**
 * An observation with what is known of its gap's beginning, unless that cannot
 * be: a calm as long as the gap, of a page that did not change, or beyond the
 * change that Last-Modified tells.
 */
export function withCalm(seen: Observation, calmFor: Seconds): Observation {
  const { gap, changed, contentAge = 0 } = seen
  if (!(changed && calmFor > 0 && calmFor < gap)) return seen
  return contentAge > gap - calmFor + clockSlack ? seen : { ...seen, calmFor }
}

/**
 * The content age that Last-Modified tells, unless what we saw contradicts it:
 * a date in the visit's future, an old date on content that changed within the
 * gap, or a new date on content that did not.
 */
export function believableAge(
  visit: Visit,
  seen?: { readonly gap: Seconds; readonly changed: boolean },
): Seconds | undefined {
  if (visit.lastModified === undefined || !Number.isFinite(visit.lastModified)) return undefined
  const contentAge = visit.at - visit.lastModified
  if (contentAge < -clockSlack) return undefined
  if (seen?.changed === true && contentAge > seen.gap + clockSlack) return undefined
  if (seen?.changed === false && contentAge < seen.gap - clockSlack) return undefined
  return Math.max(0, contentAge)
}
