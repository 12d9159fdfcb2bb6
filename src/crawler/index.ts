/**
 * The loop that leases, visits and records, and `openCrawler`, which opens it with all its parts. Uses the rooms before it.
 */
export {
  BarrelCycles,
  BarrelService,
  barrelNames,
  barrelOfPage,
  sinceLastCrawl,
} from './barrels.js'
export { ChosenPages } from './chosen-pages.js'
export {
  type Imported,
  type ImportParts,
  importVisits,
  type PastParts,
  type RecordedPast,
  recordedReport,
  recordPast,
} from './import-visits.js'
export type { CycleSettings, RunOptions } from './lease-batches.js'
export { Cycle } from './loop.js'
export {
  type Crawler,
  type CrawlerOptions,
  type CrawlerRun,
  openCrawler,
} from './open-crawler.js'
export { type CrawlerSettings, crawlerDefaults } from './settings.js'
export { systemClock } from './system-clock.js'
export type { SavedVisit } from './write-buffer.js'
