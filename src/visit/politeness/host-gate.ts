import type { HostHold, HostRecord } from '../../model/lease.js'
import type { DayCount } from '../../model/store.js'
import { type Clock, DAY, type Seconds, type UnixSeconds } from '../../model/units.js'
import { HeldHost } from './host-holds.js'
import {
  allowedAt,
  bothCounts,
  counted,
  dayOf,
  delayOf,
  type HostState,
  heldBy,
  hostFrom,
  hostInTime,
  newHost,
  noRequests,
  type RequestEnd,
  requestEnded,
  requestStarted,
  withinBudget,
} from './host-state.js'
import { type Politeness, politeness } from './politeness.js'
import { isCurrent, robotsAgent } from './robots-record.js'

/** Permission to make one request. */
export class RequestPermit {
  readonly host: string
  readonly #gate: HostGate
  #bookedFor: UnixSeconds = -Infinity

  constructor(host: string, gate: HostGate) {
    this.host = host
    this.#gate = gate
  }

  /** The host is on record as asked at this time at the latest: nobody asks it for its delay after that. */
  bookedFor(latest: UnixSeconds): void {
    this.#bookedFor = latest
  }

  /**
   * Whether the request may go out now: a process that stood still, or took
   * long to connect, finds that another may have the host by now.
   */
  holdsNow(): boolean {
    return this.#gate.maySend(this.host, this.#bookedFor)
  }

  /** Must be called once, with how it ended. */
  release(end: RequestEnd): void {
    this.#gate.release(this.host, end)
  }
}

export type Admission = { readonly admitted: true; readonly permit: RequestPermit } | Refusal

export interface Refusal {
  readonly admitted: false
  /** When to ask again. */
  readonly at: UnixSeconds
  /** Whether the budget of all requests is used up: no host is asked before then, through no fault of its own. */
  readonly spent?: true
}

/** How an admission is waited for. */
export interface EnterTerms {
  readonly patience: Seconds
  readonly signal?: AbortSignal | undefined
  /** Whether the request need no longer be made; asked after each wait, and ends it. */
  readonly needless?: () => boolean
}

/** What politeness knows of a host. */
export interface HostFacts {
  readonly delay: Seconds
  readonly readyAt: UnixSeconds
  /** Failures in a row. */
  readonly failures: number
  readonly requestsToday: number
  readonly robots: readonly {
    readonly origin: string
    readonly verdict: string
    readonly until: UnixSeconds
    readonly crawlDelay: Seconds | null
    readonly rules: number
  }[]
}

export interface HostGateOptions {
  readonly clock: Clock
  readonly politeness?: Partial<Politeness>
  /** The count of all requests, as it was last stored. */
  readonly today?: DayCount
}

/** Longer than any delay, backoff, Retry-After or robots.txt that is followed. */
const longestAccepted: Seconds = 31 * DAY
/** A day is soon enough to ask in any case: the clock may have been set back. */
const longestRest: Seconds = DAY
/** While a request is under way nobody knows when it ends. */
const askAgain: Seconds = 1

/** What clocks of processes that go by one may differ by: a host is not asked that late in a lease. */
const clocksDiffer: Seconds = 0.1

/**
 * Admits requests to hosts: one at a time each, with a delay, within the
 * budgets. All it knows of a host is the host's record, and that only while the
 * host is held: other processes ask it and write its record at all other
 * times. Hosts that are not remembered are taken as new.
 */
export class HostGate {
  readonly #clock: Clock
  #politeness: Politeness
  readonly #hosts = new Map<string, HostState>()
  readonly #held = new Map<string, HeldHost>()
  /** Hosts with a request under way, and those who wait for its end. */
  readonly #busy = new Map<string, Array<() => void>>()
  #ours: DayCount = noRequests
  /** Requests of the day before we began, and of other processes. */
  #others: DayCount
  /** Requests of the day that we have claimed among all processes; null where nobody shares a budget. */
  #allowance: DayCount | null = null
  #claimMore: () => Promise<boolean> = async () => false

  constructor(options: HostGateOptions) {
    this.#clock = options.clock
    this.#politeness = politeness(options.politeness)
    this.#others = options.today ?? noRequests
  }

  get clock(): Clock {
    return this.#clock
  }

  get politeness(): Politeness {
    return this.#politeness
  }

  /** Other rules from the next request on. */
  use(changed: Partial<Politeness>): void {
    this.#politeness = politeness({ ...this.#politeness, ...changed })
  }

