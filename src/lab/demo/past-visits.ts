import { rememberingPageReader } from '../../content/page-reader.js'
import { openCrawler } from '../../crawler/open-crawler.js'
import { OptionError } from '../../model/errors.js'
import type { Lease } from '../../model/lease.js'
import type { LearnerState, NewPage, PageRecord } from '../../model/page.js'
import type { Due } from '../../model/policy.js'
import type { Store } from '../../model/store.js'
import {
  type Clock,
  DAY,
  type Json,
  type RandomSource,
  type Seconds,
  type UnixSeconds,
} from '../../model/units.js'
import type { VisitReport } from '../../model/visit-record.js'
import { openMemoryStore } from '../../store/memory/store.js'
import { recordAfter } from '../../store/page-row.js'
import type { VisitSession } from '../../visit/session.js'
import type { DemoWeb } from '../demo-web/demo-web.js'
import { collection } from './demo-store.js'

interface PastOptions {
  readonly pages: readonly NewPage[]
  readonly random: RandomSource
  /** The budget: requests a page and day. */
  readonly perPage: number
  /** Between two requests to a site. */
  readonly delay: Seconds
  readonly until: UnixSeconds
}

/** A visit of the past, with the page as it was before. */
interface PastVisit extends VisitReport {
  readonly lease: Lease
}

/** Visits that were made before anybody looked, and what the planner came to by them. */
interface Past {
  /** In order of time. */
  readonly visits: readonly PastVisit[]
  /** What is planned for each page at the end, and what is known of it. */
  readonly pages: ReadonlyMap<string, { readonly due: Due; readonly state: LearnerState | null }>
  /** The planner's own records: price, prior and budget. */
  readonly settings: Readonly<Record<string, Json>>
}

/**
 * Follows the sample web from its beginning up to a moment as the loop would:
 * visits, reports, next visits and the price of each day are a crawler's own.
 * Only the store is kept in memory, sites are asked in this process, one request
 * at a time, and the store learns of a day's visits at its end.
 */
export async function makePast(web: DemoWeb, options: PastOptions): Promise<Past> {
  const { pages, random, perPage, until } = options
  const clock = new PastClock(web.origin)
  const store = openMemoryStore()
  await store.addPages({ collection, pages, now: clock.at })
  const crawler = await openCrawler({
    store,
    collection,
    clock,
    random,
    worker: 'demo',
    visitor: web.visitorAt(clock),
    reader: rememberingPageReader(),
    publisher: null,
    siblings: false,
    budget: { perPage },
    hints: false,
  })
  const { controller, session } = crawler
  await controller.begin(clock.now())
  const visits: PastVisit[] = []
  const hosts = new Map<string, UnixSeconds>()
  for (let from = clock.at; from < until; from += DAY) {
    const end = Math.min(until, from + DAY)
    const day = new PastDay({ session, clock, hosts, delay: options.delay })
    visits.push(...(await day.run(store, { from, end })))
    clock.at = end
    if (await controller.isDue(end)) await controller.refresh({ now: end })
  }
  await crawler.close()
  const known = await allPages(store)
  return {
    visits,
    pages: new Map(known.map(({ url, due, state }) => [url, { due, state }])),
    settings: await store.settings(collection),
  }
}

/** Time that is set by whoever makes the past; sleeping is passing it. */
class PastClock implements Clock {
  at: UnixSeconds

  constructor(at: UnixSeconds) {
    this.at = at
  }

  now(): UnixSeconds {
    return this.at
  }

  async sleep(duration: Seconds): Promise<void> {
    this.at += duration
  }
}

interface DayParts {
  readonly session: VisitSession
  readonly clock: PastClock
  /** When each host may be asked again. */
  readonly hosts: Map<string, UnixSeconds>
  readonly delay: Seconds
}

/** The visits of one day, page by page as they fall due. */
class PastDay {
  readonly #parts: DayParts

  constructor(parts: DayParts) {
    this.#parts = parts
  }

