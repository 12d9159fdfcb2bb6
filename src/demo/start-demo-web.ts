import { type Clock, humanTime, OptionError, type UnixSeconds } from '../model/index.js'
import { closeAll, DemoWeb } from './demo-web.js'
import { fastClock } from './fast-clock.js'
import { catalogue } from './plan/catalogue.js'
import { sitePlans } from './plan/sites.js'
import { LivePage } from './site/live-page.js'
import { LiveSite } from './site/live-site.js'
import { RequestTally } from './site/request-tally.js'
import { type Delays, SiteServer } from './site/site-server.js'

/** When the demo begins unless said: Monday, 5 January 2026, 6:00 UTC. */
export const demoOrigin: UnixSeconds = 1_767_592_800

export interface DemoWebOptions {
  /** With the origin it decides every change and every word. */
  readonly seed: number
  /** Demo seconds per real second; 8640, a day in 10 seconds, unless said. */
  readonly speed?: number
  /** The demo's time, instead of a fast clock that starts at the origin: a later time takes up an earlier run. */
  readonly clock?: Clock
  /** From 10 to 10,000; 150 unless said. */
  readonly pages?: number
  /** Of the first site; the others have the ports that follow. 0, any that are free, unless said. */
  readonly port?: number
  /** When the pages began to be recorded; the clock must not run before it. */
  readonly origin?: UnixSeconds
  /** Change times remembered of each page, at least; 32,768 unless said. */
  readonly changesKept?: number
  readonly delays?: Delays
}

/**
 * Starts several sites on ports of 127.0.0.1 (other loopback addresses do not
 * exist on every system) whose pages change by known laws, faster than the
 * wall clock. Nothing is stored: what a page says is worked out from the seed,
 * its number and how often it has changed.
 */
export async function startDemoWeb(options: DemoWebOptions): Promise<DemoWeb> {
  const { speed = 8640, port = 0, origin = demoOrigin } = options
  const sites = sitesOf({ ...options, origin })
  checkPort({ port, sites: sites.length })
  const clock = options.clock ?? fastClock({ speed, start: origin })
  checkNow(clock, origin)
  const tally = new RequestTally()
  const delays = { slow: 0.6, hang: 5, ...options.delays }
  const servers = sites.map(
    (site, i) => new SiteServer(site, { clock, delays, tally, port: port === 0 ? 0 : port + i }),
  )
  await openAll(servers)
  return new DemoWeb({ sites, clock, origin, servers, tally })
}

function sitesOf({
  seed,
  pages = 150,
  origin,
  changesKept,
}: DemoWebOptions & { readonly origin: UnixSeconds }): LiveSite[] {
  return catalogue({ seed, pages, origin }).map((plans, i) => {
    const kept = changesKept === undefined ? {} : { changesKept }
    const live = plans.map((plan) => new LivePage({ plan, seed, origin, ...kept }))
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
