import type { Configured } from '../cli/configured.js'
import type { Configuration } from '../cli/settings/settings.js'
import { RenderingFetcher } from '../fetch/browser-fetcher.js'
import { trackingParameters } from '../formats/url.js'
import type { Fetcher, Visitor } from '../model/fetcher.js'
import type { PublisherReader, Reader } from '../model/reader.js'
import type { DayCount, Store } from '../model/store.js'
import { type Clock, HOUR, type RandomSource } from '../model/units.js'
import { Random } from '../numeric/random.js'
import type { CollectionController } from '../planner/collection/collection-controller.js'
import { Neighbours } from '../planner/collection/siblings.js'
import { BoundedReading } from '../visit/bounded-reading.js'
import { pageNoiseRecheck } from '../visit/noise-recheck.js'
import { BudgetedVisitor, SharedBudget } from '../visit/politeness/day-budget.js'
import { HostGate } from '../visit/politeness/host-gate.js'
import type { Politeness } from '../visit/politeness/host-state.js'
import { PoliteVisitor, StoredVisitor } from '../visit/politeness/visitor.js'
import { BarrelCycles } from './barrels.js'
import type { ChosenPages } from './chosen-pages.js'
import { LocalOnlyFetcher, localContact } from './contact.js'
import type { RunOptions } from './lease-batches.js'
import { Cycle } from './loop.js'
import { hoursOf, limitsOf, openController } from './page-planners.js'
import { PagePolicies, unknownPolicyText } from './page-policies.js'
import { releaseGone, reopenHosts } from './recovery.js'

/** What asks servers, within the limits of the configuration; without a contact, none but private ones. */
function openFetcher({ config, crawler, environment }: Configured): Fetcher {
  const { clock } = crawler
  const { connectTime, firstByteTime, wholeTime, leastSpeed } = config
  const { headerBytes, bodyBytes, redirects, retryAfter } = config
  const fetcher = crawler.openFetcher({
    clock,
    contact: config.contact ?? localContact,
    version: environment.version,
    allowedNetworks: config.allowedNetworks,
    limits: {
      connectTime,
      firstByteTime,
      wholeTime,
      leastSpeed,
      headerBytes,
      bodyBytes,
      redirects,
      retryAfter,
    },
  })
  const reached = config.contact === null ? new LocalOnlyFetcher({ fetcher, clock }) : fetcher
  const sandbox = config.browserSandbox
  return new RenderingFetcher({ fetcher: reached, clock, renderedBytes: bodyBytes, sandbox })
}

/** How hosts are to be treated, by the configuration. */
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

/** How often it is asked whether there is something to do. */
const again = HOUR

/**
 * Controls a collection beside the loop until it is stopped: at once where
 * it is due, then when a day has passed or the pages or the budget changed.
 */
async function refreshing(
  controller: CollectionController,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    if (await controller.isDue(clock.now())) await controller.refresh({ now: clock.now(), signal })
    if (!signal.aborted) await clock.sleep(again, signal)
  }
}

/** What goes on beside the visits of a loop. */
interface Refresher {
  /** Before the first visit. */
  begin(): Promise<void>
  refresh(signal: AbortSignal): Promise<void>
}

/** A collection looked after by its controller. */
export function refresherOf(controller: CollectionController, clock: Clock): Refresher {
  return {
    begin: () => controller.begin(clock.now()),
    refresh: (signal) => refreshing(controller, { clock, signal }),
  }
}

/** Runs a loop with what goes on beside it; a failure of either ends both. */
export async function runWithRefresher(
  cycle: Pick<Cycle, 'run'>,
  refresher: Refresher,
  options: RunOptions,
): Promise<void> {
  await refresher.begin()
  const ended = new AbortController()
  const failed = new AbortController()
  const beside = refresher.refresh(ended.signal)
  beside.catch(() => failed.abort())
  const signals = [failed.signal, ...(options.signal === undefined ? [] : [options.signal])]
  try {
    await cycle.run({ ...options, signal: AbortSignal.any(signals) })
  } finally {
    ended.abort()
    await beside
  }
}

/** Everything that makes visits, wired from the configuration. */
export interface Crawler {
  readonly cycle: Cycle | BarrelCycles
  readonly gate: HostGate
  /** For single visits outside the loop. */
  readonly visitor: Visitor
  /** Keeps the budget and learns the prior. */
  readonly controller: CollectionController
  /** Reads contents, each within limits. */
  readonly reader: Reader
  /** Listens to publishers' hints. */
  readonly publisher: PublisherReader
  /** Visits pages on each other's changes, on sites where that has proved itself. */
  readonly neighbours: Neighbours
  /** The loop, with price and prior refreshed beside it, unless its pages were chosen. */
  run(options: CrawlerRun): Promise<void>
  /** Brings the store's count of the day's requests up to date, where there is a budget. */
  saveToday(): Promise<void>
  close(): Promise<void>
}

