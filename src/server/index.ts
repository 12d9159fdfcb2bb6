/**
 * The HTTP API and the dashboard's files: one file a resource with route, schema and handler together.
 */
export type { DemoAnswer, DemoTruth } from './collection/demo.js'
export { type DashboardOptions, dashboardRoutes } from './dashboard.js'
export { ApiError, type ErrorForm } from './errors.js'
export {
  followVisits,
  type Stretch,
  VisitFeed,
  type VisitFeedOptions,
} from './events/visit-feed.js'
export { type KeptKey, Keys } from './safety/keys.js'
export { isLoopback, needsKey } from './safety/safety.js'
export { buildService, openService, type Service } from './service.js'
export type {
  AddRoutes,
  App,
  LoopState,
  ServiceOptions,
  ServiceParts,
} from './service-parts.js'
