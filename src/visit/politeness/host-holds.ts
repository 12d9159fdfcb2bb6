import type { HostAccess } from '../../model/fetcher.js'
import type { HostHold, HostRecord } from '../../model/lease.js'
import type { Store } from '../../model/store.js'
import type { Clock, Seconds, UnixSeconds } from '../../model/units.js'
import type { HostGate } from './host-gate.js'
import { delayOf, recordOf } from './host-state.js'

/** A host that another process holds is asked for again after this, at the latest and at the soonest. */
const longestPoll: Seconds = 1
const shortestPoll: Seconds = 0.05

/** By how many leases and holds a host is ours, and until when. */
export class HeldHost {
  /** How many end at a time: those that were leased together do. */
  readonly #ends = new Map<UnixSeconds, number>()
  count = 0
  /** When the last of them ends. */
  expiresAt: UnixSeconds = -Infinity

  add(end: UnixSeconds): void {
    this.#ends.set(end, (this.#ends.get(end) ?? 0) + 1)
    this.count++
    if (end > this.expiresAt) this.expiresAt = end
  }

  /** The one that ends then, or any: the host is ours for no longer than those that are left. */
  remove(given: UnixSeconds): void {
    const end = this.#ends.has(given) ? given : this.#ends.keys().next().value!
    const left = this.#ends.get(end)! - 1
    this.count--
    if (left > 0) this.#ends.set(end, left)
    else this.#ends.delete(end)
    if (left === 0 && end >= this.expiresAt) this.expiresAt = Math.max(...this.#ends.keys())
  }
}

interface Wanted {
  readonly hostAccess: HostAccess
  readonly until: UnixSeconds
}

/**
 * Hosts that this process holds for visits that were led there. Its own visits
 * have them one after another; with other processes the store decides, which
 * says nothing when a host becomes free: the first in the line asks again.
 */
export class HostHolds {
  readonly #gate: HostGate
  /** Those who wait for a host that one of ours has, or asks for. */
  readonly #lines = new Map<string, (() => void)[]>()

  constructor(gate: HostGate) {
    this.#gate = gate
  }

  /** Holds a host once it is free; null where it is not within the patience. */
  async take(
    host: string,
    { hostAccess, patience }: { readonly hostAccess: HostAccess; readonly patience: Seconds },
  ): Promise<HostHold | null> {
    const wanted = { hostAccess, until: this.#gate.clock.now() + patience }
    if (!(await this.#turn(host, wanted))) return null
    let hold: HostHold | null = null
    try {
      hold = await this.#asked(host, wanted)
    } finally {
      if (hold === null) this.#next(host)
    }
    if (hold === null) return null
    const { token, expiresAt, record } = hold
    this.#gate.hold(host, { token, expiresAt, record: () => record })
    return hold
  }

  /** Gives it back with what was learned of it. */
  async release(hold: HostHold, hostAccess: HostAccess): Promise<void> {
    const { host } = hold
    const state = this.#gate.state(host)
    const record: HostRecord | undefined =
      state.step === 0 ? undefined : recordOf(state, this.#gate.clock.now())
    this.#gate.letGo(hold)
    try {
      await hostAccess.release(hold, record)
    } finally {
      this.#next(host)
    }
  }

  async #asked(host: string, { hostAccess, until }: Wanted): Promise<HostHold | null> {
    const { clock, politeness } = this.#gate
    // Whoever has it leaves it to rest: asking twice in that time loses none of it.
    const delay = delayOf(this.#gate.state(host), politeness)
    const poll = Math.min(longestPoll, Math.max(shortestPoll, delay / 4))
    for (;;) {
      const hold = await hostAccess.hold(host)
      const wait = Math.min(poll, until - clock.now())
      if (hold !== null || wait <= 0 || hostAccess.signal?.aborted === true) return hold
      await clock.sleep(wait, hostAccess.signal)
    }
  }

  async #turn(host: string, { hostAccess, until }: Wanted): Promise<boolean> {
    const line = this.#lines.get(host)
    if (line === undefined) {
      this.#lines.set(host, [])
      return true
    }
    const { clock } = this.#gate
    const wait = until - clock.now()
    if (wait <= 0) return false
    const over = new AbortController()
    const { signal } = hostAccess
    const signals = signal === undefined ? [over.signal] : [over.signal, signal]
    let called = false
    let call = () => {}
    const turn = new Promise<void>((resolve) => {
      call = () => {
        called = true
        resolve()
      }
    })
    line.push(call)
    await Promise.race([turn, clock.sleep(wait, AbortSignal.any(signals))])
    over.abort()
    if (!called) line.splice(line.indexOf(call), 1)
    return called
  }

  #next(host: string): void {
    const next = this.#lines.get(host)?.shift()
    if (next === undefined) this.#lines.delete(host)
    else next()
  }
}

/** What one visit holds beside the host that its caller holds. */
export class VisitHolds {
  readonly #holds: HostHolds
  readonly #hostAccess: HostAccess
  readonly #home: string | undefined
  #held: HostHold[] | undefined

  constructor(holds: HostHolds, hostAccess: HostAccess, home: string | undefined) {
    this.#holds = holds
    this.#hostAccess = hostAccess
    this.#home = home
  }

  /** Makes a host ours, waiting as long as `patience` for others who hold it; whether it is. */
  async hold(
    host: string,
    {
      patience,
      beside,
    }: {
      readonly patience: Seconds
      /** Whether the hosts that are held already are needed after it; they are given back where not. */
      readonly beside: boolean
    },
  ): Promise<boolean> {
    // One that waits for a host lets go of those it needs no more: another may wait for them.
    if (!beside) await this.#release((each) => each.host !== host)
    if (host === this.#home || this.#held?.some((each) => each.host === host)) return true
    const hold = await this.#holds.take(host, { hostAccess: this.#hostAccess, patience })
    if (hold === null) return false
    this.#held = [...(this.#held ?? []), hold]
    return true
  }

  /** The visit is over; undefined where nothing was held. */
  end(): Promise<void> | undefined {
    return this.#held === undefined ? undefined : this.#release(() => true)
  }

  async #release(which: (hold: HostHold) => boolean): Promise<void> {
    const held = this.#held ?? []
    this.#held = held.filter((each) => !which(each))
    const given = held.filter(which).map((each) => this.#holds.release(each, this.#hostAccess))
    // One that fails keeps none of the others.
    await Promise.all(given).finally(() => Promise.allSettled(given))
  }
}

/** What visits ask of a store: hosts to hold, and records to book. */
export function storeHostAccess(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  { worker, ttl, signal }: { worker: string; ttl: Seconds; signal?: AbortSignal | undefined },
): HostAccess {
  return {
    hold: (host) => store.holdHost({ host, worker, ttl, now: clock.now() }),
    release: (hold, record) =>
      record === undefined ? store.releaseHost(hold) : store.releaseHost(hold, record),
    book: async (host, { held } = { held: true }) => {
      const [written] = held
        ? await store.putHosts([host], { worker, now: clock.now() })
        : await store.putHosts([host])
      return written === true
    },
    ...(signal === undefined ? {} : { signal }),
  }
}
