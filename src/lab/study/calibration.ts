import { OptionError } from '../../model/errors.js'
import { DAY, type Seconds } from '../../model/units.js'
import { hyperexponentialLaws as laws } from '../../numeric/hyperexponential.js'
import { Random } from '../../numeric/random.js'
import { flatClock } from '../../numeric/week-clock.js'
import { autoPolicy } from '../../planner/policy.js'
import { autoLearner } from '../../planner/posterior/learner.js'
import { type GroupChangeLaw, posteriorBounds } from '../../planner/posterior/posterior.js'
import { defaultChangeLaw } from '../../planner/prior/default-prior.js'
import { begin, PageState, type Planner, proceed } from '../../planner/step.js'
import { freshShare } from '../../planner/value/planned-page.js'
import type { ChangeProcess, Timeline } from '../process/change-process.js'
import { constantGaps, hyperexponentialGaps, weibullGaps } from '../process/gap-laws.js'
import { powerLawTrend } from '../process/inhomogeneous-poisson.js'
import { poisson } from '../process/poisson.js'
import { Scores } from '../scores.js'

/** Kinds of pages on which the default's bounds are put to the test; the first two are its own family. */
export const calibrationKinds = [
  'poisson',
  'hyperexponential',
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
const law: GroupChangeLaw = { masses: defaultChangeLaw.masses, clock: flatClock }
const learner = autoLearner({ law })
/** Visits come at 1 to 3 days, unevenly, so that no periodic page is met in step. */
const meanGap = 2 * DAY
const trendShape = 1.5

/**
 * Share of pages whose true long-run change rate lies within the default's
 * bounds of level 0.9, after each number of observations (ascending). Change
 * rates are sampled from the prior. A trending page's truth is its mean rate
 * over the time sampled.
 */
export function boundsCoverage(
  options: CalibrationOptions & { readonly observations: readonly number[] },
): number[] {
  const covered = options.observations.map(() => 0)
  const memory = learner.newMemory()
  const seen = { gap: 0, changed: false, contentAge: Number.NaN }
  for (let page = 0; page < options.pages; page++) {
    const random = Random.stream({ seed: options.seed, index: page })
    const { timeline, meanRate } = sampledPage(options.kind, random)
    learner.start(memory, Number.NaN)
    let [at, made] = [0, 0]
    options.observations.forEach((wanted, i) => {
      for (; made < wanted; made++) {
        seen.gap = meanGap * (0.5 + random.uniform())
        at += seen.gap
        seen.changed = timeline.advance(at)
        learner.learn(memory, seen)
      }
      const changes = learner.changes(memory)
      const { low, high } = posteriorBounds(learner.posterior(memory), 0.9, { changes })
      const truth = meanRate(at)
      if (low <= truth && truth <= (high ?? Infinity)) covered[i]! += 1
    })
  }
  return covered.map((count) => count / options.pages)
}

/** The freshness predicted before each gap and the one that came true, of pages visited by the default. */
export function predictedFreshness(
  options: CalibrationOptions & { readonly price: Seconds; readonly length: Seconds },
): { readonly predicted: number; readonly realised: number } {
  const planner: Planner = { learner, policy: autoPolicy({ price: options.price }) }
  const scores = new Scores()
  let predicted = 0
  for (let page = 0; page < options.pages; page++)
    predicted += visited(options, { page, planner, scores })
  return { predicted: predicted / scores.time, realised: scores.freshness }
}

/** Visits one page to the end; gives the fresh time that was predicted. */
function visited(
  { kind, seed, length }: CalibrationOptions & { length: Seconds },
  { page, planner, scores }: { page: number; planner: Planner; scores: Scores },
): number {
  const random = Random.stream({ seed, index: page })
  const { timeline } = sampledPage(kind, random)
  const state = new PageState({ learner, random })
  const seen = { at: 0, gap: 0, changed: false, contentAge: Number.NaN }
  let gap = begin(planner, state, { at: 0, contentAge: Number.NaN })
  let predicted = 0
  for (let from = 0; from < length; ) {
    const to = Math.min(length, from + gap)
    const stretch = { at: from, gap: to - from, clock: flatClock }
    predicted += freshShare(state.posterior!, stretch) * (to - from)
    seen.at = to
    seen.gap = to - from
    seen.changed = timeline.advance(to)
    const { firstChange, changes } = timeline
    scores.stretch({ from, to, firstChange, changes, lateFrom: 0 })
    gap = proceed(planner, state, seen)
    from = to
  }
  return predicted
}

/** A page of a kind, its long-run change rate drawn from the prior, anywhere between the grid's steps. */
function sampledPage(
  kind: CalibrationKind,
  random: Random,
): { timeline: Timeline; meanRate: (sampled: Seconds) => number } {
  const index = sampledLaw(kind, random)
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
  if (kind !== 'hyperexponential')
    throw new OptionError('unknown-process', `there is no "${kind}" here`)
  const phase = (changeRate: number, share: number) => ({
    share,
    period: 1 / (laws.changeRates[changeRate]! * jitter),
  })
  const share = laws.share[index]!
  return hyperexponentialGaps({
    phases: [phase(laws.fast[index]!, share), phase(laws.slow[index]!, 1 - share)],
  })
}

/** A law by the prior's masses: of the Poisson ones, of the pairs, or of all. */
function sampledLaw(kind: CalibrationKind, random: Random): number {
  const rateCount = laws.changeRates.length
  const from = kind === 'hyperexponential' ? rateCount : 0
  const to = kind === 'poisson' ? rateCount : laws.size
  let total = 0
  for (let index = from; index < to; index++) total += law.masses[index]!
  let left = random.uniform() * total
  for (let index = from; index < to - 1; index++) {
    left -= law.masses[index]!
    if (left < 0) return index
  }
  return to - 1
}
