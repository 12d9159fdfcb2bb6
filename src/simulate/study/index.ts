export { type StudyEffort, studyEffort } from './effort.js'
export { runStudy } from './run-study.js'
export type { Study, StudyPages } from './study.js'
export {
  type EstimateQuality,
  type Measured,
  type StudyResult,
  studyResult,
} from './study-result.js'
export { type StudySpec, studyOf } from './study-spec.js'
export { StudyTally, type StudyTallyState } from './tally.js'
