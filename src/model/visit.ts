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
  /** What the server said in Last-Modified, believed or not. */
  readonly lastModified?: UnixSeconds
  /** How long after the successful visit before the page had not changed, by a list that proved right. */
  readonly calmFor?: Seconds
  /** Where the visit was read from, so that an error can name it. */
  readonly line?: number
}

/** Whether the page's content was seen, so that the next visit can be compared with this one. */
export function succeeded(outcome: Outcome): boolean {
  return outcome === 'changed' || outcome === 'unchanged' || outcome === 'first'
}
