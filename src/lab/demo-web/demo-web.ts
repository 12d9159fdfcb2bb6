import { humanTime } from '../../model/duration.js'
import { OptionError } from '../../model/errors.js'
import type { Visitor } from '../../model/fetcher.js'
import type { Clock, UnixSeconds } from '../../model/units.js'
import { catalogue } from './catalogue.js'
import { fastClock } from './clocks.js'
import { DirectVisitor } from './direct-visitor.js'
import { LivePage, LiveSite } from './live-site.js'
import { sitePlans } from './site-plans.js'
import { type Delays, type RequestCounts, RequestTally, SiteServer } from './site-server.js'
import { WebTruth } from './web-truth.js'

/** Where a site is. */
export interface DemoSite {
  readonly name: string
  readonly title: string
  /** Scheme and authority, without a slash at the end. */
  readonly base: string
  readonly robots: string
  readonly sitemap: string
  readonly feed: string | null
  readonly pages: number
}

/** A living sample web that is being served, and its truth. Times are demo times, by its clock. */
export class DemoWeb extends WebTruth {
  readonly clock: Clock
  /** When it began. */
  readonly origin: UnixSeconds
  readonly sites: readonly DemoSite[]
  readonly #live: readonly LiveSite[]
  readonly #servers: readonly SiteServer[]
  readonly #tally: RequestTally
  #closed: Promise<void> | undefined

  constructor({
    sites,
    clock,
    origin,
    servers,
    tally,
  }: {
    readonly sites: readonly LiveSite[]
    readonly clock: Clock
    readonly origin: UnixSeconds
    readonly servers: readonly SiteServer[]
    readonly tally: RequestTally
  }) {
    super({ sites, clock })
    this.clock = clock
    this.origin = origin
    this.sites = sites.map(addressOf)
    this.#live = sites
    this.#servers = servers
    this.#tally = tally
  }

  /** What reached the servers so far. */
  requests(): RequestCounts {
    return this.#tally.counts()
  }

  /** Asks the sites in this process, as they are by another clock: for times up to now. */
  visitorAt(clock: Clock): Visitor {
    return new DirectVisitor({ sites: this.#live, clock, tally: this.#tally })
  }

  /** Stops all sites and ends their connections, in the middle of an answer too; once is enough. */
  close(): Promise<void> {
    this.#closed ??= closeAll(this.#servers)
    return this.#closed
  }
}

async function closeAll(servers: readonly SiteServer[]): Promise<void> {
  await Promise.all(servers.map((server) => server.close()))
}

function addressOf({ plan, base, pages }: LiveSite): DemoSite {
  return {
    name: plan.name,
    title: plan.title,
    base,
    robots: `${base}/robots.txt`,
    sitemap: `${base}/sitemap.xml`,
    feed: plan.feed ? `${base}/feed.xml` : null,
    pages: pages.length,
  }
}

/** When the demo begins by default: Monday, 5 January 2026, 6:00 UTC. */
export const demoOrigin: UnixSeconds = 1_767_592_800

export interface DemoWebOptions {
  /** With the origin it decides every change and every word. */
  readonly seed: number
  /** Demo seconds per real second; 8640, a day in 10 seconds, by default. */
  readonly speed?: number
  /** The demo's time, instead of a fast clock that starts at the origin: a later time takes up an earlier run. */
  readonly clock?: Clock
  /** From 10 to 10,000; 150 by default. */
  readonly pages?: number
  /** Of the first site; the others have the ports that follow. 0, any that are free, by default. */
  readonly port?: number
  /** When the pages began to be recorded; the clock must not run before it. */
  readonly origin?: UnixSeconds
  /** Change times remembered of each page, at least; 32,768 by default. */
  readonly changesKept?: number
  readonly delays?: Delays
  /**
   * Whether sites are reached by their names, such as courier.localhost: browsers and our resolver
   * lead those to this machine (RFC 6761, 6.3), not every other program. By 127.0.0.1 by default.
   */
  readonly named?: boolean
  /** Whether pages declare how often they change, in a Change-Frequency tag; they do not by default. */
  readonly declares?: boolean
}

/**
 * Starts several sites on ports of 127.0.0.1 (other loopback addresses do not
 * exist on every system) whose pages change by known laws, faster than the
 * wall clock. Nothing is stored: what a page says is worked out from the seed,
 * its number and how often it has changed.
 */
export async function startDemoWeb(options: DemoWebOptions): Promise<DemoWeb> {
  const { speed = 8640, port = 0, origin = demoOrigin, named = false } = options
  const sites = sitesOf({ ...options, origin })
  checkPort({ port, sites: sites.length })
  const clock = options.clock ?? fastClock({ speed, start: origin })
  checkNow(clock, origin)
  const tally = new RequestTally()
  const delays = { slow: 0.6, hang: 5, ...options.delays }
  const servers = sites.map(
    (site, i) =>
      new SiteServer(site, { clock, delays, tally, named, port: port === 0 ? 0 : port + i }),
  )
  await openAll(servers)
  return new DemoWeb({ sites, clock, origin, servers, tally })
}

function sitesOf({
  seed,
  pages = 150,
  origin,
  changesKept,
  declares = false,
}: DemoWebOptions & { readonly origin: UnixSeconds }): LiveSite[] {
  return catalogue({ seed, pages, origin }).map((plans, i) => {
    const kept = changesKept === undefined ? {} : { changesKept }
    const live = plans.map((plan) => new LivePage({ plan, seed, origin, declares, ...kept }))
    return new LiveSite({ plan: sitePlans[i]!, pages: live, seed })
  })
}

function checkPort({ port, sites }: { port: number; sites: number }): void {
  if (Number.isInteger(port) && port >= 0 && port + sites - 1 <= 65_535) return
  throw new OptionError(
    'bad-port',
    `port is ${port}, but it must be 0 or leave room for ${sites} ports up to 65535`,
  )
}

function checkNow(clock: Clock, origin: UnixSeconds): void {
  const now = clock.now()
  if (Number.isFinite(origin) && now >= origin && now < Infinity) return
  throw new OptionError(
    'bad-origin',
    `the demo begins ${humanTime(origin)}, but its clock shows ${humanTime(now)}; let the clock start there or later`,
  )
}

/** Either all sites are open or none is. */
async function openAll(servers: readonly SiteServer[]): Promise<void> {
  const opened = await Promise.allSettled(servers.map((server) => server.open()))
  const failed = opened.find((each) => each.status === 'rejected')
  if (failed === undefined) return
  await closeAll(servers)
  throw failed.reason
}
