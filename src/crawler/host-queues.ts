import type { Lease } from '../model/lease.js'
import type { Seconds, UnixSeconds } from '../model/units.js'
import type { Rest } from '../visit/deferred.js'

interface HostQueue {
  readonly waiting: Lease[]
  /** Visits that were paused and want their turn again. */
  readonly back: { readonly lease: Lease; readonly goOn: () => void }[]
  /** Visits under way. */
  running: number
  /** Of those, the ones that linger. */
  lingering: number
}

/**
 * Pages leased ahead, by host: a host's next page is at hand when its visit
 * ends, so that the network does not wait for the store. Hosts take turns.
 */
export class HeldLeases {
  readonly #perHost: number
  readonly #hosts = new Map<string, HostQueue>()
  /** Hosts that may have a page to start, in the order they became so. */
  readonly #ready = new Set<string>()
  /** Hosts to which visits come back. */
  readonly #back = new Set<string>()
  /** Visits that count as under way, by when they began or came back; the oldest first. */
  readonly #since = new Map<Lease, UnixSeconds>()
  readonly #lingering = new Set<Lease>()
  readonly #now: () => UnixSeconds
  #waiting = 0
  /** Of those that wait, the ones whose host is busy with a visit that lingers. */
  #stuck = 0

  constructor({ perHost, now }: { readonly perHost: number; readonly now: () => UnixSeconds }) {
    this.#perHost = perHost
    this.#now = now
  }

  /** Pages at hand that are not being visited. */
  get waiting(): number {
    return this.#waiting
  }

  /** Of those, the ones that no slow visit to their host holds up. */
  get ready(): number {
    return this.#waiting - this.#stuck
  }

  /** Pages being visited, but for visits that linger. */
  get running(): number {
    return this.#since.size
  }

  /** Visits that take long, and no longer count as under way. */
  get lingering(): number {
    return this.#lingering.size
  }

  add(leases: readonly Lease[]): void {
    for (const lease of leases) {
      const { host } = lease
      const queue = this.#queueOf(host)
      queue.waiting.push(lease)
      if (queue.lingering > 0) this.#stuck++
      this.#ready.add(host)
    }
    this.#waiting += leases.length
  }

  /** The next page whose host has room, taken as under way. */
  start(): Lease | undefined {
    for (const host of this.#ready) {
      const queue = this.#hosts.get(host)!
      const full = queue.running >= this.#perHost
      const lease = full ? undefined : queue.waiting.shift()
      if (full || queue.waiting.length === 0) this.#ready.delete(host)
      if (lease === undefined) continue
      queue.running++
      this.#since.set(lease, this.#now())
      this.#waiting--
      if (queue.lingering > 0) this.#stuck--
      return lease
    }
    return undefined
  }

  /** Its visit has ended, whatever became of it, or is paused for a while. */
  end(lease: Lease): void {
    const { host } = lease
    const queue = this.#hosts.get(host)!
    queue.running--
    if (this.#lingering.delete(lease) && --queue.lingering === 0)
      this.#stuck -= queue.waiting.length
    this.#since.delete(lease)
    if (queue.waiting.length > 0) this.#ready.add(host)
    else this.#forgetIdle(host, queue)
  }

  /**
   * Visits that have been under way for longer than this no longer count as
   * such, up to so many: a slow server keeps its host busy, and no other. The
   * pages that wait for such a host do not keep others from being leased.
   */
  letLinger({ longerThan, most }: { readonly longerThan: Seconds; readonly most: number }): void {
    const latest = this.#now() - longerThan
    for (const [lease, since] of this.#since) {
      if (since > latest || this.#lingering.size >= most) return
      this.#since.delete(lease)
      this.#lingering.add(lease)
      const queue = this.#hosts.get(lease.host)!
      if (queue.lingering++ === 0) this.#stuck += queue.waiting.length
    }
  }

  /** A visit that was paused wants its turn again: `goOn` is for `nextBack` to give. */
  comeBack(lease: Lease, goOn: () => void): void {
    const { host } = lease
    this.#queueOf(host).back.push({ lease, goOn })
    this.#back.add(host)
  }

  /** The next visit that came back to a host with room, taken as under way. Ask before `start`: it was first. */
  nextBack(): (() => void) | undefined {
    for (const host of this.#back) {
      const queue = this.#hosts.get(host)!
      if (queue.running >= this.#perHost) continue
      const { lease, goOn } = queue.back.shift()!
      if (queue.back.length === 0) this.#back.delete(host)
      queue.running++
      this.#since.set(lease, this.#now())
      return goOn
    }
    return undefined
  }

  /** Takes back those of a host that wait, to be given up. */
  drop(host: string): Lease[] {
    const queue = this.#hosts.get(host)
    if (queue === undefined) return []
    this.#ready.delete(host)
    const dropped = queue.waiting.splice(0)
    this.#waiting -= dropped.length
    if (queue.lingering > 0) this.#stuck -= dropped.length
    this.#forgetIdle(host, queue)
    return dropped
  }

  /** The same of all hosts. */
  dropAll(): Lease[] {
    return [...this.#hosts.keys()].flatMap((host) => this.drop(host))
  }

  #queueOf(host: string): HostQueue {
    const known = this.#hosts.get(host)
    if (known !== undefined) return known
    const queue = { waiting: [], back: [], running: 0, lingering: 0 }
    this.#hosts.set(host, queue)
    return queue
  }

  #forgetIdle(host: string, { waiting, back, running }: HostQueue): void {
    if (waiting.length === 0 && back.length === 0 && running === 0) this.#hosts.delete(host)
  }
}

/** Contents that wait for a noise re-check take no more memory than this. */
const mostBytes = 64 * 1024 * 1024

interface Parts {
  readonly held: HeldLeases
  /** Visits that may be paused at once. */
  readonly most: number
  /** Called when a host may have become free, or a visit wants its turn again. */
  readonly onTurn: () => void
}

/**
 * Half-made visits that wait within their lease: before a noise re-check, or
 * until a long content is read. Others have their turn at the host meanwhile: a
 * repeat seconds later would otherwise hold up all pages of a host that asks for
 * less delay than that, and contents that are slow to read all other pages.
 */
export class PausedVisits {
  readonly #parts: Parts
  #count = 0
  #bytes = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get count(): number {
    return this.#count
  }

  /** Resolves when what is waited for has come, and the visit has its turn at the host again. */
  async rest(lease: Lease, { until, bytes }: Rest): Promise<void> {
    const { held, most, onTurn } = this.#parts
    if (this.#count >= most || this.#bytes + bytes > mostBytes) {
      await until
      return
    }
    this.#count++
    this.#bytes += bytes
    held.end(lease)
    onTurn()
    try {
      await until
    } finally {
      this.#count--
      this.#bytes -= bytes
      // From here on it is one of those that wait for their host, until it is under way again.
      await new Promise<void>((resolve) => {
        held.comeBack(lease, resolve)
        onTurn()
      })
    }
  }
}
