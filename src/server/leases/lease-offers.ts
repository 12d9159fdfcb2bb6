import type { HostRecord, Lease } from '../../model/lease.js'
import { hostOf, type PageRecord } from '../../model/page.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'
import { dueWithin, nextAllowed } from '../../policies/allowed-hours.js'
import { postponed } from '../../visit/deferred.js'
import { forbiddenReport } from '../../visit/report.js'
import { askedAddress, asksHome, unconditionalShareOf } from '../../visit/request.js'
import type { ServiceParts } from '../service-parts.js'

/** The host that a visit of the page asks: its own, or that to which it has moved. */
export function askedHost(page: PageRecord): string {
  return hostOf(askedAddress(page).url)
}

interface LeaseAsked {
  readonly worker: string
  readonly limit: number
  readonly perHost: number
  readonly ttl: Seconds
  readonly host?: string
}

/** A page to be fetched elsewhere, and how the host that it asks wants to be treated. */
export interface LeaseOffer {
  readonly lease: Lease
  readonly notBefore: UnixSeconds
  readonly delay: Seconds
  readonly robots: 'allowed' | 'unknown'
  readonly unconditional: boolean
}

/** Pages that turn out not to be given are made up for, so many times. */
const rounds = 5
/** Enough to book a host. */
const bookingTime: Seconds = 60
/** A host that another is about to ask is soon free. */
const askAgain: Seconds = 1
/** Share of conditional visits made unconditionally, to catch a server whose 304 lies. */
const unconditionalShare = 0.05

/**
 * Gives pages that are due to outside fetchers, as politely as our own loop
 * visits them: hosts that rest are left alone, what robots.txt forbids is
 * recorded as such and not given, and the host is booked before the page goes
 * out, so that nobody else asks it meanwhile.
 */
export class LeaseService {
  readonly #parts: ServiceParts

  constructor(parts: ServiceParts) {
    this.#parts = parts
  }

  /** Others may use the day's budget too: it is heard of before, and what is given is told. */
  async give(asked: LeaseAsked): Promise<readonly LeaseOffer[]> {
    const { countToday } = this.#parts
    await countToday?.()
    const given = await this.#give(asked)
    if (given.length > 0) await countToday?.()
    return given
  }

  async #give(asked: LeaseAsked): Promise<readonly LeaseOffer[]> {
    const given: LeaseOffer[] = []
    const ofHost = new Map<string, number>()
    for (let round = 0; round < rounds && given.length < asked.limit; round++) {
      if (this.#isSpent) break
      const leases = await this.#lease({ ...asked, limit: asked.limit - given.length })
      if (leases.length === 0) break
      for (const [host, pages] of byAskedHost(leases)) {
        const before = ofHost.get(host) ?? 0
        const offers = await this.#ofHost(host, { pages, asked, before })
        ofHost.set(host, before + offers.length)
        given.push(...offers)
      }
    }
    return given
  }

  /** When there will be something to give to who asks the same again. */
  async next({
    perHost,
    host,
    worker,
  }: Pick<LeaseAsked, 'perHost' | 'host' | 'worker'>): Promise<UnixSeconds | null> {
    const { store, collection, clock, web } = this.#parts
    const only = host === undefined ? {} : { host }
    const asked = { collection, perHost, worker: outsideName(worker), ...only }
    const next = await store.nextDue({ ...asked, now: clock.now() })
    return next === null ? null : Math.max(next, web.hosts.spentUntil() ?? next)
  }

