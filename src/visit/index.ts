/**
 * One polite visit: the session, and `politeness/` towards hosts (gate, robots.txt, redirects, day's budget). Uses model, formats, fetch, content, hints, policies and planner.
 */
export { BoundedReading, type BoundedReadingOptions } from './bounded-reading.js'
export { postponed } from './deferred.js'
export {
  type DiscoverRules,
  defaultDiscovery,
  discoverRules,
  type FoundPagesOptions,
  fitsAddress,
  foundPages,
  isList,
  listRole,
  looksEndless,
  publisherReader,
  sessionParameters,
  shapeOf,
  withoutSession,
} from './discovery.js'
export { Findings, type FindingsParts } from './findings.js'
export { type NoiseRecheckOptions, pageNoiseRecheck } from './noise-recheck.js'
export { BudgetedVisitor, SharedBudget } from './politeness/day-budget.js'
export {
  type Admission,
  type EnterTerms,
  HostGate,
  type HostGateOptions,
  type Permit,
} from './politeness/host-gate.js'
export { storeHostAccess } from './politeness/host-holds.js'
export {
  allowedAt,
  backoff,
  defaultPoliteness,
  delayOf,
  type HostState,
  hostFrom,
  hostInTime,
  hostOpensAt,
  newHost,
  noRequests,
  type Politeness,
  politeness,
  type RequestEnd,
  recordOf,
  requestEnded,
  requestStarted,
} from './politeness/host-state.js'
export type { PoliteVisit, PoliteVisitorOptions, VisitOptions } from './politeness/request-chain.js'
export { isCurrent, type RobotsRecord, robotsAllow, robotsRecord } from './politeness/robots.js'
export { PoliteVisitor, StoredVisitor } from './politeness/visitor.js'
export { forbiddenReport, visitReport } from './report.js'
export { askedAddress, asksHome, unconditionalShareOf } from './request.js'
export { type CycleParts, pastOf } from './session.js'
