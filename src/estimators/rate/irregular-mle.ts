import type {
  Estimate,
  EstimateOptions,
  Estimator,
  Evidence,
  Verdict,
} from '../../model/estimate.js'
import type { History } from '../../model/history.js'
import type { Learner } from '../../model/policy.js'
import { type GridPrior, typicalPeriod } from '../prior/grid-prior.js'
import { checkedPseudoGaps } from '../prior/rate-prior.js'
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
  return estimator('irregular-mle-with-prior', checkedPseudoGaps(pseudoGaps))
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

/** Bins of changed gaps, four to a doubling, from a second to 136 years. */
const bins = 128
const binsInDoubling = 4
const unchangedTimeAt = 0
const changes = 1
const shortest = 2
const hiddenTime = 3
/** The last estimate, from which the next one is found in two or three rounds. */
const lastRate = 4
const lowestBin = 5
const highestBin = 6
const first = 7

/** What is assumed of a page before it is visited: nothing by default. */
export type LearnerPrior = { readonly pseudoGaps?: PseudoGaps } | { readonly law: GridPrior }

/**
 * The irregular-gap likelihood in fixed space: unchanged time exactly, changed
 * gaps as counts and sums in 128 bins, each bin then standing at its mean gap.
 * Within 0.5% of the exact estimate while the page changes at most three times in
 * the mean changed gap, whatever gaps fill a bin, and 0.3% on random pages (both in its test);
 * beyond, where hardly a visit finds it unchanged, the error grows with the rate. With the papers' substitutes at
 * the edges; given pseudo-gaps, with none: the first estimate is the prior's; given a law,
 * the median of the posterior. The prior is not in the numbers that are kept, so that
 * another one needs no page rewritten.
 * Learning costs a logarithm, the estimate two or three rounds over the filled bins,
 * by a law one round a node.
 *
 * Grimes & Ford eq. 2, 4.3 and 4.4.
 */
export function irregularMleLearner(prior: LearnerPrior = {}): Learner {
  const law = 'law' in prior ? prior.law : undefined
  const pseudoGaps = 'law' in prior ? undefined : prior.pseudoGaps
  if (pseudoGaps !== undefined) checkedPseudoGaps(pseudoGaps)
  return {
    name: 'irregular-mle',
    summary: `Grimes & Ford eq. 2 in ${first + 2 * bins} numbers`,
    size: first + 2 * bins,
    start(memory) {
      memory.fill(0)
      memory[shortest] = Infinity
      memory[lowestBin] = bins
    },
    learn(memory, { gap, changed }) {
      if (!changed) {
        memory[unchangedTimeAt]! += gap
        return
      }
      const bin = Math.min(bins - 1, Math.max(0, Math.floor(binsInDoubling * Math.log2(gap))))
      memory[changes]! += 1
      memory[shortest] = Math.min(memory[shortest]!, gap)
      memory[hiddenTime]! += gap
      memory[lowestBin] = Math.min(memory[lowestBin]!, bin)
      memory[highestBin] = Math.max(memory[highestBin]!, bin)
      memory[first + 2 * bin]! += 1
      memory[first + 2 * bin + 1]! += gap
    },
    changePeriod(memory) {
      if (law !== undefined) return medianPeriod(memory, law)
      if (pseudoGaps === undefined) {
        if (memory[changes] === 0) return memory[unchangedTimeAt]!
        if (memory[unchangedTimeAt] === 0) return memory[shortest]!
      }
      memory[lastRate] = climb(memory, pseudoGaps)
      return 1 / memory[lastRate]
    },
  }
}

/**
 * Newton's steps on the falling, convex derivative of the likelihood, as
 * likelihood.ts takes them gap by gap: from the last estimate, and
 * never below a lower bound of the root, which a step from above can pass.
 */
function climb(
  memory: Float64Array,
  { changed: pseudo, unchanged: more }: PseudoGaps = { changed: 0, unchanged: 0 },
): number {
  const hidden = memory[hiddenTime]! + pseudo
  const count = memory[changes]! + (pseudo > 0 ? 1 : 0)
  const exposure = memory[unchangedTimeAt]! + more
  const jensen = (Math.log1p(hidden / exposure) * count) / hidden
  const least = Math.max(count / (exposure + hidden / 2), jensen)
  let rateNow = Math.max(least, memory[lastRate]!)
  for (let round = 0; round < 60; round++) {
    let value = -exposure
    let slope = 0
    if (pseudo > 0) {
      const pull = pseudo / Math.expm1(rateNow * pseudo)
      value += pull
      slope += pull * (pull + pseudo)
    }
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

/** The median change period by a law and the gaps in a memory; the law's own before any. O(nodes x filled bins). */
function medianPeriod(memory: Float64Array, { periods, masses }: GridPrior): number {
  const after = new Float64Array(periods.length)
  let peak = -Infinity
  for (let node = 0; node < periods.length; node++) {
    const period = periods[node]!
    let log = Math.log(masses[node]!) - memory[unchangedTimeAt]! / period
    for (let bin = memory[lowestBin]!; bin <= memory[highestBin]!; bin++) {
      const many = memory[first + 2 * bin]!
      if (many > 0)
        log += many * Math.log(-Math.expm1(-memory[first + 2 * bin + 1]! / many / period))
    }
    after[node] = log
    peak = Math.max(peak, log)
  }
  // The data contradict every node that the law allows: the law stays.
  if (peak === -Infinity)
    return typicalPeriod({ periods, masses }, { summary: 'median', of: 'period' })
  let total = 0
  for (let node = 0; node < after.length; node++)
    total += after[node] = Math.exp(after[node]! - peak)
  for (let node = 0; node < after.length; node++) after[node]! /= total
  return typicalPeriod({ periods, masses: after }, { summary: 'median', of: 'period' })
}