  async run(
    store: Store,
    { from, end }: { readonly from: UnixSeconds; readonly end: UnixSeconds },
  ): Promise<PastVisit[]> {
    const terms = { worker: 'past', now: from, ttl: 2 * DAY }
    const held = await store.leasePages({ ...terms, pages: await allPages(store) })
    const leases = [...held]
    const visits: PastVisit[] = []
    for (let at = this.#next(leases, from); at !== null; at = this.#next(leases, from)) {
      if (at.time >= end) break
      const visit = await this.#visit(leases[at.index]!, at.time)
      leases[at.index] = { ...leases[at.index]!, page: recordAfter(visit.lease.page, visit) }
      visits.push(visit)
    }
    await store.recordVisits(visits.map(({ content: _, ...visit }) => visit))
    await store.releaseLeases(held)
    return visits
  }

  /** The page that is visited next, and when; null where none ever is. */
  #next(leases: readonly Lease[], from: UnixSeconds): { index: number; time: UnixSeconds } | null {
    let next = -1
    let soonest = Infinity
    for (let index = 0; index < leases.length; index++) {
      const { page, host } = leases[index]!
      const { at } = page.due
      if (at === 'never' || at >= soonest) continue
      const time = Math.max(from, at, this.#parts.hosts.get(host) ?? from)
      if (time >= soonest) continue
      next = index
      soonest = time
    }
    return next < 0 ? null : { index: next, time: soonest }
  }

  async #visit(lease: Lease, at: UnixSeconds): Promise<PastVisit> {
    const { session, clock, hosts, delay } = this.#parts
    clock.at = at
    hosts.set(lease.host, at + delay)
    const { report } = await session.visit(lease)
    // Nothing of the demo's pages lets a visit be deferred: they have no hours, and no budget runs out.
    if (report === null) throw new Error(`the visit of ${lease.page.url} was deferred`)
    return { ...report, lease, keepLease: true }
  }
}

async function allPages(store: Store): Promise<readonly PageRecord[]> {
  const pages = await store.countPages({ collection })
  return (await store.listPages({ collection, limit: Math.max(1, pages) })).pages
}

/** Visits in one commit. */
const batch = 1000
/** Copies of each page that are kept of the past: packing all of them would take as long as the rest. */
const copies = 4

/** Writes a past to a store whose pages were never visited, as if it had been made there. */
export async function writePast(store: Store, past: Past): Promise<void> {
  const { pages } = await store.listPages({ collection, limit: past.pages.size })
  const now = past.visits.at(-1)?.visit.at ?? 0
  const leases = await store.leasePages({ pages, worker: 'past', now, ttl: 3600 })
  const byUrl = new Map(leases.map((lease) => [lease.page.url, lease]))
  const reports = rewritten(past, byUrl)
  for (let i = 0; i < reports.length; i += batch) {
    const results = await store.recordVisits(reports.slice(i, i + batch))
    if (results.some((fate) => fate !== 'recorded'))
      throw new OptionError('past-refused', 'the store has visits already; begin with a new one')
  }
  await store.releaseLeases(leases)
  for (const [name, value] of Object.entries(past.settings))
    await store.putSetting(collection, name, value)
}

/** By the store's own leases; the last visit of each page with what was planned after it, and the newest copies. */
function rewritten(past: Past, leases: ReadonlyMap<string, Lease>): PastVisit[] {
  const later = new Map<string, { visits: number; copies: number }>()
  const reports = past.visits.toReversed().map((report) => {
    const { url } = report.lease.page
    const seen = later.get(url) ?? { visits: 0, copies: 0 }
    const { content, ...rest } = report
    const kept = content !== undefined && seen.copies < copies
    later.set(url, { visits: seen.visits + 1, copies: seen.copies + (kept ? 1 : 0) })
    const { due, state } = past.pages.get(url)!
    const last = seen.visits > 0 ? {} : { due, ...(state === null ? {} : { state }) }
    return { ...rest, lease: leases.get(url)!, ...last, ...(kept ? { content } : {}) }
  })
  return reports.reverse()
}
