import type { Seconds, UnixSeconds } from '../model/units.js'
import { begin, type PageState, type Planner, proceed } from '../planner/step.js'
import type { Timeline } from './process/change-process.js'
import type { Scores } from './scores.js'

/** What a server tells of a page's last change: a content age, or NaN for nothing believable. */
export type AgeReporter = (timeline: Timeline, at: UnixSeconds) => Seconds

export const reportsNothing: AgeReporter = () => Number.NaN
export const reportsTruth: AgeReporter = (timeline, at) => at - timeline.lastChange

export interface VisitLoop {
  readonly timeline: Timeline
  readonly from: UnixSeconds
  readonly until: UnixSeconds
  readonly contentAge?: AgeReporter
  /** Every gap the policy asks for is made so many times as long; 1 by default. */
  readonly stretch?: number
  /** Scores count as late from so long after the start. */
  readonly warmUp?: Seconds
  /** Gives up, scores unfinished, after so many visits: a policy may ask for ever shorter gaps. */
  readonly maxVisits?: number
}

/**
 * Visits one page from its first visit to the end of time, by the same
 * `begin` and `proceed` that the planner's step is made of. Nothing is
 * allocated per visit. False if it gave up.
 */
export function visitPage(
  planner: Planner,
  state: PageState,
  scores: Scores,
  loop: VisitLoop,
): boolean {
  const {
    timeline,
    from,
    until,
    contentAge = reportsNothing,
    stretch = 1,
    warmUp = 0,
    maxVisits = Infinity,
  } = loop
  const seen = { at: from, gap: 0, changed: false, contentAge: Number.NaN }
  const span = { from, to: from, firstChange: Infinity, changes: 0, lateFrom: from + warmUp }
  scores.begin()
  let planned = begin(planner, state, { at: from, contentAge: contentAge(timeline, from) })
  for (;;) {
    state.plannedGap = planned
    const to = span.from + planned * stretch
    const more = to <= until
    span.to = more ? to : until
    seen.changed = timeline.advance(span.to)
    span.firstChange = timeline.firstChange
    span.changes = timeline.changes
    scores.stretch(span)
    if (!more) return true
    scores.visit(seen.changed)
    if (state.visits >= maxVisits) return false
    seen.at = to
    seen.gap = to - span.from
    seen.contentAge = contentAge(timeline, to)
    span.from = to
    planned = proceed(planner, state, seen)
  }
}
