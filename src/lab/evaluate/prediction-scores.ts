import { biasReducedLearner } from '../../estimators/rate/bias-reduced.js'
import {
  detectionGapLearner,
  detectionGapUncorrectedLearner,
} from '../../estimators/rate/detection-gap.js'
import { intuitiveLearner } from '../../estimators/rate/intuitive.js'
import { irregularMleLearner } from '../../estimators/rate/irregular-mle.js'
import { lastModifiedLearner } from '../../estimators/rate/last-modified.js'
import { malcolmArmitageLearner } from '../../estimators/rate/malcolm-armitage.js'
import { meanContentAgeLearner } from '../../estimators/rate/mean-content-age.js'
import { onlineLearner } from '../../estimators/rate/online.js'
import { consistentWindowLearner } from '../../estimators/trend/window-learner.js'
import { DAY, type Seconds, type UnixSeconds } from '../../model/units.js'
import { Random } from '../../numeric/random.js'
import { type AgeReporter, reportsNothing, reportsTruth } from '../visit-loop.js'
import type { ReplayCollection } from './collection.js'
import {
  autoAloneForecaster,
  autoForecaster,
  type Forecaster,
  type GroupForecaster,
  groupPosteriorForecaster,
  poissonForecaster,
  posteriorForecaster,
  widePosteriorForecaster,
} from './forecasters.js'
import {
  changeLawsElsewhere,
  learnersElsewhere,
  ratePriorsElsewhere,
} from './leave-one-out-priors.js'
import { PageReplay } from './policy-replay.js'

/** One row of the scores: who predicts, for each source. */
type ForecasterKind = { readonly name: string } & (
  | { readonly grouped: false; readonly forSource: (source: number) => Forecaster }
  /** Learns from its own group as it goes: made anew at each call. */
  | { readonly grouped: true; readonly forSource: (source: number) => GroupForecaster }
)

/** Everyone who can give a chance, the default last. What is learned beforehand is learned on the other sources. */
function forecasterKinds(
  collection: ReplayCollection,
  about: { readonly perDay: number; readonly seed: number; readonly lastModified?: boolean },
): ForecasterKind[] {
  const { perDay, seed, lastModified = false } = about
  const gap = DAY / perDay
  const withPrior = learnersElsewhere({ collection, perDay, run: { seed, warmUp: 0 } })
  const laws = changeLawsElsewhere(collection)
  const priors = ratePriorsElsewhere(collection, { gap })
  const plain = [
    ...countingLearners,
    ...(lastModified ? [meanContentAgeLearner, lastModifiedLearner] : []),
  ].map(poissonForecaster)
  return [
    ...[...plain, widePosteriorForecaster(gap)].map(everywhere),
    alone((source) => ({
      ...poissonForecaster(withPrior(source)),
      name: 'irregular-mle-with-prior',
    })),
    alone((source) => posteriorForecaster(priors(source), gap)),
    inGroups((source) => groupPosteriorForecaster(priors(source), gap)),
    alone((source) => autoAloneForecaster(laws(source))),
    inGroups((source) => autoForecaster(laws(source))),
  ]
}

/** Learners that need to be given nothing but changed or not. */
const countingLearners = [
  intuitiveLearner,
  biasReducedLearner,
  detectionGapLearner,
  detectionGapUncorrectedLearner,
  malcolmArmitageLearner,
  irregularMleLearner(),
  onlineLearner(),
  onlineLearner({ form: 'law-of-large-numbers' }),
  onlineLearner({ form: 'stochastic-approximation' }),
  consistentWindowLearner(),
]

function everywhere(forecaster: Forecaster): ForecasterKind {
  return { name: forecaster.name, grouped: false, forSource: () => forecaster }
}

function alone(forSource: (source: number) => Forecaster): ForecasterKind {
  return { name: forSource(0).name, grouped: false, forSource }
}

function inGroups(forSource: (source: number) => GroupForecaster): ForecasterKind {
  return { name: forSource(0).name, grouped: true, forSource }
}

