import type { Seconds } from '../../model/index.js'
import { mean } from '../../numeric/index.js'
import { type ErrorMeasure, predictionError } from './prediction-error.js'
import type { TrendEstimator } from './trend-curve.js'
import type { WindowState } from './window-rule.js'

/** The part of a window that a comparison needs. */
export interface ComparedWindow {
  readonly state: WindowState
  readonly times: readonly Seconds[]
}

/** How one estimator did on many windows. */
export interface EstimatorScore {
  readonly name: string
  /** Mean over windows of the mean squared error (Table 1), in all and by state; null: no window. */
  readonly mse: number | null
  readonly mseByState: Readonly<Record<WindowState, number | null>>
  /** Share of windows in which no other is as good (Table 2, "Rest"). */
  readonly bestShare: number
  /** Share of windows in which it beats each other one (Table 2). */
  readonly beats: Readonly<Record<string, number>>
}

export interface EstimatorComparison {
  /** Windows in which every estimator gave numbers; only these count. */
  readonly windows: number
  readonly skipped: number
  readonly scores: readonly EstimatorScore[]
}

/**
 * Fits every estimator to every window and counts which is nearest: the
 * paper's Tables 1 and 2. A tie is nobody's win. O(estimators x points).
 *
 * Singh 2007, section 5.
 */
export function compareEstimators(
  windows: readonly ComparedWindow[],
  {
    estimators,
    measure,
  }: { readonly estimators: readonly TrendEstimator[]; readonly measure: ErrorMeasure },
): EstimatorComparison {
  const rows = windows.flatMap((window) => {
    const mse = estimators.map(
      (each) =>
        predictionError(window.times, { curve: each.fit(window.times), measure })?.mse ?? null,
    )
    return mse.every((x) => x !== null) ? [{ state: window.state, mse }] : []
  })
  const scores = estimators.map((each, i) => scoreOf(rows, { estimators, of: i, name: each.name }))
  return { windows: rows.length, skipped: windows.length - rows.length, scores }
}

interface Row {
  readonly state: WindowState
  readonly mse: readonly number[]
}

function scoreOf(
  rows: readonly Row[],
  { estimators, of, name }: { estimators: readonly TrendEstimator[]; of: number; name: string },
): EstimatorScore {
  const share = (wins: (row: Row) => boolean) =>
    rows.length === 0 ? 0 : rows.filter(wins).length / rows.length
  const mseOf = (chosen: readonly Row[]) =>
    chosen.length === 0 ? null : mean(chosen.map((row) => row.mse[of]!))
  const inState = (state: WindowState) => mseOf(rows.filter((row) => row.state === state))
  const others = estimators.map((other, j) => ({ name: other.name, j })).filter(({ j }) => j !== of)
  const ahead = (row: Row, j: number) => row.mse[of]! < row.mse[j]!
  return {
    name,
    mse: mseOf(rows),
    mseByState: {
      constant: inState('constant'),
      increasing: inState('increasing'),
      decreasing: inState('decreasing'),
    },
    bestShare: share((row) => others.every(({ j }) => ahead(row, j))),
    beats: Object.fromEntries(
      others.map((other) => [other.name, share((row) => ahead(row, other.j))]),
    ),
  }
}
