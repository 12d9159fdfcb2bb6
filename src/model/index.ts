export type { ChangeProcess, Timeline } from './change-process.js'
export type { Clock } from './clock.js'
export { EnvironmentError, InputError, OptionError, RevisitError } from './errors.js'
export type { Bounds, Estimate, Evidence, Verdict } from './estimate.js'
export type { EstimateOptions, Estimator } from './estimator.js'
export type {
  Answered,
  FetchAnswer,
  Fetcher,
  FetchFault,
  FetchRequest,
  Validators,
} from './fetcher.js'
export { type History, historyOf, type Start } from './history.js'
export { humanDuration, humanPeriod, humanTime } from './human.js'
export type { Learner, Seen } from './learner.js'
export { believableAge, type Observation, observe } from './observation.js'
export type { Page } from './page.js'
export type { Declared, Due, PageView, Policy } from './policy.js'
export type { RandomSource } from './random-source.js'
export type { RecordedChanges } from './recorded-changes.js'
export {
  DAY,
  HOUR,
  MINUTE,
  MONTH,
  type PerSecond,
  type Seconds,
  type UnixSeconds,
  WEEK,
  YEAR,
} from './units.js'
export { type Outcome, outcomes, succeeded, type Visit } from './visit.js'
export { type TimeFault, visitTimeFault } from './visit-time.js'
