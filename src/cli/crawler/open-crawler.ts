import {
  type DayCount,
  HostGate,
  type Politeness,
  PoliteVisitor,
  rememberingPageReader,
  StoredVisitor,
} from '../../crawl/index.js'
import { Cycle } from '../../engine/index.js'
import type { Fetcher, Json, Store } from '../../model/index.js'
import { Random } from '../../numeric/index.js'
import type { Configuration } from '../config/settings.js'
import type { Configured } from './configured.js'
import { LocalOnlyFetcher, localContact } from './local-only-fetcher.js'
import { hoursOf, mindsOf } from './minds.js'

/** Everything that makes visits, wired from the configuration. */
export interface Crawler {
  readonly cycle: Cycle
  readonly gate: HostGate
  /** For single visits outside the loop. */
  readonly visitor: StoredVisitor
  /** Remembers the day's count of requests, where there is a budget. */
  saveToday(): Promise<void>
  close(): Promise<void>
}

/** Where the store keeps the count of all requests of the day. */
const todaySetting = 'requests-today'

/** Pages of a host leased together where we keep no delay: the store is asked once for all of them. */
const pagesAhead = 32

/** Opens the gate, the fetcher, the visitor and the loop over a store. */
export async function openCrawler(configured: Configured, store: Store): Promise<Crawler> {
  const { config, crawler, world } = configured
  const { clock } = crawler
  const today = (await store.getSetting(config.collection, todaySetting)) as unknown
  const gate = new HostGate({
    clock,
    politeness: politenessOf(config),
    ...(today === undefined ? {} : { today: today as DayCount }),
  })
  const fetcher = openFetcher(configured)
  const polite = new PoliteVisitor({ fetcher, gate, clock })
  const visitor = new StoredVisitor({ visitor: polite, gate, now: () => clock.now() })
  const cycle = new Cycle(
    {
      store,
      visitor,
      reader: rememberingPageReader(),
      clock,
      random: new Random(world.seed),
      mindFor: mindsOf(config),
      hoursFor: hoursOf(config),
    },
    {
      collection: config.collection,
      worker: crawler.worker,
      concurrency: config.concurrency,
      ahead: config.delay === 0 ? pagesAhead : 1,
      leaseTime: config.leaseTime,
      doubt: config.unconditionalShare,
      lookAgain: Math.max(0.05, config.lookAgain),
    },
  )
  return {
    cycle,
    gate,
    visitor,
    async saveToday() {
      if (config.requestsPerDay === null) return
      await store.putSetting(config.collection, todaySetting, gate.today as unknown as Json)
    },
    close: () => fetcher.close(),
  }
}

function openFetcher({ config, crawler, world }: Configured): Fetcher {
  const { clock } = crawler
  const { connectTime, firstByteTime, wholeTime } = config
  const { headerBytes, bodyBytes, redirects, retryAfter } = config
  const fetcher = crawler.openFetcher({
    clock,
    contact: config.contact ?? localContact,
    version: world.version,
    allowedNetworks: config.allowedNetworks,
    limits: {
      connectTime,
      firstByteTime,
      wholeTime,
      headerBytes,
      bodyBytes,
      redirects,
      retryAfter,
    },
  })
  return config.contact === null ? new LocalOnlyFetcher({ fetcher, clock }) : fetcher
}

function politenessOf(config: Configuration): Politeness {
  const { delay, longestDelay, firstBackoff, longestBackoff } = config
  const { requestsPerDay, hostRequestsPerDay } = config
  return {
    delay,
    longestDelay,
    firstBackoff,
    longestBackoff,
    requestsPerDay,
    hostRequestsPerDay,
  }
}
