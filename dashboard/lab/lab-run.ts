import type { Verdict } from '../../src/model/estimate.js'
import type { Seconds, UnixSeconds } from '../../src/model/units.js'

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
  /** The fastest page changes so many times as often as the slowest; 1 for pages that are all alike. */
  readonly spread: number
  /** What every policy is held to; null lets each visit as often as it asks for. */
  readonly visitsPerDay: number | null
  readonly seed: number
  readonly policies: readonly string[]
  readonly estimators: readonly string[]
  /** Whose visits the estimators use. */
  readonly watchedBy: string
  /** Whether servers tell when a page last changed. */
  readonly reportsContentAge: boolean
}

/** Tried before anything is chosen: unlike pages, and as many visits for each policy. */
export const firstRun: LabRun = {
  truth: { kind: 'process', spec: 'poisson:period=2d' },
  days: 120,
  pages: 100,
  spread: 100,
  visitsPerDay: 1,
  seed: 1,
  policies: ['auto', 'fixed', 'malcolm-armitage', 'grimes-ford', 'nutch'],
  estimators: ['intuitive', 'bias-reduced', 'irregular-mle'],
  watchedBy: 'malcolm-armitage',
  reportsContentAge: false,
}

/** What one policy achieved on all pages. */
export interface PolicyRow {
  readonly policy: string
  readonly freshness: number
  /** Mean time by which the copy is behind. */
  readonly copyAge: Seconds
  /** Of a page, its first one left out. */
  readonly visitsPerDay: number
  readonly caughtShare: number
  /** Share of visits after the first that found nothing new. */
  readonly needlessShare: number
  /** Freshness of as many visits at equal gaps. */
  readonly fixedFreshness: number
  /** No scale of its gaps comes to the visits that the others make. */
  readonly offBudget: boolean
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

/** What the worker sends while it runs. */
export type LabMessage =
  | { readonly kind: 'truth'; readonly changePeriod: Seconds; readonly summary: string }
  | { readonly kind: 'row'; readonly row: PolicyRow; readonly share: number }
  | { readonly kind: 'points'; readonly points: readonly LabPoint[] }
  | { readonly kind: 'done'; readonly milliseconds: number; readonly visits: number }
  | { readonly kind: 'failed'; readonly message: string }
