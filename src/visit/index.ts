/**
 * One polite visit: the session, and `politeness/` towards hosts (gate, robots.txt, redirects, day's budget). Uses model, formats, fetch, content, hints, policies and planner.
 */
export { BoundedReading, type BoundedReadingOptions } from './bounded-reading.js'
export { SharedBudget } from './politeness/day-budget.js'
export { type HostFacts, HostGate, type HostGateOptions } from './politeness/host-gate.js'
export type { Politeness } from './politeness/politeness.js'
export { type ClientPermit, VisitSession } from './session.js'
export type { ClientReport, Permit, SessionParts, SessionTerms } from './session-parts.js'
