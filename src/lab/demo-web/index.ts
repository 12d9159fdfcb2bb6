/**
 * The living sample web on loopback, and the truth about its pages. Uses model and the lab's processes.
 */
export { type LawKind, lawKinds } from './change-laws.js'
export { fastClock, HeldClock, SteppingClock } from './clocks.js'
export { CopyMeter, type CopyVisit, RoundRobin } from './copy-meter.js'
export {
  type DemoSite,
  DemoWeb,
  type DemoWebOptions,
  demoOrigin,
  startDemoWeb,
} from './demo-web.js'
export { type AccessKind, accessKinds } from './site-plans.js'
export type { Delays, RequestCounts } from './site-server.js'
export type { PageTruth } from './web-truth.js'