  /** All requests of the day that we know of. */
  get today(): DayCount {
    return bothCounts(this.#ours, this.#others)
  }

  /** Those made through this gate. */
  get ours(): DayCount {
    return this.#ours
  }

  /** The day's requests that did not go through this gate, as they are now. */
  countOthers(others: DayCount): void {
    this.#others = others
  }

  /** No more of ours than these on this day, unless `more` gets us another. */
  allow(allowance: DayCount, more: () => Promise<boolean>): void {
    this.#allowance = allowance
    this.#claimMore = more
  }

  remember(state: HostState): void {
    this.#hosts.set(state.host, state)
  }

  /**
   * The host is ours by one lease or hold more. Its record is read where it was
   * not ours before; while it was, ours is newer than what the store has, and
   * goes on under the new token.
   */
  hold(
    host: string,
    by: { readonly token: number; readonly expiresAt: UnixSeconds; record(): HostRecord | null },
  ): void {
    const now = this.#clock.now()
    const held = this.#held.get(host)
    const isNew = held === undefined || held.expiresAt <= now
    const holds = held ?? new HeldHost()
    holds.add(by.expiresAt)
    if (!isNew) {
      // Changed since the store had it, perhaps.
      this.remember(heldBy(this.state(host), { token: by.token, step: 1 }))
      return
    }
    const stored = inTime(hostFrom(host, by.record()), now)
    this.remember(heldBy(stored, { token: by.token, step: 0 }))
    this.#held.set(host, holds)
  }

  /** One lease or hold has ended; after the last the record is forgotten, since others may change it. */
  letGo({ host, expiresAt }: Pick<HostHold, 'host' | 'expiresAt'>): void {
    const held = this.#held.get(host)
    held?.remove(expiresAt)
    if (held === undefined || held.count > 0) return
    this.#held.delete(host)
    this.#hosts.delete(host)
  }

  holds(host: string): boolean {
    return this.#held.has(host)
  }

  state(host: string): HostState {
    return this.#hosts.get(host) ?? newHost(host)
  }

  /** What is known of a host: by the store's record of it, or more while it is ours. */
  known(host: string, record: HostRecord | null): HostState {
    return this.holds(host) ? this.state(host) : inTime(hostFrom(host, record), this.#clock.now())
  }

  /** The rest between two requests to a host. */
  delay(host: string, record: HostRecord | null): Seconds {
    return delayOf(this.known(host, record), this.#politeness)
  }

  /** For a person: what is known of a host. */
  facts(host: string, record: HostRecord | null): HostFacts {
    const now = this.#clock.now()
    const state = this.known(host, record)
    const { failures, today, robots } = state
    const ready = this.#readyAt(state, now)
    const missing = Object.values(robots).filter(
      (each) => each.verdict === 'disallow-all' && isCurrent(each, { now, agent: robotsAgent }),
    )
    return {
      delay: delayOf(state, this.#politeness),
      readyAt: Math.max(
        ready === Infinity ? this.#afterTurn(state, now) : ready,
        ...missing.map(({ until }) => until),
      ),
      failures,
      requestsToday: today.day === dayOf(now) ? today.requests : 0,
      robots: Object.entries(robots).map(([origin, each]) => ({
        origin,
        verdict: each.verdict,
        until: each.until,
        crawlDelay: each.crawlDelay,
        rules: each.rules.length,
      })),
    }
  }

  /** When a request to the host may start at the earliest; Infinity while one is under way. */
  readyAt(host: string): UnixSeconds {
    return this.#readyAt(this.state(host), this.#clock.now())
  }

  /** When the day's budget of all requests opens again; null where it is not used up. */
  get spentUntil(): UnixSeconds | null {
    const now = this.#clock.now()
    const opens = this.#opensAt(now)
    return opens > now ? opens : null
  }

  #opensAt(now: UnixSeconds): UnixSeconds {
    const { requestsPerDay: budget } = this.#politeness
    if (budget === null) return now
    const allowance = this.#allowance
    // What we have claimed is ours, whatever others have.
    if (allowance !== null && allowance.day === dayOf(now))
      return withinBudget(this.#ours, { now, budget: Math.min(budget, allowance.requests) })
    return withinBudget(this.today, { now, budget })
  }

  #readyAt(state: HostState, now: UnixSeconds): UnixSeconds {
    if (this.#busy.has(state.host)) return Infinity
    return Math.max(this.#opensAt(now), allowedAt(state, { now, politeness: this.#politeness }))
  }

  /** Admits a request at once, or says when to ask again. */
  tryEnter(host: string): Admission {
    // One look at the clock: a second one is later, and would refuse what is allowed now.
    const now = this.#clock.now()
    const at = this.#readyAt(this.state(host), now)
    if (at > now) return this.#refusal(host, { at, now })
    this.#busy.set(host, [])
    this.#start(host, now)
    return { admitted: true, permit: new RequestPermit(host, this) }
  }

  #refusal(host: string, { at, now }: { at: UnixSeconds; now: UnixSeconds }): Refusal {
    const opens = this.#opensAt(now)
    if (opens > now) return { admitted: false, at: Math.min(opens, now + longestRest), spent: true }
    if (at !== Infinity) return { admitted: false, at: Math.min(at, now + longestRest) }
    return { admitted: false, at: this.#afterTurn(this.state(host), now) }
  }

  #afterTurn(state: HostState, now: UnixSeconds): UnixSeconds {
    return now + Math.max(askAgain, delayOf(state, this.#politeness))
  }

  /** Waits for admission, for as long as `patience` at most. */
  async enter(host: string, { patience, signal, needless }: EnterTerms): Promise<Admission> {
    const until = this.#clock.now() + patience
    for (;;) {
      const admission = this.tryEnter(host)
      if (admission.admitted || signal?.aborted === true) return admission
      // What a visit asks for beyond its first request: robots.txt, redirects.
      if (admission.spent === true && (await this.#claimMore())) continue
      const busy = this.#busy.has(host)
      const wait = (busy ? until : Math.min(admission.at, until)) - this.#clock.now()
      const hopeless = !busy && admission.at > until
      if (hopeless || wait <= 0) return admission
      await this.#pause(host, { wait, signal })
      if (needless?.() === true) return admission
    }
  }

  async #pause(
    host: string,
    { wait, signal }: { wait: Seconds; signal: AbortSignal | undefined },
  ): Promise<void> {
    const waiting = this.#busy.get(host)
    const over = new AbortController()
    const signals = signal === undefined ? [over.signal] : [over.signal, signal]
    const slept = this.#clock.sleep(wait, AbortSignal.any(signals))
    const released = new Promise<void>((resolve) => waiting?.push(resolve))
    await Promise.race([slept, released])
    over.abort()
  }

  /**
   * Admits a request that another program makes to a host which is held for it,
   * up to `ahead` seconds from now. The host is not busy meanwhile: its record
   * is given back before the request is made.
   */
  reserve(host: string, ahead: Seconds): { admitted: true; at: UnixSeconds } | Refusal {
    const now = this.#clock.now()
    const at = Math.max(now, this.#readyAt(this.state(host), now))
    if (at > now + ahead || this.#opensAt(now) > now) return this.#refusal(host, { at, now })
    this.#start(host, at)
    return { admitted: true, at }
  }

  /** Such a request has ended, to a host that is ours or of which this is the record; gives the one to store. */
  endedElsewhere(host: string, record: HostRecord | null, end: RequestEnd): HostState {
    const now = this.#clock.now()
    const before = this.known(host, record)
    const state = requestEnded(before, { end, now, politeness: this.#politeness })
    if (this.holds(host)) this.remember(state)
    return state
  }

  #start(host: string, now: UnixSeconds): void {
    this.#ours = counted(this.#ours, now)
    this.remember(requestStarted(this.state(host), { now, politeness: this.#politeness }))
  }

  /**
   * Whether a permit's request may go out: within the lease by which the host is ours; and so that its delay is over
   * before another may have the host: that is when the lease has ended and what
   * is booked has passed. A host that nobody shares with us is always ours.
   */
  maySend(host: string, bookedFor: UnixSeconds): boolean {
    const held = this.#held.get(host)
    if (held === undefined) return true
    const now = this.#clock.now()
    const left = held.expiresAt - clocksDiffer - now
    return left > 0 && (now <= bookedFor || left >= delayOf(this.state(host), this.#politeness))
  }

  /** A permit's request has ended: the host's next may start after its rest. */
  release(host: string, end: RequestEnd): void {
    const waiting = this.#busy.get(host)
    if (waiting === undefined) return
    const now = this.#clock.now()
    this.remember(requestEnded(this.state(host), { end, now, politeness: this.#politeness }))
    this.#busy.delete(host)
    for (const wake of waiting) wake()
  }
}

function inTime(state: HostState, now: UnixSeconds): HostState {
  return hostInTime(state, { now, longest: longestAccepted })
}
