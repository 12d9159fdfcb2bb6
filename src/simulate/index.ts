export {
  boundsCoverage,
  type CalibrationKind,
  type CalibrationOptions,
  calibrationKinds,
  freshnessForetold,
} from './calibration.js'
export { ChangeLog, type ChangeLogOptions } from './change-log.js'
export * from './evaluate/index.js'
export {
  type CostRow,
  type HintStudyOptions,
  hintCosts,
  hintReliabilities,
  type ReliabilityRow,
} from './hints/hint-study.js'
export { type Publisher, publishers } from './hints/publisher.js'
export {
  type Hearing,
  hearings,
  type SiteStudyOptions,
  siteStudy,
  siteStudyAt,
} from './hints/site-study.js'
export {
  type LastModifiedKind,
  lastModifiedKinds,
  lastModifiedOf,
} from './last-modified.js'
export * from './process/index.js'
export { Scores } from './scores.js'
export * from './statistics/index.js'
export * from './study/index.js'
export {
  type AgeTeller,
  tellsNothing,
  tellsTruth,
  type VisitLoop,
  visitPage,
} from './visit-loop.js'
