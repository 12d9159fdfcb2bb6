import {
  autoLearner,
  chanceOfChange,
  detectionGapLearner,
  intuitiveLearner,
  irregularMleLearner,
  malcolmArmitageLearner,
} from '../../estimate/index.js'
import { DAY, type Learner, type Seconds, type UnixSeconds } from '../../model/index.js'
import { weekGap } from '../../numeric/index.js'
import type { ReplayCollection } from './collection.js'
import { lawsElsewhere } from './laws-elsewhere.js'
import { learnersElsewhere } from './learners-elsewhere.js'
import { PageReplay } from './page-replay.js'

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
}

/** Someone who gives a chance before each visit. */
interface Forecaster {
  readonly name: string
  readonly learner: Learner
  chance(memory: Float64Array, next: { at: UnixSeconds; gap: Seconds }): number
}

/** No chance is nearer to 0 or 1 than this: one bad surprise is not to decide. */
const sure = 1e-3
const early = 10

/**
 * Logarithmic loss of every estimator on one shared log: each page visited at
 * the budget's even gap, whatever anyone believes. Priors and laws are those
 * that the other sources taught. An estimator that has no number yet gives 1/2.
 */
export function predictionScores(
  collection: ReplayCollection,
  { perDay, seed }: { readonly perDay: number; readonly seed: number },
): PredictionRow[] {
  const withPrior = learnersElsewhere({ collection, perDay, run: { seed, warmUp: 0 } })
  const laws = lawsElsewhere(collection)
  const plain = [
    intuitiveLearner,
    detectionGapLearner,
    malcolmArmitageLearner,
    irregularMleLearner(),
  ]
  const choices: ((source: number) => Forecaster)[] = [
    ...plain.map((learner) => () => poissonForecaster(learner)),
    once((source) => poissonForecaster(withPrior(source))),
    once((source) => autoForecaster(laws(source))),
  ]
  return choices.map((choose) => scored(collection, { choose, gap: DAY / perDay, perDay }))
}

function once<T>(make: (source: number) => T): (source: number) => T {
  const made = new Map<number, T>()
  return (source) => {
    const known = made.get(source) ?? make(source)
    made.set(source, known)
    return known
  }
}

function poissonForecaster(learner: Learner): Forecaster {
  return {
    name: learner.name,
    learner,
    chance(memory, { gap }) {
      const changePeriod = learner.changePeriod(memory)
      return changePeriod > 0 ? -Math.expm1(-gap / changePeriod) : 0.5
    },
  }
}

function autoForecaster(law: ReturnType<ReturnType<typeof lawsElsewhere>>): Forecaster {
  const learner = autoLearner({ law })
  return {
    name: learner.name,
    learner,
    chance: (memory, next) => chanceOfChange(learner.belief(memory), weekGap(law.clock, next)),
  }
}

function scored(
  collection: ReplayCollection,
  about: { choose: (source: number) => Forecaster; gap: Seconds; perDay: number },
): PredictionRow {
  const loss = [0, 0]
  const count = [0, 0]
  for (let page = 0; page < collection.ids.length; page++) {
    const forecaster = about.choose(collection.sources[page]!)
    let met = 0
    for (const each of losses(collection, { page, forecaster, gap: about.gap })) {
      const part = met++ < early ? 0 : 1
      loss[part]! += each
      count[part]! += 1
    }
  }
  const mean = (total: number, of: number) => (of > 0 ? total / of : 0)
  const observations = count[0]! + count[1]!
  return {
    estimator: about.choose(0).name,
    perDay: about.perDay,
    logLoss: mean(loss[0]! + loss[1]!, observations),
    firstTen: mean(loss[0]!, count[0]!),
    later: mean(loss[1]!, count[1]!),
    observations,
  }
}

function* losses(
  collection: ReplayCollection,
  { page, forecaster, gap }: { page: number; forecaster: Forecaster; gap: Seconds },
): Generator<number> {
  const { learner } = forecaster
  const memory = new Float64Array(learner.size)
  const timeline = new PageReplay(collection, page)
  const seen = { at: collection.from[page]!, gap, changed: false, contentAge: Number.NaN }
  learner.start(memory, Number.NaN)
  while (seen.at + gap <= collection.until[page]!) {
    seen.at += gap
    const chance = Math.min(1 - sure, Math.max(sure, forecaster.chance(memory, seen)))
    seen.changed = timeline.advance(seen.at)
    yield -Math.log(seen.changed ? chance : 1 - chance)
    learner.learn(memory, seen)
  }
}
