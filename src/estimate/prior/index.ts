export {
  bestFirstGap,
  type FirstGapCurve,
  type FirstGapOptions,
  type FirstGapPoint,
} from './best-first-gap.js'
export {
  type EmpiricalPrior,
  type EmpiricalPriorOptions,
  empiricalPrior,
} from './empirical-prior.js'
export { EqualGapTally } from './equal-gap-tally.js'
export { type FitPseudoGapsOptions, fitPseudoGaps, type PseudoGapFit } from './fit-pseudo-gaps.js'
export {
  type GridPrior,
  gridPrior,
  logGrid,
  logUniformPrior,
  periodQuantile,
  type Summary,
  typicalPeriod,
} from './grid-prior.js'
export {
  type GroupOptions,
  type GroupPage,
  type GroupPriors,
  learnGroupPriors,
  type StrengthScore,
} from './group-priors.js'
export { GrowingMle } from './growing-mle.js'
export { GrowingPosterior } from './growing-posterior.js'
export { hourlyGrid } from './hourly-grid.js'
export { type LearnedPrior, type LearnOptions, learnPrior } from './learn-prior.js'
export { type LikelihoodTable, likelihoodTable } from './likelihood-table.js'
export { fitMixture, type MixtureFit, type MixtureOptions } from './mixture-em.js'
export {
  type Growing,
  type NewPageOptions,
  newPageDeviation,
  newPageErrors,
} from './new-page-deviation.js'
export { type PeriodHistogram, periodHistogram } from './period-histogram.js'
export { type PredictiveFit, predictivePseudoGaps } from './predictive-pseudo-gaps.js'
export { type PriorFile, type PriorOrigin, parsePrior, priorFile } from './prior-file.js'
export {
  changeRateVariation,
  type PseudoGapReading,
  pseudoGapPrior,
  pseudoGapReach,
  pseudoGapVariation,
} from './pseudo-gap-law.js'
