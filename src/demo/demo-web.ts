import type { Clock, UnixSeconds, Visitor } from '../model/index.js'
import { DirectVisitor } from './site/direct-visitor.js'
import type { LiveSite } from './site/live-site.js'
import type { RequestCounts, RequestTally } from './site/request-tally.js'
import type { SiteServer } from './site/site-server.js'
import { WebTruth } from './truth/web-truth.js'

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

export async function closeAll(servers: readonly SiteServer[]): Promise<void> {
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
