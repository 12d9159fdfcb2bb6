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
export { SharedBudget } from './politeness/day-budget.js'
export {
  type Admission,
  type EnterTerms,
  type HostFacts,
  HostGate,
  type HostGateOptions,
  type Permit,
} from './politeness/host-gate.js'
export { storeHostAccess } from './politeness/host-holds.js'
export {
  allowedAt,
  delayOf,
  type HostState,
  hostFrom,
  hostInTime,
  hostOpensAt,
  newHost,
  noRequests,
  type RequestEnd,
  recordOf,
  requestEnded,
  requestStarted,
} from './politeness/host-state.js'
export { backoff, defaultPoliteness, type Politeness, politeness } from './politeness/politeness.js'
export type { PoliteVisitorOptions, VisitOptions } from './politeness/request-chain.js'
export {
  isCurrent,
  type RobotsRecord,
  robotsAllow,
  robotsRecord,
} from './politeness/robots-record.js'
export { PoliteVisitor, StoredVisitor } from './politeness/visitor.js'
export { forbiddenReport, visitReport } from './report.js'
export { askedAddress, asksHome, unconditionalShareOf } from './request.js'
export {
  type ClientPermit,
  type ClientReport,
  type Permit as VisitPermit,
  type SessionParts,
  VisitSession,
} from './session.js'
