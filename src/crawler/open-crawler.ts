import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { HttpFetcher } from '../fetch/http-fetcher.js'
import type { FetchLimits } from '../fetch/limits.js'
import { PageRenderer } from '../fetch/page-renderer.js'
import { trackingParameters } from '../formats/url.js'
import { aborted } from '../model/aborted.js'
import { OptionError } from '../model/errors.js'
import type { Fetcher, Visitor } from '../model/fetcher.js'
import type { PageRecord } from '../model/page.js'
import type { PublisherReader, Reader } from '../model/reader.js'
import type { DayCount, Store } from '../model/store.js'
import type { Clock, RandomSource } from '../model/units.js'
import { Random } from '../numeric/random.js'
import type { CollectionController } from '../planner/collection/collection-controller.js'
import { Neighbours } from '../planner/collection/siblings.js'
import { policyOf } from '../planner/registry.js'
import type { Planner } from '../planner/step.js'
import { parseAllowedHours } from '../policies/allowed-hours.js'
import { BoundedReading } from '../visit/bounded-reading.js'
import { pageNoiseRecheck } from '../visit/noise-recheck.js'
import { SharedBudget } from '../visit/politeness/day-budget.js'
import { HostGate } from '../visit/politeness/host-gate.js'
import { PoliteVisitor } from '../visit/politeness/polite-visitor.js'
import type { Politeness } from '../visit/politeness/politeness.js'
import type { VisitSession } from '../visit/session.js'
import { BarrelCycles, barrelPlanner } from './barrels.js'
import type { ChosenPages } from './chosen-pages.js'
import type { RunOptions } from './lease-batches.js'
import { Cycle } from './loop.js'
import { hoursOf, limitsOf, openController } from './page-planners.js'
import { PagePolicies, unknownPolicyText } from './page-policies.js'
import { Chore } from './processes/chore.js'
import { releaseGone, reopenHosts, todaySetting } from './processes/recovery.js'
import { StoreClock } from './processes/store-clock.js'
import { Upkeep } from './processes/upkeep.js'
import { mayRun, workerName } from './processes/worker-name.js'
import { type ChangingSettings, type CrawlerSettings, crawlerDefaults } from './settings.js'

/** What a crawler is opened with: a store, and whatever of the rest is to be other than usual. */
export interface CrawlerOptions extends Partial<CrawlerSettings> {
  /** Holds the pages and all that is learned of them. The caller opens and closes it. */
  readonly store: Store
  /** The real time by default. */
  readonly clock?: Clock
  /** Seeded by chance by default. */
  readonly random?: RandomSource
  /** Names this process to the store, and no other that runs; a name that no other has by default. */
  readonly worker?: string
  /** What this process was started as, for those who look at the store; `run` by default. */
  readonly role?: string
  /** Whether the process of this name may still be at work, else its pages are released; known from names given by default. */
  readonly isRunning?: (worker: string) => boolean
  /** Of the software, for servers to see; this package's by default. */
  readonly version?: string
  /** What asks servers, closed with the crawler; HTTP within the limits by default. Whoever brings one answers for how servers reach them: no contact is asked for. */
  readonly fetcher?: Fetcher
  /** Makes visits in the place of fetcher and politeness: for sites that are no servers. */
  readonly visitor?: Visitor
  /** Reads contents and compares them; each page within limits on time and memory by default. */
  readonly reader?: Reader
  /** Reads what publishers say of their pages, and which others those lead to; null for nobody. */
  readonly publisher?: PublisherReader | null
  /** The policy and learner of every page, in the place of `policy` and `budget`. */
  readonly plannerFor?: (page: PageRecord) => Planner
  /** Pages of a host leased together; 32 by default where no delay is kept, else 1. */
  readonly ahead?: number
  /** Pages by the change that they declare, a loop for each barrel (Hattab's crawler). */
  readonly barrels?: boolean
  /** These pages alone, now, instead of those that are due. */
  readonly chosen?: ChosenPages
  /** Settings as they are now, where they may be changed meanwhile: asked every few seconds. */
  readonly changing?: () => Promise<ChangingSettings>
  /** Whether a change makes other pages of its site due, where that proved right; true by default. */
  readonly siblings?: boolean
  /** More to do beside the visits of a run (not of one of `chosen` pages) or a `follow`, until the signal; where it fails, they do. */
  readonly beside?: (signal: AbortSignal) => Promise<void>
  /** Called with what a person should know of, such as a page whose policy cannot be followed. */
  readonly note?: (text: string) => void
}

/** How a run begins and ends, and who hears of it. */
export interface CrawlerRun extends RunOptions {
  /** In the place of the crawler's own while it runs. */
  readonly note?: (text: string) => void
}