  /** The budget of all requests is ours: no host is to rest because it is used up. */
  get #isSpent(): boolean {
    return this.#parts.web.hosts.spentUntil() !== null
  }

  #lease({ worker, limit, perHost, ttl, host }: LeaseAsked): Promise<readonly Lease[]> {
    const { store, collection, clock } = this.#parts
    const terms = { collection, limit, perHost, ttl, worker: outsideName(worker) }
    const only = host === undefined ? {} : { host }
    return store.leaseDue({ ...terms, ...only, now: clock.now() })
  }

  /** Pages that ask one host: its own, and those of other hosts that have moved to it. */
  async #ofHost(
    host: string,
    { pages, asked, before }: { pages: readonly Lease[]; asked: LeaseAsked; before: number },
  ): Promise<LeaseOffer[]> {
    const { store, clock } = this.#parts
    // Nobody else may ask it, nor change its record, until it is booked for all of them.
    const worker = outsideName(asked.worker)
    const hold = await store.holdHost({ host, worker, now: clock.now(), ttl: bookingTime })
    if (hold === null) {
      const until = clock.now() + askAgain
      for (const lease of pages) await this.#putBack(lease, { host, record: null, until })
      return []
    }
    let booked: HostRecord | null = null
    try {
      const given = await this.#booked(host, { pages, asked, before, record: hold.record })
      booked = given.record
      return given.offers
    } finally {
      await (booked === null ? store.releaseHost(hold) : store.releaseHost(hold, booked))
    }
  }

  /** What is given, and the host's record where that has changed. */
  async #booked(
    host: string,
    {
      pages,
      asked,
      before,
      record: known,
    }: {
      pages: readonly Lease[]
      asked: LeaseAsked
      before: number
      record: HostRecord | null
    },
  ): Promise<{ offers: LeaseOffer[]; record: HostRecord | null }> {
    const { store, clock, web } = this.#parts
    let record = known
    const offers: LeaseOffer[] = []
    for (const lease of pages) {
      if (this.#isSpent) {
        await store.releaseLeases([lease])
        continue
      }
      if (await this.#notGiven(lease, record)) continue
      const notBefore = Math.max(clock.now(), web.hosts.readyAt(host, record))
      const count = before + offers.length
      // A first page waits for its host to have rested; a later one for those before it.
      const tooLate = notBefore > clock.now() + (count === 0 ? 0 : asked.ttl / 2)
      // The store counts a host's own pages; those that have moved to it come on top.
      if (tooLate || count >= asked.perHost) {
        await this.#putBack(lease, { host, record, until: notBefore })
        continue
      }
      record = web.hosts.begun(host, record, notBefore)
      offers.push({ lease, notBefore, ...this.#manner(lease, record) })
    }
    return { offers, record: offers.length > 0 ? record : null }
  }

  #manner({ page }: Lease, record: HostRecord | null): Omit<LeaseOffer, 'lease' | 'notBefore'> {
    const { web, random } = this.#parts
    const known = web.hosts.allows(askedAddress(page).url, record) !== null
    return {
      delay: web.hosts.delay(askedHost(page), record),
      robots: known ? 'allowed' : 'unknown',
      unconditional:
        page.fingerprint === null ||
        asksHome(page) ||
        web.reader.isCurrent?.(page) === false ||
        random.uniform() < unconditionalShareOf(page, unconditionalShare),
    }
  }

  /** A page outside its hours is put off, and one that robots.txt forbids is recorded as that. */
  async #notGiven(lease: Lease, host: HostRecord | null): Promise<boolean> {
    const { store, clock, hoursFor, web, feed } = this.#parts
    const { page } = lease
    const now = clock.now()
    const hours = hoursFor?.(page) ?? null
    if (hours !== null && nextAllowed(now, hours) !== now) {
      const due = dueWithin({ at: now, reason: page.due.reason }, hours)
      await store.changePage(page, { due })
      await store.releaseLeases([lease])
      return true
    }
    if (web.hosts.allows(askedAddress(page).url, host) !== false) return false
    await store.recordVisits([forbiddenReport({ lease, host: undefined, at: now })])
    feed.nudge()
    return true
  }

  /** The host rests: its own pages are not leased again before, and of others this one alone. */
  async #putBack(
    lease: Lease,
    { host, record, until }: { host: string; record: HostRecord | null; until: UnixSeconds },
  ): Promise<void> {
    const { store, hoursFor } = this.#parts
    const { page } = lease
    const hours = hoursFor?.(page) ?? null
    const own = host === page.host ? (record ?? undefined) : undefined
    const hostBefore = () => store.getHost(page.host)
    await postponed(lease, { host: own, until, hours }, { store, hostBefore })
  }
}

/** Apart from the names of our own processes, so that nobody gives back what the loop holds. */
export function outsideName(worker: string): string {
  return `outside:${worker}`
}

function byAskedHost(leases: readonly Lease[]): Map<string, Lease[]> {
  const hosts = new Map<string, Lease[]>()
  for (const lease of leases) {
    const host = askedHost(lease.page)
    hosts.set(host, [...(hosts.get(host) ?? []), lease])
  }
  return hosts
}
