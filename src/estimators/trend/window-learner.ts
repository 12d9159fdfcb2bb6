import type { Learner } from '../../model/policy.js'
import { consistentWindows } from './consistent-windows.js'
import type { TrendEstimator } from './trend-curve.js'
import { weibullTrend } from './weibull.js'
import type { WindowOptions } from './window-rule.js'
import { type StateRule, windowState } from './window-state.js'

/** Update points kept; the latest consistent window is seldom longer. */
const kept = 24
const now = 0
const count = 1
const changes = 2
/** The fitted change rate of the latest window, and its origin: expected exponent (t / at)^exponent / t. */
const origin = 3
const exponent = 4
const lawAt = 5
const expected = 6
/** alpha where the change rate is falling, else 1; 0 where no law could be fitted. */
const bound = 7
/** The change before the oldest kept point, where the series starts. */
const seriesOrigin = 8
const first = 9

export interface WindowLearnerOptions {
  /** Weibull by maximum likelihood by default. */
  readonly estimator?: TrendEstimator
  /** Share of the mean time to wait where the change rate is falling; 0.7 by default. */
  readonly alpha?: number
  /**
   * What follows a visit that found nothing new, which the paper leaves open:
   * wait by the curve as it stands then, or as long as after the update.
   */
  readonly afterPremature?: 'wait-by-curve' | 'same-wait'
  readonly windows?: WindowOptions
  /** What a window's state goes by, and so whether alpha holds. Default: fit. */
  readonly state?: StateRule
}

/**
 * The time to the next update, by the latest consistent window of the last 24
 * update points. Before three updates it is the time sampled over the changes.
 * A change costs a pass over the kept points, a visit without one nothing.
 *
 * Singh 2007, sections 4 and 5.
 */
export function consistentWindowLearner(options: WindowLearnerOptions = {}): Learner {
  const {
    estimator = weibullTrend(),
    alpha = 0.7,
    afterPremature = 'wait-by-curve',
    state: rule = 'fit',
  } = options
  const windows: WindowOptions = { direction: 'backward', ...options.windows }

  function refit(memory: Float64Array): void {
    const times = memory.subarray(first, first + memory[count]!)
    const points = Array.from(times, (at) => ({
      at,
      kind: 'mid-gap' as const,
      after: at,
      seenAt: at,
    }))
    const window = consistentWindows({ origin: memory[seriesOrigin]!, points }, windows).at(-1)
    const curve = window === undefined ? null : estimator.fit(window.times)
    const law = curve?.law ?? null
    // The curve's own rate: Duane's mean since the origin is the law's over its exponent.
    const rateNow = law === null ? null : curve!.changeRate(law.at)
    memory[bound] = 0
    if (law === null || rateNow === null || window === undefined) return
    const whole = { times: points.map(({ at }) => at - memory[seriesOrigin]!) }
    const { state } = windowState(window, { rule, whole })
    memory[bound] = state === 'decreasing' ? alpha : 1
    memory[origin] = window.origin
    memory[exponent] = law.exponent
    memory[lawAt] = law.at
    memory[expected] = (rateNow * law.at) / law.exponent
  }

  return {
    name: 'consistent-window',
    summary: 'Singh: the next update by the latest consistent window, in 33 numbers',
    size: first + kept,
    start(memory) {
      memory.fill(0)
    },
    learn(memory, { gap, changed, contentAge }) {
      memory[now]! += gap
      if (!changed) return
      memory[changes]! += 1
      const changeAge = contentAge >= 0 && contentAge < gap ? contentAge : gap / 2
      append(memory, memory[now]! - changeAge)
      refit(memory)
    },
    changePeriod(memory) {
      const plain = memory[changes] === 0 ? memory[now]! : memory[now]! / memory[changes]!
      if (memory[bound] === 0) return plain
      const last = memory[first + memory[count]! - 1]!
      const t = (afterPremature === 'same-wait' ? last : memory[now]!) - memory[origin]!
      const changeRate =
        (memory[expected]! * memory[exponent]! * (t / memory[lawAt]!) ** memory[exponent]!) / t
      const wait = memory[bound]! / changeRate
      return wait > 0 && wait < Infinity ? wait : plain
    },
  }
}

/** Appends an update point, dropping the oldest when full; points strictly ascend. */
function append(memory: Float64Array, at: number): void {
  const last = memory[count]! === 0 ? memory[seriesOrigin]! : memory[first + memory[count]! - 1]!
  if (!(at > last)) return
  if (memory[count] === kept) {
    memory[seriesOrigin] = memory[first]!
    memory.copyWithin(first, first + 1, first + kept)
    memory[count] = kept - 1
  }
  memory[first + memory[count]!] = at
  memory[count]! += 1
}
