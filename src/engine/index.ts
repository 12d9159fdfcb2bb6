export { askedAddress } from './asked-address.js'
export * from './auto/index.js'
export { BarrelCycles, sinceLastCrawl } from './barrels/barrel-cycles.js'
export { BarrelDesk, barrelNames, barrelOfPage } from './barrels/barrel-desk.js'
export { believedPeriod } from './believed-period.js'
export { ChosenPages } from './chosen-pages.js'
export { Cycle } from './cycle.js'
export type { CycleParts } from './cycle-parts.js'
export type { CycleSettings, RunOptions } from './cycle-settings.js'
export { doubtOf } from './doubt.js'
export { dueWithin } from './due-within.js'
export * from './hints/index.js'
export { type Imported, type ImportParts, importVisits } from './import-visits.js'
export { asksHome } from './move-kept.js'
export * from './neighbours/index.js'
export { mindName, packState, unpackState } from './packed-state.js'
export { PageState } from './page-state.js'
export { pastOf } from './past-of.js'
export { postponed } from './put-off.js'
export { type PastParts, type RecordedPast, recordPast } from './record-past.js'
export { recordedReport } from './recorded-report.js'
export { stateFrom } from './state-from.js'
export {
  begin,
  firstStep,
  type Mind,
  type Publishers,
  proceed,
  reconsider,
  resume,
  type Step,
  step,
} from './step.js'
export { storeLeave } from './store-leave.js'
export { estimatedPeriod, toldPeriod } from './told-period.js'
export type { SavedVisit } from './unsaved-visits.js'
export { forbiddenReport, visitReport } from './visit-report.js'
