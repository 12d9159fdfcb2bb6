import { OptionError } from '../../model/errors.js'
import { DAY, type Seconds } from '../../model/units.js'
import { twoPaceLaws as laws } from '../../numeric/hyperexponential.js'
import { Random } from '../../numeric/random.js'
import { flatClock } from '../../numeric/week-clock.js'
import { autoPolicy } from '../../planner/policy.js'
import { autoLearner } from '../../planner/posterior/learner.js'
import { changesAt } from '../../planner/posterior/likelihoods.js'
import {
  believedBounds,
  expectedFreshness,
  type GroupLaw,
} from '../../planner/posterior/posterior.js'
import { defaultLaw } from '../../planner/prior/default-prior.js'
import { begin, type Mind, PageState, proceed } from '../../planner/step.js'
import type { ChangeProcess, Timeline } from '../process/change-process.js'
import { constantGaps, hyperexponentialGaps, weibullGaps } from '../process/gap-laws.js'
import { powerLawTrend } from '../process/inhomogeneous-poisson.js'
import { poisson } from '../process/poisson.js'
import { Scores } from '../scores.js'

/** Kinds of pages on which the default's bounds are put to the test; the first two are its own family. */
export const calibrationKinds = [
  'poisson',
  'two-pace',
  'weibull-0.5',
  'weibull-2',
  'periodic',
  'trending',
] as const
export type CalibrationKind = (typeof calibrationKinds)[number]

export interface CalibrationOptions {
  readonly kind: CalibrationKind
  readonly pages: number
  readonly seed: number
}

/** Processes know no hour of the week, so the clock is flat here. */
const law: GroupLaw = { masses: defaultLaw.masses, clock: flatClock }
const learner = autoLearner({ law })
/** Visits come at 1 to 3 days, unevenly, so that no periodic page is met in step. */
const meanGap = 2 * DAY
const trendShape = 1.5

/**
 * Share of pages whose true long-run change rate lies within the default's
 * bounds of level 0.9, after each number of observations (ascending). Change
 * rates are drawn from the prior. A trending page's truth is its mean rate
 * over the time sampled.
 */
export function boundsCoverage(
  options: CalibrationOptions & { readonly observations: readonly number[] },
): number[] {
  const covered = options.observations.map(() => 0)
  const memory = new Float64Array(learner.size)
  const seen = { gap: 0, changed: false, contentAge: Number.NaN }
  for (let page = 0; page < options.pages; page++) {
    const random = Random.stream({ seed: options.seed, index: page })
    const { timeline, meanRate } = drawnPage(options.kind, random)
    learner.start(memory, Number.NaN)
    let [at, made] = [0, 0]
    options.observations.forEach((wanted, i) => {
      for (; made < wanted; made++) {
        seen.gap = meanGap * (0.5 + random.uniform())
        at += seen.gap
        seen.changed = timeline.advance(at)
        learner.learn(memory, seen)
      }
      const { low, high } = believedBounds(learner.belief(memory), 0.9, {
        changes: memory[changesAt]!,
      })
      const truth = meanRate(at)
      if (low <= truth && truth <= (high ?? Infinity)) covered[i]! += 1
    })
  }
  return covered.map((count) => count / options.pages)
}

/** The freshness foretold before each gap and the one that came true, of pages visited by the default. */
export function freshnessForetold(
  options: CalibrationOptions & { readonly price: Seconds; readonly length: Seconds },
): { readonly foretold: number; readonly realised: number } {
  const mind: Mind = { learner, policy: autoPolicy({ price: options.price }) }
  const scores = new Scores()
  let foretold = 0
  for (let page = 0; page < options.pages; page++)
    foretold += visited(options, { page, mind, scores })
  return { foretold: foretold / scores.time, realised: scores.freshness }
}

/** Visits one page to the end; gives the fresh time that was foretold. */
function visited(
  { kind, seed, length }: CalibrationOptions & { length: Seconds },
  { page, mind, scores }: { page: number; mind: Mind; scores: Scores },
): number {
  const random = Random.stream({ seed, index: page })
  const { timeline } = drawnPage(kind, random)
  const state = new PageState({ learner, random })
  const seen = { at: 0, gap: 0, changed: false, contentAge: Number.NaN }
  let gap = begin(mind, state, { at: 0, contentAge: Number.NaN })
  let foretold = 0
  for (let from = 0; from < length; ) {
    const to = Math.min(length, from + gap)
    foretold += expectedFreshness(state.belief!, to - from) * (to - from)
    seen.at = to
    seen.gap = to - from
    seen.changed = timeline.advance(to)
    const { firstChange, changes } = timeline
    scores.stretch({ from, to, firstChange, changes, lateFrom: 0 })
    gap = proceed(mind, state, seen)
    from = to
  }
  return foretold
}

/** A page of a kind, its long-run change rate drawn from the prior, anywhere between the grid's steps. */
function drawnPage(
  kind: CalibrationKind,
  random: Random,
): { timeline: Timeline; meanRate: (sampled: Seconds) => number } {
  const index = drawnLaw(kind, random)
  const step = laws.changeRates[1]! / laws.changeRates[0]!
  const jitter = step ** (random.uniform() - 0.5)
  const meanRate = laws.meanRates[index]! * jitter
  if (kind === 'trending') {
    // Over 200 days, the longest time sampled, the mean rate is the one drawn.
    const span = 200 * DAY
    const scale = span / (meanRate * span) ** (1 / trendShape)
    const process = powerLawTrend({ scale, shape: trendShape })
    const mean = (sampled: Seconds) => (sampled / scale) ** trendShape / sampled
    return { timeline: process.timeline({ from: 0, random }), meanRate: mean }
  }
  const process = processOf(kind, { index, period: 1 / meanRate, jitter })
  return { timeline: process.timeline({ from: 0, random }), meanRate: () => meanRate }
}

function processOf(
  kind: CalibrationKind,
  { index, period, jitter }: { index: number; period: Seconds; jitter: number },
): ChangeProcess {
  if (kind === 'poisson') return poisson({ period })
  if (kind === 'weibull-0.5') return weibullGaps({ period, shape: 0.5 })
  if (kind === 'weibull-2') return weibullGaps({ period, shape: 2 })
  if (kind === 'periodic') return constantGaps({ period })
  if (kind !== 'two-pace') throw new OptionError('unknown-process', `there is no "${kind}" here`)
  const phase = (pace: number, share: number) => ({
    share,
    period: 1 / (laws.changeRates[pace]! * jitter),
  })
  const share = laws.share[index]!
  return hyperexponentialGaps({
    phases: [phase(laws.fast[index]!, share), phase(laws.slow[index]!, 1 - share)],
  })
}

/** A law by the prior's masses: of the Poisson ones, of the pairs, or of all. */
function drawnLaw(kind: CalibrationKind, random: Random): number {
  const paces = laws.changeRates.length
  const from = kind === 'two-pace' ? paces : 0
  const to = kind === 'poisson' ? paces : laws.size
  let total = 0
  for (let index = from; index < to; index++) total += law.masses[index]!
  let left = random.uniform() * total
  for (let index = from; index < to - 1; index++) {
    left -= law.masses[index]!
    if (left < 0) return index
  }
  return to - 1
}
