export { fastClock } from './fast-clock.js'
export { type AccessKind, accessKinds } from './plan/behaviour.js'
export { type LawKind, lawKinds } from './plan/law.js'
export type { RequestCounts } from './site/request-tally.js'
export type { Delays } from './site/site-server.js'
export {
  type DemoSite,
  type DemoWeb,
  type DemoWebOptions,
  demoOrigin,
  startDemoWeb,
} from './start-demo-web.js'
export type { CopyMeter, CopyVisit } from './truth/copy-meter.js'
export type { PageTruth } from './truth/page-truth.js'
export type { RoundRobin } from './truth/round-robin.js'
