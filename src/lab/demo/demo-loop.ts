import { type Crawler, openCrawler } from '../../crawler/open-crawler.js'
import type { SavedVisit } from '../../crawler/unsaved-visits.js'
import type { NewPage } from '../../model/page.js'
import type { FileStore } from '../../model/store.js'
import { type Clock, MINUTE, type RandomSource, type Seconds } from '../../model/units.js'
import { Random } from '../../numeric/random.js'
import { policyOf } from '../../planner/registry.js'
import { fastClock, HeldClock } from '../demo-web/clocks.js'
import { type DemoWeb, demoOrigin, startDemoWeb } from '../demo-web/demo-web.js'
import { collection, type DemoPlace, openPlace, type PlaceOptions } from './demo-store.js'
import { makePast, writePast } from './past-visits.js'
import { defaultWay, ScaledRule, type Way } from './ways.js'

/** Between two requests to a site, in demo time. */
const delay: Seconds = MINUTE
/** In real time: servers and people live by it, however fast the demo's clock runs. */
const held: Seconds = 60
const pollEvery: Seconds = 0.25
const watched = { firstByteTime: 1.5, delays: { slow: 0.3, hang: 2 } }
/** Where nobody looks, slow sites need not keep anyone waiting. */
const unwatched = { firstByteTime: 0.4, delays: { slow: 0.01, hang: 0.6 } }
const worker = 'demo'

export interface DemoLoopOptions extends PlaceOptions {
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
  /** The policy of all pages, which spends what it asks for; the default's, by the budget, where undefined. */
  readonly policy?: string | undefined
  /** Begins with so much time behind it, of a place that is new; with none by default. */
  readonly past?: Seconds
}

interface DemoParts {
  readonly web: DemoWeb
  readonly crawler: Crawler
  readonly place: DemoPlace
  readonly past: readonly SavedVisit[]
  /** Kept to the budget beside the loop; null where the default is followed. */
  readonly rule: ScaledRule | null
}

/** The sample web, and a crawler with its real store and HTTP that follows it by its clock. */
export class DemoLoop {
  readonly web: DemoWeb
  readonly crawler: Crawler
  /** The visits that it began with, in order of time. */
  readonly past: readonly SavedVisit[]
  readonly #place: DemoPlace
  readonly #rule: ScaledRule | null

  /** Opens the store of an earlier demo or a new one, starts the sites, and adds their pages. */
  static async open(options: DemoLoopOptions): Promise<DemoLoop> {
    const place = await openPlace(options)
    try {
      return new DemoLoop(await openParts(place, options))
    } catch (error) {
      await place.closeAt(place.start)
      throw error
    }
  }

  private constructor({ web, crawler, place, past, rule }: DemoParts) {
    this.web = web
    this.crawler = crawler
    this.past = past
    this.#place = place
    this.#rule = rule
  }

  get store(): FileStore {
    return this.#place.store
  }

  /** Time passes from now on: what was made before is done. To be called before the crawler is run. */
  begin(): void {
    const { clock } = this.web
    if (clock instanceof HeldClock) clock.release()
  }

  /** Share of copies that are predicted to be fresh just now; null where nothing is predicted. */
  predicted(): number | null {
    return this.#rule === null ? this.crawler.controller.predicted : null
  }

  async close(): Promise<void> {
    const until = this.web.clock.now()
    await this.crawler.close()
    await this.web.close()
    await this.#place.closeAt(until)
  }
}

async function openParts(place: DemoPlace, options: DemoLoopOptions): Promise<DemoParts> {
  const { seed, speed, version, perPage, way = defaultWay, policy } = options
  const { store, port, named, start } = place
  const clock = clockOf(options, place)
  const { firstByteTime, delays } = options.clock === undefined ? watched : unwatched
  const declares = policy !== undefined && readsDeclared(policy)
  const web = await startDemoWeb({
    seed,
    clock,
    port,
    named,
    delays,
    declares,
    origin: demoOrigin,
  })
  const pages = web.truth().map(({ url, site }) => ({ url, group: site }))
  await store.addPages({ collection, pages, now: start })
  const random = new Random(seed)
  const past = clock instanceof HeldClock ? await begun(web, { place, perPage, pages, random }) : []
  const rule = way.rule === undefined ? null : new ScaledRule(way.rule, { store, clock, perPage })
  const hints = rule === null && options.hints !== false
  // A policy by name would visit the lists as if they were pages, and heed none of them.
  if (hints && policy === undefined)
    await store.addPages({ collection, pages: listsOf(web), now: clock.now() })
  const crawler = await openCrawler({
    store,
    collection,
    clock,
    random,
    worker,
    // What a demo that was killed had leased is due again at once.
    isRunning: (name) => name !== worker,
    version,
    contact: 'demo@localhost',
    allowedNetworks: ['127.0.0.0/8'],
    firstByteTime,
    wholeTime: 10,
    delay,
    leaseTime: held * speed,
    pollEvery: pollEvery * speed,
    budget: { perPage },
    hints,
    ...(policy === undefined ? {} : { policy }),
    ...(hints ? {} : { publisher: null }),
    ...(rule === null
      ? {}
      : {
          plannerFor: (page) => rule.plannerFor(page),
          beside: (signal) => rule.refresh(signal),
        }),
  })
  return { web, crawler, place, past, rule }
}

/** Whether a policy goes by what pages declare; the sample web's do so for such a one alone. */
function readsDeclared(policy: string): boolean {
  return ['barrels', 'declared'].includes(policyOf(policy).name)
}

/** With a past, time stands still until the loop begins: making it takes some of the real one. */
function clockOf({ clock, past = 0, speed }: DemoLoopOptions, { start }: DemoPlace): Clock {
  if (clock !== undefined) return clock
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
  }: {
    readonly place: DemoPlace
    readonly perPage: number
    readonly pages: readonly NewPage[]
    readonly random: RandomSource
  },
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