/** What the loop is, where it is not the usual one. */
export interface LoopKind {
  /** By what pages declare, a loop for each barrel. */
  readonly barrels?: boolean
  /** These pages alone, now. */
  readonly chosen?: ChosenPages
}

interface CrawlerRun extends RunOptions {
  /** Told what a person should know of while it runs; on standard error by default. */
  readonly note?: (text: string) => void
}

/** Where the store keeps the count of all requests of the day. */
export const todaySetting = 'requests-today'

/** Pages of a host leased together where we keep no delay: the store is asked once for all of them. */
const pagesAhead = 32

/** Opens the gate, the fetcher, the visitor and the loop over a store. */
export async function openCrawler(
  configured: Configured,
  store: Store,
  { barrels = false, chosen }: LoopKind = {},
): Promise<Crawler> {
  const { config, crawler, environment } = configured
  const { clock } = crawler
  await releaseGone(store, (worker) => crawler.isRunning(worker))
  await reopenHosts(store, { ...config, now: clock.now(), worker: crawler.worker })
  const today = (await store.getSetting(config.collection, todaySetting)) as unknown
  const gate = new HostGate({
    clock,
    politeness: politenessOf(config),
    ...(today === undefined ? {} : { today: today as DayCount }),
  })
  const fetcher = openFetcher(configured)
  const polite = new PoliteVisitor({ fetcher, gate, clock })
  const stored = new StoredVisitor({ visitor: polite, gate })
  const budget = sharedBudget(configured, { store, gate })
  const visitor = budget === null ? stored : new BudgetedVisitor({ visitor: stored, budget })
  const random = new Random(environment.seed)
  let note = (text: string) => crawler.tell(`${text}\n`)
  const policies = new PagePolicies(config, (unknown) => note(unknownPolicyText(unknown)))
  const controller = await openController(configured, store, { random, policies })
  const reading = new BoundedReading(config.dropTracking ? { without: trackingParameters } : {})
  const { reader, publisher } = reading
  const neighbours = neighboursOf(config, { store, controller, random })
  const Loop = barrels ? BarrelCycles : Cycle
  const cycle = new Loop(
    {
      store: chosen?.seen ?? store,
      visitor,
      reader,
      noiseRecheck: pageNoiseRecheck({ reading, wait: config.noiseWait }),
      clock,
      random,
      plannerFor: (page) => controller.plannerFor(page),
      hoursFor: hoursOf(config),
      publisher,
      // Barrels take the tag at its word, and nothing else.
      ...(barrels ? {} : { neighbours }),
    },
    {
      collection: config.collection,
      worker: crawler.worker,
      concurrency: config.concurrency,
      // Pages of one host may lie in several barrels, whose crawlers would meet there.
      ahead: config.delay === 0 && !barrels ? pagesAhead : 1,
      leaseTime: config.leaseTime,
      unconditionalShare: config.unconditionalShare,
      pollEvery: Math.max(0.05, config.pollEvery),
    },
  )
  return {
    cycle,
    gate,
    visitor,
    controller,
    reader,
    publisher,
    neighbours,
    async run(options) {
      note = options.note ?? note
      if (chosen === undefined)
        await runWithRefresher(cycle, refresherOf(controller, clock), options)
      else {
        await controller.firstPrice(clock.now())
        await cycle.run(options)
      }
      // Requests that were claimed and not made are others' to make.
      await budget?.settle()
    },
    saveToday: async () => budget?.settle(),
    async close() {
      await Promise.all([fetcher.close(), reading.close()])
    },
  }
}

/** Null without a budget: nobody counts then, and nothing is written for it. */
function sharedBudget(
  { config, crawler }: Configured,
  { store, gate }: { store: Store; gate: HostGate },
): SharedBudget | null {
  if (config.requestsPerDay === null) return null
  return new SharedBudget({
    gate,
    now: () => crawler.clock.now(),
    add: (more) => store.addToDay(config.collection, todaySetting, more),
  })
}

function neighboursOf(
  config: Configuration,
  {
    store,
    controller,
    random,
  }: { store: Store; controller: CollectionController; random: RandomSource },
): Neighbours {
  return new Neighbours({
    store,
    random,
    planners: controller.planners,
    follows: (page) => controller.follows(page),
    price: (objective) => controller.priceFor(objective),
    limitsFor: limitsOf(config),
    hoursFor: hoursOf(config),
  })
}
