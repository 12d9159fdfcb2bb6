import { rememberingPageReader } from '../../content/page-reader.js'
import type { RunOptions } from '../../crawler/lease-batches.js'
import { Cycle } from '../../crawler/loop.js'
import { runWithRefresher } from '../../crawler/open-crawler.js'
import type { SavedVisit } from '../../crawler/write-buffer.js'
import { HttpFetcher } from '../../fetch/http-fetcher.js'
import type { NewPage, PageRecord } from '../../model/page.js'
import { type Clock, MINUTE, type Seconds } from '../../model/units.js'
import { Random } from '../../numeric/random.js'
import type { CollectionController } from '../../planner/collection/collection-controller.js'
import type { Planner } from '../../planner/step.js'
import { publisherReader } from '../../visit/discovery.js'
import { HostGate } from '../../visit/politeness/host-gate.js'
import { PoliteVisitor, StoredVisitor } from '../../visit/politeness/visitor.js'
import { fastClock, HeldClock } from '../demo-web/clocks.js'
import { type DemoWeb, demoOrigin, startDemoWeb } from '../demo-web/demo-web.js'
import { collection, type DemoPlace } from './demo-store.js'
import { makePast, writePast } from './past-visits.js'
import { defaultWay, type OpenWay, type Way } from './ways.js'

/** Between two requests to a site, in demo time. */
const delay: Seconds = MINUTE
/** In real time: servers and people live by it, however fast the demo's clock runs. */
const held: Seconds = 60
const pollEvery: Seconds = 0.25
const watched = { firstByteTime: 1.5, delays: { slow: 0.3, hang: 2 } }
/** Where nobody looks, slow sites need not keep anyone waiting. */
const unwatched = { firstByteTime: 0.4, delays: { slow: 0.01, hang: 0.6 } }

export interface DemoLoopOptions {
  readonly place: DemoPlace
  readonly seed: number
  readonly speed: number
  /** Of this software, for the sites to see. */
  readonly version: string
  /** Its time; a clock that runs `speed` times as fast as the wall's by default. */
  readonly clock?: Clock
  /** How requests are spent; as `revisit run` does it by default. */
  readonly way?: Way
  /** The budget: requests a page and day. */
  readonly perPage: number
  /** Whether publishers' hints are followed; they are by default. */
  readonly hints?: boolean
  /** Begins with so much time behind it, of a place that is new; with none by default. */
  readonly past?: Seconds
}

/** The sample web, and the real engine, store and HTTP that follow it by its clock. */
export class DemoLoop {
  readonly web: DemoWeb
  readonly gate: HostGate
  /** The visits that it began with, in order of time. */
  readonly past: readonly SavedVisit[]
  readonly #place: DemoPlace
  readonly #fetcher: HttpFetcher
  readonly #cycle: Cycle
  readonly #way: OpenWay

  static async open(options: DemoLoopOptions): Promise<DemoLoop> {
    const { place, seed } = options
    const clock = clockOf(options)
    const { port, store, start } = place
    const { delays } = options.clock === undefined ? watched : unwatched
    const web = await startDemoWeb({ seed, clock, port, delays, origin: demoOrigin })
    const pages = web.truth().map(({ url, site }) => ({ url, group: site }))
    await store.addPages({ collection, pages, now: start })
    const random = new Random(seed)
    const { way = defaultWay, perPage } = options
    const past = clock instanceof HeldClock ? await begun(web, { ...options, pages, random }) : []
    const hints = way.followsHints === true && options.hints !== false
    if (hints) await store.addPages({ collection, pages: listsOf(web), now: clock.now() })
    const open = await way.open({ store, collection, clock, random, perPage, hints })
    return new DemoLoop(web, { ...options, hints, random, open, visits: past })
  }

  private constructor(
    web: DemoWeb,
    options: DemoLoopOptions & {
      random: Random
      open: OpenWay
      visits: readonly SavedVisit[]
    },
  ) {
    const { place, speed, version, random, open } = options
    const { firstByteTime } = options.clock === undefined ? watched : unwatched
    const { clock } = web
    const gate = new HostGate({ clock, politeness: { delay } })
    const allowedNetworks = ['127.0.0.0/8']
    this.web = web
    this.gate = gate
    this.past = options.visits
    this.#place = place
    this.#way = open
    this.#fetcher = new HttpFetcher({
      clock,
      contact: 'demo@localhost',
      version,
      allowedNetworks,
      limits: { firstByteTime, wholeTime: 10 },
    })
    const visitor = new PoliteVisitor({ fetcher: this.#fetcher, gate, clock })
    this.#cycle = new Cycle(
      {
        clock,
        store: place.store,
        visitor: new StoredVisitor({ visitor, gate }),
        reader: rememberingPageReader(),
        random,
        plannerFor: (page) => open.plannerFor(page),
        ...(options.hints === true ? { publisher: publisherReader() } : {}),
      },
      { collection, worker: 'demo', leaseTime: held * speed, pollEvery: pollEvery * speed },
    )
  }

  get store() {
    return this.#place.store
  }

  get underWay(): number {
    return this.#cycle.underWay
  }

  /** What keeps the budget, where something does. */
  get controller(): CollectionController | undefined {
    return this.#way.controller
  }

  plannerFor(page: PageRecord): Planner {
    return this.#way.plannerFor(page)
  }

  /** What a demo that was killed had leased is due again at once. */
  async run(options: RunOptions): Promise<void> {
    await this.store.releaseWorker('demo')
    if (this.web.clock instanceof HeldClock) this.web.clock.letGo()
    await runWithRefresher(this.#cycle, this.#way, options)
  }

  /** Share of copies that are predicted to be fresh just now; null where nothing is predicted. */
  predicted(): number | null {
    return this.#way.predicted()
  }

  async close(): Promise<void> {
    const until = this.web.clock.now()
    await this.#fetcher.close()
    await this.web.close()
    await this.#place.closeAt(until)
  }
}

/** With a past, time stands still until the loop runs: making it takes some of the real one. */
function clockOf({ clock, place, past = 0, speed }: DemoLoopOptions): Clock {
  if (clock !== undefined) return clock
  const { start } = place
  return past > 0 && start === demoOrigin
    ? new HeldClock({ speed, start: start + past })
    : fastClock({ speed, start })
}

/** The visits up to now, made at once and written to the store. */
async function begun(
  web: DemoWeb,
  {
    place,
    perPage,
    pages,
    random,
  }: DemoLoopOptions & { pages: readonly NewPage[]; random: Random },
): Promise<readonly SavedVisit[]> {
  const until = web.clock.now()
  const past = await makePast(web, { pages, random, perPage, delay, until })
  await writePast(place.store, past)
  return past.visits.map(({ lease, visit, due }) => ({ lease, visit, due }))
}

/** Its sitemaps and feeds, which tell of the changes of their pages. */
function listsOf({ sites }: DemoWeb): NewPage[] {
  return sites.flatMap(({ name, sitemap, feed }) =>
    [sitemap, feed].flatMap((url) =>
      url === null ? [] : [{ url, group: `lists of ${name}`, settings: { role: 'list' } }],
    ),
  )
}
