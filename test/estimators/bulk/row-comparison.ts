import { expect } from 'vitest'
import type { Estimator } from '../../../src/model/estimate.js'
import { expectedEstimate, type PageKind, type RandomPage } from './random-pages.js'

/** Rows of an engine beside what the estimators say of the same pages. */
export class RowComparison {
  readonly verdicts: Record<string, number> = {}
  rateError = 0
  boundError = 0
  readonly #about: { kind: PageKind; estimator: Estimator; level: number; prior: boolean }

  constructor(about: { kind: PageKind; estimator: Estimator; level: number; prior: boolean }) {
    this.#about = about
  }

  // biome-ignore lint/suspicious/noExplicitAny: a row of an engine.
  take(page: RandomPage, row: any): void {
    const { kind, estimator, level, prior } = this.#about
    const expected = expectedEstimate(page, { estimator, level })
    const none = { visits: 0, observations: 0, changes: 0, contentAges: 0 }
    const evidence = expected?.evidence ?? none
    const verdict = expected?.verdict ?? (prior ? 'prior-only' : 'no-observation')
    const { changeRate = null, changePeriod = null, bounds = null } = expected ?? {}
    this.verdicts[verdict] = (this.verdicts[verdict] ?? 0) + 1
    const found = [row.verdict, row.visits, row.observations, row.changes, row.content_ages]
    const ages = kind.lastModified ? evidence.contentAges : 0
    const wanted = [verdict, evidence.visits, evidence.observations, evidence.changes, ages]
    if (found.join() !== wanted.join()) expect({ page, found }).toEqual({ page, found: wanted })
    this.rateError = Math.max(
      this.rateError,
      apart(row.change_rate, changeRate),
      apart(row.change_period, changePeriod),
    )
    const error = Math.max(apart(row.low, bounds?.low), apart(row.high, bounds?.high))
    if (!(error <= 1e-6))
      expect({ page, low: row.low, high: row.high }).toEqual({ page, ...bounds })
    this.boundError = Math.max(this.boundError, error)
  }
}

/** How far apart two numbers are, as a share; infinitely where only one of them is there. */
function apart(one: number | null, other: number | null | undefined): number {
  const missing = other === null || other === undefined
  if (one === null || missing) return one === null && missing ? 0 : Infinity
  return one === other ? 0 : Math.abs(one - other) / Math.abs(other)
}
