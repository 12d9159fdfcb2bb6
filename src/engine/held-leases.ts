import type { Lease } from '../model/index.js'

interface HostQueue {
  readonly waiting: Lease[]
  /** Visits under way. */
  running: number
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
  #waiting = 0
  #running = 0

  constructor({ perHost }: { readonly perHost: number }) {
    this.#perHost = perHost
  }

  /** Pages at hand that are not being visited. */
  get waiting(): number {
    return this.#waiting
  }

  /** Pages being visited. */
  get running(): number {
    return this.#running
  }

  add(leases: readonly Lease[]): void {
    for (const lease of leases) {
      const { host } = lease.page
      const queue = this.#hosts.get(host) ?? { waiting: [], running: 0 }
      queue.waiting.push(lease)
      this.#hosts.set(host, queue)
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
      this.#running++
      this.#waiting--
      return lease
    }
    return undefined
  }

  /** Its visit has ended, whatever became of it. */
  end({ page: { host } }: Lease): void {
    const queue = this.#hosts.get(host)!
    queue.running--
    this.#running--
    if (queue.waiting.length > 0) this.#ready.add(host)
    else if (queue.running === 0) this.#hosts.delete(host)
  }

  /** Takes back those of a host that wait, to be given up. */
  drop(host: string): Lease[] {
    const queue = this.#hosts.get(host)
    if (queue === undefined) return []
    this.#ready.delete(host)
    if (queue.running === 0) this.#hosts.delete(host)
    this.#waiting -= queue.waiting.length
    return queue.waiting.splice(0)
  }

  /** The same of all hosts. */
  dropAll(): Lease[] {
    return [...this.#hosts.keys()].flatMap((host) => this.drop(host))
  }
}
