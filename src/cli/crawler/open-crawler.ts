import {
  BoundedReading,
  BudgetedVisitor,
  type DayCount,
  HostGate,
  PoliteVisitor,
  pageCloserLook,
  SharedBudget,
  StoredVisitor,
  trackingParameters,
} from '../../crawl/index.js'
import {
  BarrelCycles,
  type ChosenPages,
  Cycle,
  Neighbours,
  type RunOptions,
  type Steward,
} from '../../engine/index.js'
import type { PublisherReader, RandomSource, Reader, Store, Visitor } from '../../model/index.js'
import { Random } from '../../numeric/index.js'
import type { Configuration } from '../config/settings.js'
import type { Configured } from './configured.js'
import { hoursOf, limitsOf } from './minds.js'
import { openFetcher } from './open-fetcher.js'
import { openSteward } from './open-steward.js'
import { PagePolicies, unknownPolicyText } from './page-policies.js'
import { politenessOf } from './politeness-of.js'
import { reopenHosts } from './reopened-hosts.js'
import { releaseGone } from './run/left-leases.js'
import { runTended, tendedBy } from './tending.js'

/** Everything that makes visits, wired from the configuration. */
export interface Crawler {
  readonly cycle: Cycle | BarrelCycles
  readonly gate: HostGate
  /** For single visits outside the loop. */
  readonly visitor: Visitor
  /** Keeps the budget and learns the prior. */
  readonly steward: Steward
  /** Reads contents, each within limits. */
  readonly reader: Reader
  /** Listens to publishers' hints. */
  readonly publisher: PublisherReader
  /** Visits pages on each other's changes, on sites where that has proved itself. */
  readonly neighbours: Neighbours
  /** The loop, with price and prior looked after beside it, unless its pages were chosen. */
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

export interface CrawlerRun extends RunOptions {
  /** Told what a person should know of while it runs; on standard error unless said. */
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
  const { config, crawler, world } = configured
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
  const random = new Random(world.seed)
  let note = (text: string) => crawler.tell(`${text}\n`)
  const policies = new PagePolicies(config, (unknown) => note(unknownPolicyText(unknown)))
  const steward = await openSteward(configured, store, { random, policies })
  const reading = new BoundedReading(config.dropTracking ? { without: trackingParameters } : {})
  const { reader, publisher } = reading
  const neighbours = neighboursOf(config, { store, steward, random })
  const Loop = barrels ? BarrelCycles : Cycle
  const cycle = new Loop(
    {
      store: chosen?.seen ?? store,
      visitor,
      reader,
      closer: pageCloserLook({ reading, wait: config.noiseWait }),
      clock,
      random,
      mindFor: (page) => steward.mindFor(page),
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
      doubt: config.unconditionalShare,
      lookAgain: Math.max(0.05, config.lookAgain),
    },
  )
  return {
    cycle,
    gate,
    visitor,
    steward,
    reader,
    publisher,
    neighbours,
    async run(options) {
      note = options.note ?? note
      if (chosen === undefined) await runTended(cycle, tendedBy(steward, clock), options)
      else {
        await steward.firstPrice(clock.now())
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
  { store, steward, random }: { store: Store; steward: Steward; random: RandomSource },
): Neighbours {
  return new Neighbours({
    store,
    random,
    minds: steward.minds,
    follows: (page) => steward.follows(page),
    price: (objective) => steward.priceFor(objective),
    limitsFor: limitsOf(config),
    hoursFor: hoursOf(config),
  })
}
