import { OptionError } from '../../model/errors.js'
import type {
  Estimate,
  EstimateOptions,
  Estimator,
  Evidence,
  Verdict,
} from '../../model/estimate.js'
import type { History } from '../../model/history.js'
import type { Learner } from '../../model/policy.js'
import { evidenceOf, nothing, usingUnchangedFor, verdictOf } from './evidence.js'
import {
  censored,
  checkLevel,
  likelihoodBounds,
  mostLikelyRate,
  type Traces,
} from './likelihood.js'

/** One changed and one unchanged gap added to every page's data, in place of a prior. */
export interface PseudoGaps {
  readonly changed: number
  readonly unchanged: number
}

/**
 * Change rate of greatest likelihood for visits at any gaps, seen only as
 * changed or unchanged.
 *
 * Poisson changes. Where the likelihood has no finite peak it gives the
 * papers' substitutes: 1 / all time sampled if nothing changed, 1 / shortest
 * gap if every gap did; the verdict says so and the bounds are the
 * likelihood's own. Five to nine rounds of one exponential a changed gap.
 *
 * Cho & Garcia-Molina 2003; Grimes & Ford eq. 2.
 */
export const irregularMle: Estimator = estimator('irregular-mle', undefined)

/**
 * The same with two pseudo-gaps, which also removes the edge cases: the
 * estimate of a page never visited is the prior's. Grimes & Ford 4.4;
 * estimators/prior fits the gaps.
 */
export function irregularMleWith({ pseudoGaps }: { pseudoGaps: PseudoGaps }): Estimator {
  for (const gap of [pseudoGaps.changed, pseudoGaps.unchanged]) {
    if (!(gap > 0 && gap < Infinity)) {
      throw new OptionError('bad-pseudo-gap', `pseudo-gaps are positive durations; got ${gap}`)
    }
  }
  return estimator('irregular-mle-with-prior', pseudoGaps)
}

function estimator(name: string, pseudoGaps: PseudoGaps | undefined): Estimator {
  return usingUnchangedFor({
    name,
    summary:
      pseudoGaps === undefined
        ? 'most likely rate for visits at any gaps'
        : 'most likely rate for visits at any gaps, with a prior as two pseudo-gaps',
    needsContentAge: false,
    estimate(history: History, options: EstimateOptions = {}): Estimate {
      const level = checkLevel(options.level)
      const evidence = evidenceOf(history)
      const verdict = pseudoGaps === undefined ? verdictOf(evidence) : priorVerdict(evidence)
      if (verdict === 'no-observation') return nothing(name, evidence, verdict)
      const data =
        pseudoGaps === undefined ? censored(history) : extended(censored(history), pseudoGaps)
      const changeRate = substitute(history, verdict) ?? mostLikelyRate(data)
      const bounds = likelihoodBounds(data, { level })
      return { method: name, changeRate, changePeriod: 1 / changeRate, bounds, evidence, verdict }
    },
  })
}

function priorVerdict({ observations }: Evidence): Verdict {
  return observations === 0 ? 'prior-only' : 'ok'
}

function extended({ events, exposure, hidden }: Traces, pseudoGaps: PseudoGaps): Traces {
  const more = new Float64Array(hidden.length + 1)
  more.set(hidden)
  more[hidden.length] = pseudoGaps.changed
  return { events, exposure: exposure + pseudoGaps.unchanged, hidden: more }
}

function substitute(history: History, verdict: Verdict): number | undefined {
  if (verdict === 'no-change-seen') return 1 / evidenceOf(history).samplingPeriod
  if (verdict !== 'always-changed') return undefined
  let shortest = Infinity
  for (const { gap } of history.observations) shortest = Math.min(shortest, gap)
  return 1 / shortest
}

/** Bins of changed gaps in ratios of the square root of two, from a second to 136 years. */
const bins = 64
const unchangedTimeAt = 0
const changes = 1
const shortest = 2
const hiddenTime = 3
/** The last estimate, from which the next one is found in two or three rounds. */
const lastRate = 4
const lowestBin = 5
const highestBin = 6
const first = 7

/**
 * The irregular-gap likelihood in fixed space: unchanged time exactly, changed
 * gaps as counts and sums in 64 bins, each bin then standing at its mean gap.
 * Within 0.5% of the exact estimate (measured in its test). With the papers' substitutes at
 * the edges, or, given pseudo-gaps, with none: the first estimate is the prior's.
 * Learning costs a logarithm, the estimate two or three rounds over the filled bins.
 *
 * Grimes & Ford eq. 2 and 4.4.
 */
export function irregularMleLearner({ pseudoGaps }: { pseudoGaps?: PseudoGaps } = {}): Learner {
  const learner: Learner = {
    name: pseudoGaps === undefined ? 'irregular-mle' : 'irregular-mle-with-prior',
    summary: 'Grimes & Ford eq. 2 in 135 numbers',
    size: first + 2 * bins,
    start(memory) {
      memory.fill(0)
      memory[shortest] = Infinity
      memory[lowestBin] = bins
      if (pseudoGaps === undefined) return
      learner.learn(memory, { gap: pseudoGaps.changed, changed: true, contentAge: Number.NaN })
      learner.learn(memory, { gap: pseudoGaps.unchanged, changed: false, contentAge: Number.NaN })
    },
    learn(memory, { gap, changed }) {
      if (!changed) {
        memory[unchangedTimeAt]! += gap
        return
      }
      const bin = Math.min(bins - 1, Math.max(0, Math.floor(2 * Math.log2(gap))))
      memory[changes]! += 1
      memory[shortest] = Math.min(memory[shortest]!, gap)
      memory[hiddenTime]! += gap
      memory[lowestBin] = Math.min(memory[lowestBin]!, bin)
      memory[highestBin] = Math.max(memory[highestBin]!, bin)
      memory[first + 2 * bin]! += 1
      memory[first + 2 * bin + 1]! += gap
    },
    changePeriod(memory) {
      if (memory[changes] === 0) return memory[unchangedTimeAt]!
      if (memory[unchangedTimeAt] === 0) return memory[shortest]!
      memory[lastRate] = climb(memory)
      return 1 / memory[lastRate]
    },
  }
  return learner
}

/**
 * Newton's steps on the falling, convex derivative of the likelihood, as
 * likelihood.ts takes them gap by gap: from the last estimate, and
 * never below a lower bound of the root, which a step from above can pass.
 */
function climb(memory: Float64Array): number {
  const hidden = memory[hiddenTime]!
  const count = memory[changes]!
  const exposure = memory[unchangedTimeAt]!
  const jensen = (Math.log1p(hidden / exposure) * count) / hidden
  const least = Math.max(count / (exposure + hidden / 2), jensen)
  let rateNow = Math.max(least, memory[lastRate]!)
  for (let round = 0; round < 60; round++) {
    let value = -exposure
    let slope = 0
    for (let bin = memory[lowestBin]!; bin <= memory[highestBin]!; bin++) {
      const many = memory[first + 2 * bin]!
      if (many === 0) continue
      const gap = memory[first + 2 * bin + 1]! / many
      const pull = gap / Math.expm1(rateNow * gap)
      value += many * pull
      slope += many * pull * (pull + gap)
    }
    const next = Math.max(least, rateNow + value / slope)
    const close = Math.abs(next - rateNow) <= 1e-9 * rateNow
    rateNow = next
    if (close) break
  }
  return rateNow
}
