import type {
  FetchAnswer,
  FetchRequest,
  HostAccess,
  Offered,
  PoliteVisit,
  Visitor,
} from '../model/fetcher.js'
import type { HostRecord, Lease } from '../model/lease.js'
import type { Store } from '../model/store.js'
import type { Clock, Seconds, UnixSeconds } from '../model/units.js'
import type { Rest } from './deferred.js'
import type { Again } from './noise-recheck.js'
import { storeHostAccess } from './politeness/host-holds.js'
import { visitOnce } from './request.js'
import type { ClientReport } from './session-parts.js'

/** Repeats of one visit are given up after this. */
const longest: Seconds = 60

/** Until when repeats of a visit that is leased for so long may go on. */
function repeatsEnd(now: UnixSeconds, leaseTime: Seconds): UnixSeconds {
  return now + Math.min(longest, leaseTime / 4)
}

interface RepeatParts {
  readonly store: Store
  readonly visitor: Visitor
  readonly clock: Clock
  readonly leaseTime: Seconds
  readonly worker: string
  readonly rest: (lease: Lease, rest: Rest) => Promise<void>
  /** Between two samples. */
  readonly wait: Seconds
  /** What the first request asked, and what it keeps in memory. */
  readonly request: FetchRequest
  readonly bytes: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Our own repeats of a visit. They are visits like any other to the host: they
 * ask for its permit, keep its delay and are booked; other pages of it may have their
 * turn in between. They are given up when the loop is to end, or well before
 * the page's lease runs out.
 */
export class Repeats {
  readonly #lease: Lease
  readonly #parts: RepeatParts
  readonly #hostAccess: HostAccess
  readonly #end: number
  /** What the samples so far keep in memory. */
  #bytes: number
  /** The record of the page's host after the last repeat. */
  host: HostRecord | undefined

  constructor(lease: Lease, parts: RepeatParts) {
    const { worker, leaseTime: ttl, signal, clock, bytes } = parts
    this.#lease = lease
    this.#parts = parts
    this.#hostAccess = storeHostAccess(parts, { worker, ttl, signal })
    this.#bytes = bytes
    this.#end = repeatsEnd(clock.now(), ttl)
  }

  readonly again: Again = async () => {
    const { clock, signal, rest, wait } = this.#parts
    if (clock.now() + wait > this.#end) return null
    await rest(this.#lease, { until: clock.sleep(wait, signal), bytes: this.#bytes })
    while (signal?.aborted !== true && clock.now() <= this.#end) {
      const visit = await this.#visit()
      if (visit.kind === 'answered') {
        if (visit.answer.kind !== 'content') return null
        this.#bytes += visit.answer.body.length
        return visit.answer
      }
      if (visit.kind === 'disallowed' || visit.until > this.#end) return null
      await clock.sleep(Math.max(0, visit.until - clock.now()), signal)
    }
    return null
  }

  /** Asked as the first time, rendered by a browser where that one was. */
  async #visit() {
    const { visitor, request } = this.#parts
    const home = this.#lease.host
    const repeat = { ...request, unconditional: true }
    const visit = await visitOnce(visitor, repeat, { hostAccess: this.#hostAccess, home })
    this.host = visit.hosts.find((each) => each.host === home) ?? this.host
    return visit
  }
}

interface ClientRepeatParts {
  readonly clock: Clock
  readonly wait: Seconds
  /** How long the client has the page. */
  readonly ttl: Seconds
  readonly repeat: NonNullable<ClientReport['repeat']>
  /** Asks for the host's permit for a repeat, up to so many seconds from now. */
  readonly offer: (ahead: Seconds) => Promise<Offered | PoliteVisit>
  /** The repeat has ended for its host. */
  readonly ended: (answer: FetchAnswer) => Promise<PoliteVisit>
}

/**
 * Repeats by the client that made the visit: another place, login or browser
 * would be given other bytes. Each has its host's permit as a first request has.
 */
export class ClientRepeats {
  readonly #parts: ClientRepeatParts
  readonly #end: UnixSeconds
  /** The record of the page's host after the last repeat. */
  host: HostRecord | undefined

  constructor(parts: ClientRepeatParts) {
    this.#parts = parts
    this.#end = repeatsEnd(parts.clock.now(), parts.ttl)
  }

  readonly again: Again = async () => {
    const { clock, wait, offer, repeat, ended } = this.#parts
    const soonest = clock.now() + wait
    if (soonest > this.#end) return null
    const offered = await offer(this.#end - clock.now())
    if (offered.kind !== 'offered') return null
    const notBefore = Math.max(offered.notBefore, soonest)
    const answer = await repeat({ ...offered, notBefore }, this.#end)
    if (answer === null) return null
    const visit = await ended(answer)
    this.host = visit.hosts[0] ?? this.host
    return answer.kind === 'content' ? answer : null
  }
}