/** A group's law is learned anew after a day, then each time half as much time again has passed. */
const firstDay = 1
const growth = 1.5

/** On which mornings laws are learned anew; asked day by day. */
export class Relearning {
  #next = firstDay

  isTime(day: number): boolean {
    if (day < this.#next) return false
    this.#next = Math.ceil(day * growth)
    return true
  }
}

/** What was predicted of one visit, and what it then saw. */
export interface Forecast {
  readonly page: number
  readonly at: UnixSeconds
  /** Observations of the page before this one. */
  readonly before: number
  readonly chance: number
  readonly changed: boolean
}

/** One log for everyone: every page visited at even gaps, whatever anyone predicts. */
interface EvenLog {
  readonly gap: Seconds
  /** Whether pages tell when they last changed. */
  readonly lastModified?: boolean
}

/** Predicts each visit of one page from its visits before. */
export function* pageForecasts(
  collection: ReplayCollection,
  { page, forecaster, ...log }: EvenLog & { page: number; forecaster: Forecaster },
): Generator<Forecast> {
  yield* new PredictedPage(collection, { ...log, page, forecaster }).before(Infinity)
}

/**
 * Predicts each visit of the pages of a group, day by day as a crawler runs:
 * on some mornings what such pages are like is learned anew, from visits
 * before that morning alone. The forecasts of a day need none of each other.
 */
export function* groupForecasts(
  collection: ReplayCollection,
  {
    pages,
    forecaster,
    ...log
  }: EvenLog & { pages: readonly number[]; forecaster: GroupForecaster },
): Generator<Forecast> {
  const group = pages.map((page) => new PredictedPage(collection, { ...log, page, forecaster }))
  const relearning = new Relearning()
  for (let day = 0; day * DAY < collection.length; day++) {
    if (relearning.isTime(day)) relearn(group, forecaster)
    for (const page of group) yield* page.before((day + 1) * DAY)
  }
  for (const page of group) yield* page.before(Infinity)
}

function relearn(group: readonly PredictedPage[], forecaster: GroupForecaster): void {
  const seen = group.filter((page) => page.visits > 0)
  if (seen.length > 0) forecaster.relearn(seen.map((page) => page.memory))
}

/** One page, predicted visit by visit. */
class PredictedPage {
  readonly memory: Float64Array
  visits = 0
  #begun = false
  readonly #page: number
  readonly #forecaster: Forecaster
  readonly #timeline: PageReplay
  readonly #reporter: AgeReporter
  readonly #until: UnixSeconds
  readonly #seen: { at: UnixSeconds; gap: Seconds; changed: boolean; contentAge: Seconds }

  constructor(
    collection: ReplayCollection,
    { page, forecaster, gap, lastModified }: EvenLog & { page: number; forecaster: Forecaster },
  ) {
    this.#page = page
    this.#forecaster = forecaster
    this.#timeline = new PageReplay(collection, page)
    this.#reporter = lastModified ? reportsTruth : reportsNothing
    this.#until = collection.until[page]!
    this.#seen = { at: collection.from[page]!, gap, changed: false, contentAge: Number.NaN }
    this.memory = new Float64Array(forecaster.size)
  }

