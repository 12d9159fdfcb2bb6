/**
 * The HTTP API and the dashboard's files: one file a resource with route, schema and handler together.
 * Gives the types of all answers, for clients in TypeScript, and the log of visits as it grows. Uses model,
 * policies, planner, formats, fetch, content, hints, visit, crawler and notify.
 */
export type { Answers } from './answers.js'
export {
  followVisits,
  type Stretch,
  VisitFeed,
  type VisitFeedOptions,
} from './events/visit-feed.js'
