import { humanTime } from './duration.js'
import { InputError } from './errors.js'
import type { Seconds, UnixSeconds } from './units.js'

/**
 * How one attempt ended. `first` has nothing to be compared with; `gone`,
 * `failed` and `refused` tell nothing about change.
 */
export const outcomes = ['changed', 'unchanged', 'first', 'gone', 'failed', 'refused'] as const
export type Outcome = (typeof outcomes)[number]

/** One attempt to see a page. */
export interface Visit {
  readonly at: UnixSeconds
  readonly outcome: Outcome
  /** What the server said in Last-Modified, believable or not. */
  readonly lastModified?: UnixSeconds
  /** How long after the successful visit before the page had not changed, by a list that proved right. */
  readonly unchangedFor?: Seconds
  /** Where the visit was read from, so that an error can name it. */
  readonly line?: number
}

/** Whether the page's content was seen, so that the next visit can be compared with this one. */
export function succeeded(outcome: Outcome): boolean {
  return outcome === 'changed' || outcome === 'unchanged' || outcome === 'first'
}

/** Why a visit cannot have been at its time; the text is made only when asked for. */
export interface TimeFault {
  readonly code: 'bad-time' | 'time-not-forward' | 'time-in-future'
  readonly message: () => string
}

/**
 * The one rule for the times of a page's visits: finite, after the visit
 * before, and not in the future. Undefined where a time keeps it. A value and
 * not an error, so that a reader of many lines can skip and count.
 */
export function visitTimeFault(
  at: UnixSeconds,
  { after, now }: { readonly after: UnixSeconds; readonly now: UnixSeconds },
): TimeFault | undefined {
  if (at > after && at <= now && at !== Infinity) return undefined
  if (!Number.isFinite(at))
    return { code: 'bad-time', message: () => 'the time of this visit is not a finite number' }
  if (at > now)
    return {
      code: 'time-in-future',
      message: () => `this visit (${humanTime(at)}) lies in the future`,
    }
  return { code: 'time-not-forward', message: () => notForward(at, { before: after }) }
}

function notForward(at: UnixSeconds, { before }: { before: UnixSeconds }): string {
  const relation = at === before ? 'at the same time as' : 'before'
  return `this visit (${humanTime(at)}) is ${relation} the one that precedes it (${humanTime(before)}); visits of a page must go forward in time`
}

/** What two successive successful visits tell. */
export interface Observation {
  readonly at: UnixSeconds
  /** Time since the successful visit before; always positive. */
  readonly gap: Seconds
  readonly changed: boolean
  /** Time since the page last changed, if the server reported a believable one. */
  readonly contentAge?: Seconds
  /** How long after the gap's start the page is known not to have changed, by a list that proved right. */
  readonly unchangedFor?: Seconds
}

/** Servers give dates to the second, and clocks differ a little. */
export const clockSlack: Seconds = 2

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
  const { at, unchangedFor } = visit
  const seen = contentAge === undefined ? { at, gap, changed } : { at, gap, changed, contentAge }
  return unchangedFor === undefined ? seen : withUnchangedFor(seen, unchangedFor)
}

/**
 * An observation with what is known of its gap's beginning, unless that cannot
 * be: an unchanged time as long as the gap, of a page that did not change, or beyond the
 * change that Last-Modified tells.
 */
export function withUnchangedFor(seen: Observation, unchangedFor: Seconds): Observation {
  const { gap, changed, contentAge = 0 } = seen
  if (!(changed && unchangedFor > 0 && unchangedFor < gap)) return seen
  return contentAge > gap - unchangedFor + clockSlack ? seen : { ...seen, unchangedFor }
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

/**
 * A history in which every gap with an unchanged beginning is two: unchanged for so
 * long, then the rest with the change. For methods that know only changed or
 * unchanged: to them a list that reported no change is one more visit that saw
 * none. Without such gaps it is the history itself. O(n).
 */
export function splitUnchanged<H extends History>(history: H): H {
  if (!history.observations.some(hasUnchangedFor)) return history
  return { ...history, observations: history.observations.flatMap(unchangedParts) }
}

/** One observation as one or two that say no more than changed or unchanged. */
export function unchangedParts(observation: Observation): Observation[] {
  if (!hasUnchangedFor(observation)) return [observation]
  const { unchangedFor, ...seen } = observation
  const rest = seen.gap - unchangedFor
  const reported = seen.contentAge
  return [
    { at: seen.at - rest, gap: unchangedFor, changed: false },
    // Clocks differ a little: the change came after the unchanged time.
    {
      ...seen,
      gap: rest,
      ...(reported === undefined ? {} : { contentAge: Math.min(reported, rest) }),
    },
  ]
}

/** Not where one of the two would be lost in the rounding of times. */
function hasUnchangedFor(
  seen: Observation,
): seen is Observation & { readonly unchangedFor: number } {
  const { at, gap, changed, unchangedFor } = seen
  if (unchangedFor === undefined || !changed) return false
  const unchangedUntil = at - (gap - unchangedFor)
  return unchangedFor > 0 && unchangedFor < gap && unchangedUntil > at - gap && unchangedUntil < at
}

/** How much of a gap is known to be without change. */
export function unchangedTimeOf(seen: Observation): Seconds {
  if (!seen.changed) return seen.gap
  return hasUnchangedFor(seen) ? seen.unchangedFor : 0
}

/** When one page really changed, as somebody recorded it: the truth that a replay visits. */
export interface RecordedChanges {
  readonly id: string
  /** Pages of one source share a clock and a recorder. */
  readonly source: string
  /** Start of the record; it is not a change. */
  readonly from: UnixSeconds
  readonly until: UnixSeconds
  /** How often the recorder looked; 0 where times are exact. */
  readonly cadence: Seconds
  /** Change times after `from`, ascending. */
  readonly changes: Float64Array
}