  /** The visits before some time that are still to come. */
  *before(end: UnixSeconds): Generator<Forecast> {
    const seen = this.#seen
    if (seen.at >= end) return
    if (!this.#begun) this.#forecaster.start(this.memory, this.#reporter(this.#timeline, seen.at))
    this.#begun = true
    for (let at = seen.at + seen.gap; at <= this.#until && at < end; at += seen.gap) {
      seen.at = at
      const chance = this.#forecaster.chance(this.memory, seen)
      seen.changed = this.#timeline.advance(at)
      seen.contentAge = this.#reporter(this.#timeline, at)
      this.#forecaster.learn(this.memory, seen)
      yield { page: this.#page, at, before: this.visits++, chance, changed: seen.changed }
    }
  }
}

/** No chance is nearer to 0 or 1 than this: one bad surprise is not to decide. */
const sure = 1e-3
/** So many observations of each page are counted apart. */
const early = 10

/** Mean of -ln(chance given to what was then seen). */
interface LogLosses {
  /** Of all observations, each page's first ten, and the rest. */
  readonly logLoss: number
  readonly firstTen: number
  readonly later: number
  readonly observations: number
}

/** Adds up the logarithmic loss of forecasts. */
export function logLosses(forecasts: Iterable<Forecast>): LogLosses {
  const loss = [0, 0]
  const count = [0, 0]
  for (const { before, chance, changed } of forecasts) {
    const part = before < early ? 0 : 1
    const bounded = Math.min(1 - sure, Math.max(sure, chance))
    loss[part]! -= Math.log(changed ? bounded : 1 - bounded)
    count[part]! += 1
  }
  const mean = (total: number, of: number) => (of > 0 ? total / of : 0)
  const observations = count[0]! + count[1]!
  return {
    logLoss: mean(loss[0]! + loss[1]!, observations),
    firstTen: mean(loss[0]!, count[0]!),
    later: mean(loss[1]!, count[1]!),
    observations,
  }
}

/** How well one estimator predicts whether the next visit sees a change. */
export interface PredictionRow extends LogLosses {
  readonly estimator: string
  /** Visits a page and day: all estimators use the same visits, at even gaps. */
  readonly perDay: number
  /** Pages that were scored: all, or a seeded choice where there would be too many observations. */
  readonly pages: number
}

/** Beyond so many observations only some of the pages are scored: the same for everyone. */
const mostObservations = 1_500_000

/**
 * Logarithmic loss of every estimator on one shared log: each page visited at
 * the budget's even gap, whatever anyone predicts. Priors and laws are those
 * that the other sources taught; where a row learns from its own group, from
 * visits before the day of the forecast. An estimator that has no number yet
 * gives 1/2, one that saw no change the time sampled. Estimators that need
 * Last-Modified are in it only where pages tell it.
 */
export function predictionScores(
  collection: ReplayCollection,
  options: {
    readonly perDay: number
    readonly seed: number
    /** Whether pages tell when they last changed. */
    readonly lastModified?: boolean
  },
): PredictionRow[] {
  const { perDay, seed, lastModified = false } = options
  const gap = DAY / perDay
  const pages = somePages(collection, { gap, seed })
  return forecasterKinds(collection, options).map((kind) => ({
    estimator: kind.name,
    perDay,
    ...logLosses(forecasts(collection, { kind, pages, gap, lastModified })),
    pages: pages.length,
  }))
}

/** All pages, or a seeded choice of so many as the observations allow. */
function somePages(
  { ids, from, until }: ReplayCollection,
  { gap, seed }: { gap: Seconds; seed: number },
): number[] {
  const pages = ids.map((_, page) => page)
  const all = pages.reduce((sum, page) => sum + (until[page]! - from[page]!) / gap, 0)
  if (all <= mostObservations) return pages
  const random = new Random(seed)
  const share = mostObservations / all
  const kept = pages.filter(() => random.uniform() < share)
  return kept.length > 0 ? kept : pages.slice(0, 1)
}

/** The forecasts of one kind, source by source. */
function* forecasts(
  collection: ReplayCollection,
  { kind, pages, ...log }: EvenLog & { kind: ForecasterKind; pages: readonly number[] },
): Generator<Forecast> {
  for (let source = 0; source < collection.sourceNames.length; source++) {
    const own = pages.filter((page) => collection.sources[page] === source)
    if (own.length === 0) continue
    if (kind.grouped) {
      yield* groupForecasts(collection, { ...log, pages: own, forecaster: kind.forSource(source) })
      continue
    }
    const forecaster = kind.forSource(source)
    for (const page of own) yield* pageForecasts(collection, { ...log, page, forecaster })
  }
}
