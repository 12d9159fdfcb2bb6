import type { Seconds, UnixSeconds, Verdict } from '../../src/model/index.js'

/** What really happens to the pages of an experiment. */
export type Truth =
  | { readonly kind: 'process'; readonly spec: string }
  /** The changes that were seen on one page, ascending; the first time is the start of watching. */
  | {
      readonly kind: 'record'
      readonly name: string
      readonly times: readonly UnixSeconds[]
      readonly end: UnixSeconds
    }

/** What a person asked for. */
export interface LabRun {
  readonly truth: Truth
  readonly days: number
  /** Pages that each policy visits; a recorded page is only one. */
  readonly pages: number
  readonly seed: number
  readonly policies: readonly string[]
  readonly estimators: readonly string[]
  /** Whose visits the estimators look at. */
  readonly watchedBy: string
  /** Whether servers tell when a page last changed. */
  readonly tellsContentAge: boolean
}

/** What one policy achieved on all pages. */
export interface PolicyRow {
  readonly policy: string
  readonly freshness: number
  /** Mean time by which the copy is behind. */
  readonly copyAge: Seconds
  readonly visitsPerDay: number
  readonly caughtShare: number
  /** Share of visits after the first that found nothing new. */
  readonly needlessShare: number
  /** Freshness of as many visits at equal gaps. */
  readonly fixedFreshness: number
  /** It asked for more visits than the lab makes; scores are of the time until then. */
  readonly cutShort: boolean
}

/** One estimate after so many visits; null where it has no number. */
export interface LabEstimate {
  readonly estimator: string
  readonly changePeriod: Seconds | null
  readonly verdict: Verdict
}

export interface LabPoint {
  readonly visits: number
  readonly at: UnixSeconds
  readonly estimates: readonly LabEstimate[]
}

/** What the worker tells while it runs. */
export type LabMessage =
  | { readonly kind: 'truth'; readonly changePeriod: Seconds; readonly summary: string }
  | { readonly kind: 'row'; readonly row: PolicyRow; readonly share: number }
  | { readonly kind: 'points'; readonly points: readonly LabPoint[] }
  | { readonly kind: 'done'; readonly milliseconds: number; readonly visits: number }
  | { readonly kind: 'failed'; readonly message: string }