/** Everything that makes visits, at work on one collection. */
export interface Crawler {
  /** Visits what is due until it is stopped, with the price of a request and the prior kept up beside. */
  run(options?: CrawlerRun): Promise<void>
  /** How many visits are under way. */
  readonly underWay: number
  /** The visits of the loop, and those that clients of a service make. */
  readonly session: VisitSession
  /** For single visits outside the loop. */
  readonly visitor: Visitor
  readonly gate: HostGate
  /** Keeps the budget and learns the prior. */
  readonly controller: CollectionController
  readonly random: RandomSource
  /** The one that all processes on the store go by. */
  readonly clock: Clock
  /**
   * Without visits of its own: reads what other processes find of price and prior until it is
   * stopped; with `chores` it works them out where it is its turn, for visits that others make.
   */
  follow(signal: AbortSignal, how?: { readonly chores?: boolean }): Promise<void>
  plannerFor(page: PageRecord): Planner
  /** Goes by other settings from now on; due times follow new hours within a minute. */
  use(changed: ChangingSettings): Promise<void>
  /** Brings the store's count of the day's requests up to date, where there is a budget. */
  saveToday(): Promise<void>
  /** Ends connections and threads; the store stays open. */
  close(): Promise<void>
}

/** Pages of a host leased together where we keep no delay: the store is asked once for all of them. */
const pagesAhead = 32
/** A loop that polls without a pause would starve all else. */
const shortestPoll = 0.05

/**
 * Opens a crawler over the pages of a store: planners, politeness, HTTP,
 * reading and the loop. Pages held by runs that were killed are released, and
 * hosts that rest for an earlier budget alone opened again; nothing is
 * requested before it is run.
 */
export async function openCrawler(options: CrawlerOptions): Promise<Crawler> {
  const { barrels = false } = options
  const settings = checked({
    ...crawlerDefaults,
    ...options,
    ...(barrels ? { policy: barrelPlanner.policy.name } : {}),
  })
  const {
    store,
    chosen,
    random = new Random(Math.floor(Math.random() * 2 ** 31)),
    worker = workerName(),
    isRunning = mayRun,
  } = options
  const { collection } = settings
  let current: ChangingSettings = changingOf(settings)
  const { version = packageVersion() } = options
  const clock = options.clock instanceof StoreClock ? options.clock : new StoreClock(options.clock)
  await clock.follow(store)
  let note = options.note ?? (() => {})
  await releaseGone(store, isRunning)
  await reopenHosts(store, { ...settings, now: clock.now(), worker })
  const today = (await store.getSetting(collection, todaySetting)) as unknown
  const gate = new HostGate({
    clock,
    politeness: politenessOf(settings),
    ...(today === undefined ? {} : { today: today as DayCount }),
  })
  const policies = new PagePolicies(settings, (unknown) => note(unknownPolicyText(unknown)))
  const ownPlanner = options.plannerFor ?? (barrels ? () => barrelPlanner : undefined)
  const controller = await openController({
    ...settings,
    current: () => current,
    chore: new Chore({ store, clock, worker, name: scanChore(collection) }),
    worker,
    random,
    policies,
    ...(ownPlanner === undefined ? {} : { ownPlanner }),
  })
  const plannerFor = (page: PageRecord) => controller.plannerFor(page)
  const hoursFor = hoursOf(() => current)
  const neighbours = new Neighbours({
    store,
    random,
    planners: controller.planners,
    follows: (page) => controller.follows(page),
    price: (objective) => controller.priceFor(objective),
    limitsFor: limitsOf(settings),
    hoursFor,
  })
  const http = options.fetcher === undefined ? httpFetcher(settings, { clock, version }) : null
  const fetcher = options.fetcher ?? http!
  const renderer = pageRenderer(settings, { fetcher, clock })
  const budget = new SharedBudget({
    gate,
    clock,
    // On a clock of the caller's own nobody knows how long a wait is.
    ...(clock.isReal ? {} : { claimEvery: 0 }),
    add: (more) => store.addToDay(collection, todaySetting, more),
  })
  /** Without a budget nobody counts, and nothing is written for it. */
  const isCounted = () => current.requestsPerDay !== null
  /** Requests that were claimed of the day's budget and not made are others' to make. */
  const settle = async () => {
    if (isCounted()) await budget.settle()
  }
  const use = async (changed: ChangingSettings) => {
    const next = changingOf(changed)
    if (isDeepStrictEqual(next, current)) return
    const before = current
    checked({ ...settings, ...next })
    current = next
    gate.use(politenessOf({ ...settings, ...next }))
    if (
      before.contact !== next.contact ||
      !isDeepStrictEqual(before.allowedNetworks, next.allowedNetworks)
    )
      http?.use(next)
    await reopenHosts(store, { ...settings, ...next, now: clock.now(), worker })
  }
  /** Planners of the caller's own need no price, and know none. */
  const isOwn = options.plannerFor !== undefined
  const upkeep = new Upkeep({
    store,
    clock,
    controller,
    worker: { name: worker, role: options.role ?? 'run', version },
    shared: clock.isReal,
    isAlone: isOwn && !clock.isReal,
    tidy: async () => {
      if (options.changing !== undefined) await use(await options.changing())
      if (isCounted()) await budget.tidy()
    },
    more: options.beside,
  })
  const visitor = options.visitor ?? new PoliteVisitor({ fetcher, renderer, gate, budget })
  const reading = new BoundedReading(settings.dropTracking ? { without: trackingParameters } : {})
  const { reader = reading.reader, publisher = reading.publisher } = options
  const learnedNoise = reading.learnedNoise.bind(reading)
  const Loop = barrels ? BarrelCycles : Cycle
  const loop = new Loop(
    {
      store: chosen?.seen ?? store,
      visitor,
      reader,
      noiseRecheck: pageNoiseRecheck({
        reading: { reader, learnedNoise },
        wait: settings.noiseWait,
      }),
      clock,
      random,
      plannerFor,
      hoursFor,
      ...(publisher === null ? {} : { publisher }),
      // Barrels take the tag at its word, and nothing else.
      ...(barrels || isOwn || options.siblings === false ? {} : { neighbours }),
    },
    {
      collection,
      worker,
      concurrency: settings.concurrency,
      // Pages of one host may lie in several barrels, whose crawlers would meet there.
      ahead: options.ahead ?? (settings.delay === 0 && !barrels ? pagesAhead : 1),
      leaseTime: settings.leaseTime,
      unconditionalShare: settings.unconditionalShare,
      pollEvery: Math.max(shortestPoll, settings.pollEvery),
    },
  )
  return {
    gate,
    session: loop.session,
    visitor,
    controller,
    random,
    clock,
    plannerFor,
    get underWay() {
      return loop.underWay
    },
    async run(run = {}) {
      note = run.note ?? note
      const running =
        chosen !== undefined && !isOwn
          ? controller.firstPrice(clock.now()).then(() => loop.run(run))
          : upkeep.beside(run, { chores: !isOwn, loop: (each) => loop.run(each) })
      // A run that fails says why, whatever comes of what it gives back.
      await running.catch(async (error: unknown) => {
        await settle().catch(() => {})
        throw error
      })
      await settle()
    },
    async follow(signal, { chores = false } = {}) {
      await upkeep.beside({ signal }, { chores, loop: (run) => aborted(run.signal) })
    },
    use,
    saveToday: settle,
    async close() {
      await Promise.all([renderer.close().finally(() => fetcher.close()), reading.close()])
    },
  }
}

