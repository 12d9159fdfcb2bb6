/**
 * `openCrawler` opens a crawler over a store: planners, politeness, HTTP, reading and the loop that leases, visits and
 * records. Uses the rooms before it; nothing of the command line.
 */
export { ChosenPages } from './chosen-pages.js'
export type { RunOptions } from './lease-batches.js'
export {
  type Crawler,
  type CrawlerOptions,
  type CrawlerRun,
  openCrawler,
} from './open-crawler.js'
export { type CrawlerSettings, crawlerDefaults } from './settings.js'
export { systemClock } from './system-clock.js'
export type { SavedVisit } from './unsaved-visits.js'
