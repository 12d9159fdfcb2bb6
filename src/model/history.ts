import { InputError } from './errors.js'
import { believableAge, type Observation, observe } from './observation.js'
import type { Seconds, UnixSeconds } from './units.js'
import { succeeded, type Visit } from './visit.js'
import { visitTimeFault } from './visit-time.js'

/** The first successful visit: it has no gap, but its content age counts. */
export interface Start {
  readonly at: UnixSeconds
  readonly contentAge?: Seconds
}

/** All that was seen of one page, in order of time. */
export interface History {
  readonly start: Start
  readonly observations: readonly Observation[]
}

/**
 * Builds a History from visits in order of time, or null if no visit
 * succeeded. A failed visit makes no observation, so the gap grows; a later
 * `first` visit (the page is compared in a new way) starts a new gap without
 * closing the old one. Throws on the first visit that cannot be: equal or
 * backward times, and, where `now` is given, times after it. O(n).
 */
export function historyOf(
  visits: Iterable<Visit>,
  { now = Infinity }: { readonly now?: UnixSeconds } = {},
): History | null {
  let start: Start | undefined
  let seenAt = Number.NaN
  let triedAt = -Infinity
  const observations: Observation[] = []
  for (const visit of visits) {
    const fault = visitTimeFault(visit.at, { after: triedAt, now })
    if (fault !== undefined) throw new InputError(fault.code, fault.message(), { line: visit.line })
    triedAt = visit.at
    if (!succeeded(visit.outcome)) continue
    if (start === undefined) start = startOf(visit)
    else if (visit.outcome !== 'first') observations.push(observe({ at: seenAt }, visit))
    seenAt = visit.at
  }
  return start === undefined ? null : { start, observations }
}

function startOf(visit: Visit): Start {
  const contentAge = believableAge(visit)
  return contentAge === undefined ? { at: visit.at } : { at: visit.at, contentAge }
}
