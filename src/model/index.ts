export { type CarriedError, carry, revive } from './carried-error.js'
export type { ChangeProcess, Timeline } from './change-process.js'
export { changeSetting } from './change-setting.js'
export { type ChosenSettings, withChosen } from './chosen-settings.js'
export type { Clock } from './clock.js'
export type { CloserLook, CloserSight, FirstLook } from './closer-look.js'
export type { DayCount } from './day-count.js'
export { EnvironmentError, InputError, OptionError, PageError, RevisitError } from './errors.js'
export type { Bounds, Estimate, Evidence, Verdict } from './estimate.js'
export type { EstimateOptions, Estimator } from './estimator.js'
export { faultAdvice } from './fault-advice.js'
export type {
  Answered,
  FetchAnswer,
  Fetcher,
  FetchFault,
  FetchOptions,
  FetchRequest,
  Validators,
} from './fetcher.js'
export {
  type Claim,
  type Declared,
  type FoundPage,
  type Hint,
  type HintKind,
  type HintsView,
  type HintTally,
  type HintWorth,
  type HostHints,
  hintKinds,
  type KeptHint,
  type PageHints,
  type RecentVisits,
  type WeighedHint,
} from './hint.js'
export { hintWeight } from './hint-weight.js'
export { type History, historyOf, type Start } from './history.js'
export type {
  HostFence,
  HostHold,
  HostList,
  HostQuery,
  HostRecord,
  HostSummary,
} from './host-record.js'
export { mayReplace } from './host-record.js'
export { humanDuration, humanPeriod, humanTime } from './human.js'
export type { Json } from './json.js'
export type { Learner, Seen } from './learner.js'
export type {
  ChosenRequest,
  Lease,
  LeaseRef,
  LeaseRequest,
  LeaseTerms,
  NextDueRequest,
} from './lease.js'
export {
  type NamedKind,
  type NamedSpec,
  type Parameter,
  type ParameterForm,
  readNamedSpec,
} from './named-spec.js'
export { believableAge, type Observation, observe, withCalm } from './observation.js'
export type {
  ChannelChange,
  ChannelRecord,
  DeliveryQuery,
  DeliveryRecord,
  DeliveryState,
  NewChannel,
  NewDelivery,
  Outbox,
} from './outbox.js'
export { isOwnSite } from './own-site.js'
export type { Page } from './page.js'
export { checkPageHeaders } from './page-headers.js'
export {
  type PageFilter,
  type PageList,
  type PageQuery,
  type PageSort,
  pageSorts,
} from './page-query.js'
export type {
  LastVisit,
  LearnerState,
  NewPage,
  PageChange,
  PageRecord,
  PageRef,
  PageSettings,
} from './page-record.js'
export { hostOf, pageUrl } from './page-url.js'
export { parseDuration, readDuration } from './parse-duration.js'
export { type PeriodRange, periodRange, rangeWords } from './period-range.js'
export type { Due, Moved, PageView, Policy } from './policy.js'
export type { PublisherReader } from './publisher-reader.js'
export type { RandomSource } from './random-source.js'
export type { Likeness, Reader, Reading, UnreadContent } from './reader.js'
export type { RecordedChanges } from './recorded-changes.js'
export { howOften, type ShownEstimate, shownEstimate } from './shown-estimate.js'
export type { Content, Retention, Version } from './snapshot-record.js'
export { calmParts, calmTime, splitCalm } from './split-calm.js'
export type { FileStore, SetBack, Store, TimesAhead } from './store.js'
export type { StoreHealth, StoreTotals } from './store-health.js'
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
export {
  type LoggedVisit,
  observationOf,
  type VisitList,
  type VisitLogQuery,
  type VisitQuery,
  type VisitRange,
  type VisitRecord,
} from './visit-record.js'
export type { ReportFate, VisitReport } from './visit-report.js'
export { type TimeFault, visitTimeFault } from './visit-time.js'
export type { PoliteVisit, VisitLeave, Visitor } from './visitor.js'
export { watchedSettings } from './watched-settings.js'
