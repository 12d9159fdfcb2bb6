import {
  biasReducedLearner,
  consistentWindowLearner,
  detectionGapLearner,
  detectionGapUncorrectedLearner,
  intuitiveLearner,
  irregularMleLearner,
  lastModifiedLearner,
  malcolmArmitageLearner,
  meanContentAgeLearner,
  onlineLearner,
} from '../../estimate/index.js'
import { DAY, type Seconds } from '../../model/index.js'
import { Random } from '../../numeric/index.js'
import { tellsNothing, tellsTruth } from '../visit-loop.js'
import type { ReplayCollection } from './collection.js'
import {
  autoForecaster,
  type Forecaster,
  poissonForecaster,
  posteriorForecaster,
  widePosteriorForecaster,
} from './forecaster.js'
import { lawsElsewhere } from './laws-elsewhere.js'
import { learnersElsewhere } from './learners-elsewhere.js'
import { PageReplay } from './page-replay.js'
import { ratePriorsElsewhere } from './rate-priors-elsewhere.js'

/** How well one estimator foretells whether the next visit sees a change. */
export interface PredictionRow {
  readonly estimator: string
  /** Visits a page and day: all estimators look at the same visits, at even gaps. */
  readonly perDay: number
  /** Mean of -ln(chance given to what was then seen): of all observations, each page's first ten, and the rest. */
  readonly logLoss: number
  readonly firstTen: number
  readonly later: number
  readonly observations: number
  /** Pages that were scored: all, or a seeded choice where there would be too many observations. */
  readonly pages: number
}

/** No chance is nearer to 0 or 1 than this: one bad surprise is not to decide. */
const sure = 1e-3
const early = 10

/** Beyond so many observations only some of the pages are scored: the same for everyone. */
const mostObservations = 1_500_000

/**
 * Logarithmic loss of every estimator on one shared log: each page visited at
 * the budget's even gap, whatever anyone believes. Priors and laws are those
 * that the other sources taught. An estimator that has no number yet gives
 * 1/2, one that saw no change the time sampled. Estimators that need
 * Last-Modified are in it only where pages tell it.
 */
export function predictionScores(collection: ReplayCollection, options: Options): PredictionRow[] {
  const gap = DAY / options.perDay
  const pages = somePages(collection, { gap, seed: options.seed })
  return forecasters(collection, options).map((choose) =>
    scored(collection, { choose, gap, pages, ...options }),
  )
}

interface Options {
  readonly perDay: number
  readonly seed: number
  /** Whether pages tell when they last changed. */
  readonly lastModified?: boolean
}

function forecasters(
  collection: ReplayCollection,
  { perDay, seed, lastModified = false }: Options,
): ((source: number) => Forecaster)[] {
  const gap = DAY / perDay
  const withPrior = learnersElsewhere({ collection, perDay, run: { seed, warmUp: 0 } })
  const laws = lawsElsewhere(collection)
  const priors = ratePriorsElsewhere(collection, { gap })
  const wide = widePosteriorForecaster(gap)
  const plain = [
    ...countingLearners,
    ...(lastModified ? [meanContentAgeLearner, lastModifiedLearner] : []),
  ]
  return [
    ...plain.map(poissonForecaster).map((each) => () => each),
    () => wide,
    once((source) => poissonForecaster(withPrior(source))),
    once((source) => {
      const prior = priors(source)
      return prior === null ? wide : posteriorForecaster(prior, gap)
    }),
    once((source) => autoForecaster(laws(source))),
  ]
}

/** Learners that need to be told nothing but changed or not. */
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

function once<T>(make: (source: number) => T): (source: number) => T {
  const made = new Map<number, T>()
  return (source) => {
    const known = made.get(source) ?? make(source)
    made.set(source, known)
    return known
  }
}

function scored(
  collection: ReplayCollection,
  about: {
    choose: (source: number) => Forecaster
    gap: Seconds
    pages: readonly number[]
  } & Options,
): PredictionRow {
  const loss = [0, 0]
  const count = [0, 0]
  for (const page of about.pages) {
    const forecaster = about.choose(collection.sources[page]!)
    let met = 0
    for (const each of losses(collection, { ...about, page, forecaster })) {
      const part = met++ < early ? 0 : 1
      loss[part]! += each
      count[part]! += 1
    }
  }
  const mean = (total: number, of: number) => (of > 0 ? total / of : 0)
  const observations = count[0]! + count[1]!
  return {
    estimator: about.choose(collection.sources[about.pages[0]!]!).name,
    perDay: about.perDay,
    logLoss: mean(loss[0]! + loss[1]!, observations),
    firstTen: mean(loss[0]!, count[0]!),
    later: mean(loss[1]!, count[1]!),
    observations,
    pages: about.pages.length,
  }
}

function* losses(
  collection: ReplayCollection,
  about: { page: number; forecaster: Forecaster; gap: Seconds; lastModified?: boolean },
): Generator<number> {
  const { page, forecaster, gap } = about
  const told = about.lastModified ? tellsTruth : tellsNothing
  const memory = new Float64Array(forecaster.size)
  const timeline = new PageReplay(collection, page)
  const seen = { at: collection.from[page]!, gap, changed: false, contentAge: Number.NaN }
  forecaster.start(memory, told(timeline, seen.at))
  while (seen.at + gap <= collection.until[page]!) {
    seen.at += gap
    const chance = Math.min(1 - sure, Math.max(sure, forecaster.chance(memory, seen)))
    seen.changed = timeline.advance(seen.at)
    yield -Math.log(seen.changed ? chance : 1 - chance)
    seen.contentAge = told(timeline, seen.at)
    forecaster.learn(memory, seen)
  }
}