/** Policy and hours are read page by page later on, where a mistake would pass unnoticed. */
function checked<T extends CrawlerSettings>(settings: T): T {
  const { policy, hours, concurrency } = settings
  policyOf(policy)
  if (hours !== null) parseAllowedHours(hours)
  if (!(Number.isInteger(concurrency) && concurrency > 0))
    throw new OptionError('bad-option', `concurrency is ${concurrency}; give a whole number from 1`)
  return settings
}

function politenessOf(settings: CrawlerSettings): Politeness {
  const { delay, longestDelay, firstBackoff, longestBackoff } = settings
  const { requestsPerDay, hostRequestsPerDay } = settings
  return {
    delay,
    longestDelay,
    firstBackoff,
    longestBackoff,
    requestsPerDay,
    hostRequestsPerDay,
  }
}

function limitsOfFetch(settings: CrawlerSettings): FetchLimits {
  const { connectTime, firstByteTime, wholeTime, leastSpeed } = settings
  const { headerBytes, bodyBytes, redirects, retryAfter } = settings
  return {
    connectTime,
    firstByteTime,
    wholeTime,
    leastSpeed,
    headerBytes,
    bodyBytes,
    redirects,
    retryAfter,
  }
}

function changingOf(settings: ChangingSettings): ChangingSettings {
  const { contact, allowedNetworks, delay, requestsPerDay, hostRequestsPerDay, hours } = settings
  return { contact, allowedNetworks, delay, requestsPerDay, hostRequestsPerDay, hours }
}

function httpFetcher(
  settings: CrawlerSettings,
  { clock, version }: { readonly clock: Clock; readonly version: string },
): HttpFetcher {
  const { contact, allowedNetworks, product, proxy } = settings
  const limits = limitsOfFetch(settings)
  return new HttpFetcher({ clock, version, limits, contact, allowedNetworks, product, proxy })
}

/** Its browser starts at the first page that asks for one. */
function pageRenderer(
  settings: CrawlerSettings,
  { fetcher, clock }: { readonly fetcher: Fetcher; readonly clock: Clock },
): PageRenderer {
  const { bodyBytes: renderedBytes, browserSandbox: sandbox, browserPath: path } = settings
  return new PageRenderer({ fetcher, clock, renderedBytes, sandbox, path })
}

function packageVersion(): string {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(file) as { version: string }).version
}

/** What one process does for a whole collection: scan it, learn its prior and set its price. */
function scanChore(collection: string): string {
  return `scan ${collection}`
}
