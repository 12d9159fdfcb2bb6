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
import { DAY } from '../../model/index.js'
import type { ReplayCollection } from './collection.js'
import {
  autoAloneForecaster,
  autoForecaster,
  type Forecaster,
  type GroupForecaster,
  poissonForecaster,
} from './forecaster.js'
import { lawsElsewhere } from './laws-elsewhere.js'
import { learnersElsewhere } from './learners-elsewhere.js'
import {
  groupPosteriorForecaster,
  posteriorForecaster,
  widePosteriorForecaster,
} from './posterior-forecaster.js'
import { ratePriorsElsewhere } from './rate-priors-elsewhere.js'

/** One row of the scores: who foretells, for each source. */
export type ForecasterKind = { readonly name: string } & (
  | { readonly grouped: false; readonly forSource: (source: number) => Forecaster }
  /** Learns from its own group as it goes: made anew at each call. */
  | { readonly grouped: true; readonly forSource: (source: number) => GroupForecaster }
)

/** Everyone who can give a chance, the default last. What is learned beforehand is learned on the other sources. */
export function forecasterKinds(
  collection: ReplayCollection,
  about: { readonly perDay: number; readonly seed: number; readonly lastModified?: boolean },
): ForecasterKind[] {
  const { perDay, seed, lastModified = false } = about
  const gap = DAY / perDay
  const withPrior = learnersElsewhere({ collection, perDay, run: { seed, warmUp: 0 } })
  const laws = lawsElsewhere(collection)
  const priors = ratePriorsElsewhere(collection, { gap })
  const plain = [
    ...countingLearners,
    ...(lastModified ? [meanContentAgeLearner, lastModifiedLearner] : []),
  ].map(poissonForecaster)
  return [
    ...[...plain, widePosteriorForecaster(gap)].map(everywhere),
    alone((source) => poissonForecaster(withPrior(source))),
    alone((source) => posteriorForecaster(priors(source), gap)),
    inGroups((source) => groupPosteriorForecaster(priors(source), gap)),
    alone((source) => autoAloneForecaster(laws(source))),
    inGroups((source) => autoForecaster(laws(source))),
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

function everywhere(forecaster: Forecaster): ForecasterKind {
  return { name: forecaster.name, grouped: false, forSource: () => forecaster }
}

function alone(forSource: (source: number) => Forecaster): ForecasterKind {
  return { name: forSource(0).name, grouped: false, forSource }
}

function inGroups(forSource: (source: number) => GroupForecaster): ForecasterKind {
  return { name: forSource(0).name, grouped: true, forSource }
}
