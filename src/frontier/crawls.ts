import type { Crawler } from '../crawler/open-crawler.js'
import type { Clock, Seconds } from '../model/units.js'
import type { FrontierLog } from './log.js'

interface CrawlsParts {
  readonly open: (collection: string) => Promise<Crawler>
  readonly clock: Clock
  readonly log: FrontierLog
}

interface OpenCrawl {
  readonly crawler: Promise<Crawler>
  readonly end: AbortController
  ended: Promise<void>
}

/** Crawls whose planners are kept in memory; of more the one that was used longest ago is closed. */
const mostOpen = 32
/** After a failure of what runs beside a crawl, such as a database that is away. */
const again: Seconds = 5

/**
 * The crawls that items came for: each a collection with its planners, its
 * price of a request and its prior, kept up as beside a crawler's loop. They
 * are opened when the first item of a crawl comes.
 */
export class Crawls {
  readonly #parts: CrawlsParts
  readonly #open = new Map<string, OpenCrawl>()

  constructor(parts: CrawlsParts) {
    this.#parts = parts
  }

  async of(collection: string): Promise<Crawler> {
    const known = this.#open.get(collection)
    if (known !== undefined) {
      this.#open.delete(collection)
      this.#open.set(collection, known)
      return known.crawler
    }
    const opened = this.#opened(collection)
    this.#open.set(collection, opened)
    const [oldest] = this.#open.keys()
    if (this.#open.size > mostOpen) await this.#drop(oldest!)
    return opened.crawler
  }

  /** What was learned of a crawl stays in the store; what is in memory is forgotten. */
  async #drop(collection: string): Promise<void> {
    const crawl = this.#open.get(collection)
    this.#open.delete(collection)
    crawl?.end.abort()
    await crawl?.ended
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((each) => this.#drop(each)))
  }

  #opened(collection: string): OpenCrawl {
    const end = new AbortController()
    const crawler = this.#parts.open(collection).then(async (made) => {
      // No visit is planned before there is a price.
      await made.controller.firstPrice(this.#parts.clock.now())
      return made
    })
    const crawl: OpenCrawl = { crawler, end, ended: Promise.resolve() }
    crawl.ended = crawler.then(
      (opened) => this.#keptUp(opened, end.signal).finally(() => opened.close()),
      // Whoever asked hears of it; the next one tries again.
      () => {
        if (this.#open.get(collection) === crawl) this.#open.delete(collection)
      },
    )
    return crawl
  }

  /** A database that is away for a while ends nothing. */
  async #keptUp(crawler: Crawler, signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts
    while (!signal.aborted)
      try {
        await crawler.follow(signal, { chores: true })
      } catch (error) {
        log.warn(`price and prior are not kept up: ${(error as Error).message}`)
        await clock.sleep(again, signal)
      }
  }
}
