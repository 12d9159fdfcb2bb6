import type {
  Bounds,
  Estimate,
  EstimateOptions,
  Estimator,
  Evidence,
} from '../../model/estimate.js'
import type { History, Observation } from '../../model/history.js'
import type { Learner } from '../../model/policy.js'
import { brent } from '../../numeric/root.js'
import { chiSquareQuantile } from '../../numeric/special-functions.js'
import { evidenceOf, nothing, usingUnchangedFor, verdictOf } from './evidence.js'
import { checkLevel, holding } from './likelihood.js'

/**
 * How a rate is learned from one observation at a time:
 *
 * - `law-of-large-numbers`: visitRate x changes / (unchanged gaps + slack). Assumes
 *   exponential gaps, where a change is seen with chance rate / (rate + visitRate).
 * - `stochastic-approximation`: y += step x (changed ? visitRate : -y), the same
 *   assumption, no counts kept.
 * - `score`: y moves by how much the observation surprises it; right for any
 *   gaps, and the form used by default.
 */
export type OnlineForm = 'law-of-large-numbers' | 'stochastic-approximation' | 'score'

export interface OnlineOptions {
  readonly form?: OnlineForm
}

/** All that is kept of a page: five numbers, however long its history. */
export interface OnlineState {
  readonly count: number
  readonly changes: number
  readonly samplingPeriod: number
  /** The running estimate of the approximating forms; 0 before any change. */
  readonly running: number
  /** How much the score form knows of the logarithm of the rate: about the number of changes. */
  readonly information: number
}

export const onlineStart: OnlineState = {
  count: 0,
  changes: 0,
  samplingPeriod: 0,
  running: 0,
  information: 0,
}

/** Takes one observation in. Constant time and memory. */
export function onlineStep(
  state: OnlineState,
  { gap, changed }: Pick<Observation, 'gap' | 'changed'>,
  { form = 'score' }: OnlineOptions = {},
): OnlineState {
  const next = {
    ...state,
    count: state.count + 1,
    changes: state.changes + (changed ? 1 : 0),
    samplingPeriod: state.samplingPeriod + gap,
  }
  if (form === 'law-of-large-numbers') return next
  return form === 'score'
    ? byScore(next, { gap, changed })
    : { ...next, running: bySteps(next, changed) }
}

/** The change rate that the state stands for; 0 before any change. */
export function onlineRate(state: OnlineState, { form = 'score' }: OnlineOptions = {}): number {
  if (state.changes === 0) return 0
  return form === 'law-of-large-numbers' ? byLargeNumbers(state, state.changes) : state.running
}

/** Slack of 1 keeps the rate finite while every gap saw a change. Avrachenkov, Patil & Thoppe 2020. */
function byLargeNumbers({ count, samplingPeriod }: OnlineState, changes: number): number {
  return ((count / samplingPeriod) * changes) / (count - changes + 1)
}

/** Robbins-Monro with steps (k + 1)^-0.75. Avrachenkov, Patil & Thoppe 2020. */
function bySteps({ count, samplingPeriod, running }: OnlineState, changed: boolean): number {
  const step = (count + 1) ** -0.75
  return running + step * (changed ? count / samplingPeriod : -running)
}

/**
 * A Newton step on the logarithm of the rate, with this gap's score over all
 * the information so far: x = rate gap gives score x/(e^x - 1) for a change,
 * -x for none, and information x^2/(e^x - 1). No step
 * leaves the positive numbers.
 */
function byScore(
  state: OnlineState,
  { gap, changed }: { gap: number; changed: boolean },
): OnlineState {
  if (state.running === 0)
    return changed ? { ...state, running: firstRate(state), information: 1 } : state
  const x = Math.min(state.running * gap, 700)
  const pull = x > 0 ? x / Math.expm1(x) : 1
  const information = state.information + x * pull
  const step = (changed ? pull : -x) / information
  return {
    ...state,
    information,
    running: state.running * Math.exp(Math.max(-2, Math.min(2, step))),
  }
}

/** One change in all the time so far, as the bias-reduced form would count it. */
function firstRate({ count, samplingPeriod }: OnlineState): number {
  return (Math.log((count + 0.5) / (count - 0.5)) * count) / samplingPeriod
}

/** The online estimate of a whole history, observation by observation. */
export function onlineWith(options: OnlineOptions = {}): Estimator {
  const { form = 'score' } = options
  const name = form === 'score' ? 'online' : `online-${form}`
  return usingUnchangedFor({
    name,
    summary: `constant memory, one observation at a time (${form.replaceAll('-', ' ')})`,
    needsContentAge: false,
    estimate(history: History, estimateOptions: EstimateOptions = {}): Estimate {
      const level = checkLevel(estimateOptions.level)
      const evidence = evidenceOf(history)
      const verdict = verdictOf(evidence)
      if (verdict === 'no-observation') return nothing(name, evidence, verdict)
      let state = onlineStart
      for (const observation of history.observations)
        state = onlineStep(state, observation, { form })
      const changeRate = onlineRate(state, { form })
      return {
        method: name,
        changeRate,
        changePeriod: changeRate > 0 ? 1 / changeRate : null,
        bounds: holding(shareBounds(evidence, { level, form }), changeRate),
        evidence,
        verdict,
      }
    },
  })
}

export const online: Estimator = onlineWith()

/**
 * Bounds that five numbers allow: likelihood bounds of the share of gaps that
 * saw a change, turned into a rate as if gaps were all alike (or, for the
 * published forms, exponential).
 */
function shareBounds(
  { observations: n, changes: k, samplingPeriod }: Evidence,
  options: { level: number; form: OnlineForm },
): Bounds {
  const cut = chiSquareQuantile(options.level, { freedom: 1 }) / 2
  const weighed = (count: number, share: number) => (count === 0 ? 0 : count * Math.log(share))
  const logFit = (share: number) => weighed(k, share) + weighed(n - k, 1 - share)
  const excess = (share: number) => logFit(share) - logFit(k / n) + cut
  const lowShare = k === 0 ? 0 : brent(excess, { low: 1e-300, high: k / n })
  const highShare = k === n ? 1 : brent(excess, { low: k / n, high: 1 - 1e-16 })
  const perGap = (share: number) =>
    options.form === 'score' ? -Math.log1p(-share) : share / (1 - share)
  const toRate = (share: number) => (perGap(share) * n) / samplingPeriod
  return {
    low: toRate(lowShare),
    high: highShare === 1 ? null : toRate(highShare),
    level: options.level,
  }
}

/** The online estimate as a learner, in five numbers; no change seen gives the time sampled. */
export function onlineLearner({ form = 'score' }: { readonly form?: OnlineForm } = {}): Learner {
  return {
    name: form === 'score' ? 'online' : `online-${form}`,
    summary: `one observation at a time (${form.replaceAll('-', ' ')}), in five numbers`,
    size: 5,
    start(memory) {
      memory.fill(0)
    },
    learn(memory, seen) {
      write(memory, onlineStep(stateIn(memory), seen, { form }))
    },
    changePeriod(memory) {
      const changeRate = onlineRate(stateIn(memory), { form })
      return changeRate > 0 ? 1 / changeRate : memory[2]!
    },
  }
}

function stateIn(memory: Float64Array): OnlineState {
  return {
    count: memory[0]!,
    changes: memory[1]!,
    samplingPeriod: memory[2]!,
    running: memory[3]!,
    information: memory[4]!,
  }
}

function write(memory: Float64Array, state: OnlineState): void {
  memory[0] = state.count
  memory[1] = state.changes
  memory[2] = state.samplingPeriod
  memory[3] = state.running
  memory[4] = state.information
}
