export * from './auto/index.js'
export { Cycle, type CycleParts, type CycleSettings, type RunOptions } from './cycle.js'
export { dueWithin } from './due-within.js'
export { mindName, packState, unpackState } from './packed-state.js'
export { PageState } from './page-state.js'
export { recordedReport } from './recorded-report.js'
export { stateFrom } from './state-from.js'
export {
  begin,
  firstStep,
  type Mind,
  proceed,
  reconsider,
  resume,
  type Step,
  step,
} from './step.js'
export { forbiddenReport, visitReport } from './visit-report.js'
