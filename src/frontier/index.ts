/**
 * The URLFrontier API over a store: crawlers such as Apache StormCrawler put what they found and fetched, and
 * are given what is due, politely and by Revisit's schedule. Gives the service. Uses model, formats, fetch,
 * planner, visit and crawler.
 */
export { Crawls } from './crawls.js'
export { FrontierLog } from './log.js'
export { FrontierMetrics } from './metrics.js'
export { type Frontier, type FrontierOptions, type FrontierParts, openFrontier } from './service.js'
