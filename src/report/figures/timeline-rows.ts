import type { Outcome, Seconds, UnixSeconds } from '../../model/index.js'
import { ink, muted, seriesColour } from '../frame/palette.js'

/** One visit as a time line shows it. */
export interface TimelineVisit {
  readonly at: UnixSeconds
  readonly outcome: Outcome
  /** Time since the page's last change, where the server told it. */
  readonly contentAge?: Seconds
}

/** How each outcome is shown, from the top. */
export const timelineRows = [
  { name: 'changed', outcomes: ['changed'], colour: seriesColour(1) },
  { name: 'unchanged', outcomes: ['unchanged'], colour: seriesColour(0) },
  { name: 'first visit', outcomes: ['first'], colour: ink },
  { name: 'not seen', outcomes: ['gone', 'failed', 'refused'], colour: muted },
] as const

export function isOneOf(outcomes: readonly Outcome[], outcome: Outcome): boolean {
  return outcomes.includes(outcome)
}
