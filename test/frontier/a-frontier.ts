import { onTestFinished } from 'vitest'
import { openCrawler } from '../../src/crawler/open-crawler.js'
import type { CrawlerSettings } from '../../src/crawler/settings.js'
import { systemClock } from '../../src/crawler/system-clock.js'
import { Crawls, FrontierLog, FrontierMetrics, openFrontier } from '../../src/frontier/index.js'
import type { Schedule } from '../../src/frontier/item-writer.js'
import type { Store } from '../../src/model/store.js'
import type { Clock } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { type WireClient, wireClient } from './wire-client.js'

/** Stands still until it is moved; sleepers sleep by the real time. */
export class SetClock implements Clock {
  at: number
  readonly sleep = systemClock.sleep

  constructor(at = Math.floor(Date.now() / 1000)) {
    this.at = at
  }

  now(): number {
    return this.at
  }
}

export interface TestFrontier {
  readonly client: WireClient
  readonly address: string
  readonly clock: SetClock
  readonly metrics: FrontierMetrics
  readonly lines: readonly string[]
  readonly crawls: Crawls
  close(): Promise<void>
}

/** A frontier on a free port of loopback, closed when the test ends. */
export async function aFrontier(...given: Parameters<typeof openTestFrontier>) {
  const frontier = await openTestFrontier(...given)
  onTestFinished(() => frontier.close())
  return frontier
}

/** The same, for the caller to close. */
export async function openTestFrontier(
  store: Store,
  {
    schedule = 'auto',
    clock = new SetClock(),
    settings = {},
  }: {
    schedule?: Schedule
    clock?: SetClock
    settings?: Partial<CrawlerSettings>
  } = {},
): Promise<TestFrontier> {
  const lines: string[] = []
  const log = new FrontierLog((line) => lines.push(line))
  const metrics = new FrontierMetrics()
  const crawls = new Crawls({
    open: (collection) =>
      openCrawler({
        ...settings,
        store,
        clock,
        collection,
        random: new Random(1),
        siblings: false,
      }),
    clock,
    log,
  })
  const parts = { store, clock, crawls, schedule, metrics, log, version: '0.0.0' }
  const limits = { longestRetryAfter: 86_400, longestDelay: 300 }
  const frontier = await openFrontier({ ...parts, ...limits, worker: 'a-test' }, { port: 0 })
  const { address } = frontier
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= frontier.close().then(() => crawls.close())
    return closed
  }
  return { client: wireClient(address), address, clock, metrics, lines, crawls, close }
}
