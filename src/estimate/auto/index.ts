export { auto, autoWith, estimateIn, memoryOf } from './auto.js'
export { type AutoLearner, autoLearner } from './auto-learner.js'
export {
  type AutoPrior,
  entryOfLaw,
  type GroupEntry,
  lawOfEntry,
  lawOfGroup,
  parseAutoPrior,
} from './auto-prior.js'
export { changesAt, observationsAt } from './counts.js'
export { defaultLaw, defaultPrior } from './default-prior.js'
export { FirstGaps, fitNewShare, type NewShareOptions } from './first-gaps.js'
export { type FitPriorOptions, fitAutoPrior, fitLaw, type PriorPage } from './fit-auto-prior.js'
export {
  type ClockOptions,
  clockFrom,
  fitWeekClock,
  type HourTally,
  overDispersion,
  tallyHours,
} from './fit-clock.js'
export { fitMasses, lawRow, type MassOptions, mixedMasses } from './fit-masses.js'
export { GapLog } from './gap-log.js'
export { beliefSize, believe, type GroupLaw, openLaw, priorBelief } from './group-law.js'
export {
  believedBounds,
  believedPaces,
  believedQuantile,
  believedRate,
  chanceGivenHint,
  chanceOfChange,
  expectedFreshness,
  lawInWords,
  lawShape,
} from './outlook.js'
