import type { Seconds } from '../../model/units.js'
import type { TrendCurve, TrendEstimator } from './trend-curve.js'
import type { WindowState } from './window-rule.js'

/**
 * What a curve is held against:
 *
 * - `one-step-ahead`: the update predicted from the one before it, t_{i-1} + MTBU(t_{i-1}), against
 *   t_i, from the second point on (MTBU(0) does not exist)
 * - `literal`: section 3.5 as printed, MTBU(t_i) against t_i - t_{i-1}. It favours the intuitive
 *   estimator, whose t_i / i already holds the gap it is held against
 */
export type ErrorMeasure = 'one-step-ahead' | 'literal'

interface Held {
  readonly curve: Pick<TrendCurve, 'mtbu'>
  readonly measure?: ErrorMeasure
}

/**
 * Mean of the squared errors of a curve at the points of its window; null
 * where it gives no number at one of them, or there is none to measure. O(n)
 * evaluations.
 *
 * Singh 2007, sections 3.5 and 5.
 */
function meanSquaredError(times: readonly Seconds[], held: Held): number | null {
  const first = firstMeasured(held)
  let squares = 0
  for (let i = first; i < times.length; i++) {
    const error = errorAt(times, i, held)
    if (error === null) return null
    squares += error * error
  }
  const mse = squares / (times.length - first)
  return Number.isFinite(mse) ? mse : null
}

/** One step ahead there is nothing before the first point to predict it from. */
function firstMeasured({ measure }: Held): number {
  return measure === 'literal' ? 0 : 1
}

function errorAt(times: readonly Seconds[], i: number, { curve, measure }: Held): Seconds | null {
  const before = i === 0 ? 0 : times[i - 1]!
  const mtbu = curve.mtbu(measure === 'literal' ? times[i]! : before)
  return mtbu === null ? null : mtbu - (times[i]! - before)
}

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

const states: readonly WindowState[] = ['constant', 'increasing', 'decreasing']

/**
 * Counts over any number of windows, one at a time and none kept, which
 * estimator is nearest: for sets of pages too large to hold. A tie is nobody's
 * win. Each window costs O(estimators x points).
 *
 * Singh 2007, section 5, Tables 1 and 2.
 */
export class EstimatorTally {
  windows = 0
  skipped = 0
  readonly #estimators: readonly TrendEstimator[]
  readonly #measure: ErrorMeasure
  readonly #best: Float64Array
  /** Windows that row i won against column j. */
  readonly #wins: Float64Array
  /** Windows by state, and the errors of estimator i in state s summed. */
  readonly #seen = new Float64Array(states.length)
  readonly #errors: Float64Array
  readonly #mse: Float64Array

  constructor(about: { estimators: readonly TrendEstimator[]; measure: ErrorMeasure }) {
    const n = about.estimators.length
    this.#estimators = about.estimators
    this.#measure = about.measure
    this.#best = new Float64Array(n)
    this.#wins = new Float64Array(n * n)
    this.#errors = new Float64Array(n * states.length)
    this.#mse = new Float64Array(n)
  }

  /** The mean squared error of each estimator, overwritten by the next call; null where one gave none. */
  add({ state, times }: ComparedWindow): Readonly<Float64Array> | null {
    const n = this.#estimators.length
    for (let i = 0; i < n; i++) {
      const curve = this.#estimators[i]!.fit(times)
      const mse = meanSquaredError(times, { curve, measure: this.#measure })
      if (mse === null) {
        this.skipped++
        return null
      }
      this.#mse[i] = mse
    }
    this.windows++
    this.#count(states.indexOf(state))
    return this.#mse
  }

  result(): EstimatorComparison {
    const { windows, skipped } = this
    return { windows, skipped, scores: this.#estimators.map((_, i) => this.#scoreOf(i)) }
  }

  #count(state: number): void {
    const n = this.#estimators.length
    this.#seen[state]!++
    for (let i = 0; i < n; i++) {
      this.#errors[i * states.length + state]! += this.#mse[i]!
      let beaten = 0
      for (let j = 0; j < n; j++) {
        if (!(this.#mse[i]! < this.#mse[j]!)) continue
        this.#wins[i * n + j]!++
        beaten++
      }
      if (beaten === n - 1) this.#best[i]!++
    }
  }

  #scoreOf(of: number): EstimatorScore {
    const n = this.#estimators.length
    const share = (count: number) => (this.windows === 0 ? 0 : count / this.windows)
    const errors = states.map((_, s) => this.#errors[of * states.length + s]!)
    const mean = (total: number, count: number) => (count === 0 ? null : total / count)
    const inState = (s: number) => mean(errors[s]!, this.#seen[s]!)
    const others = this.#estimators.map(({ name }, j) => ({ name, j })).filter(({ j }) => j !== of)
    return {
      name: this.#estimators[of]!.name,
      mse: mean(errors[0]! + errors[1]! + errors[2]!, this.windows),
      mseByState: { constant: inState(0), increasing: inState(1), decreasing: inState(2) },
      bestShare: share(this.#best[of]!),
      beats: Object.fromEntries(
        others.map(({ name, j }) => [name, share(this.#wins[of * n + j]!)]),
      ),
    }
  }
}

/**
 * Fits every estimator to every window and counts which is nearest: the
 * paper's Tables 1 and 2. `EstimatorTally` takes windows one at a time.
 */
export function compareEstimators(
  windows: Iterable<ComparedWindow>,
  about: { readonly estimators: readonly TrendEstimator[]; readonly measure: ErrorMeasure },
): EstimatorComparison {
  const tally = new EstimatorTally(about)
  for (const window of windows) tally.add(window)
  return tally.result()
}
