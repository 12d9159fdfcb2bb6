import type { Lease } from '../model/index.js'

interface HostQueue {
  readonly waiting: Lease[]
  /** Visits that stepped aside and want their turn again. */
  readonly back: (() => void)[]
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
  /** Hosts to which visits come back. */
  readonly #back = new Set<string>()
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
      const { host } = lease
      this.#queueOf(host).waiting.push(lease)
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

  /** Its visit has ended, whatever became of it, or steps aside for a while. */
  end({ host }: Lease): void {
    const queue = this.#hosts.get(host)!
    queue.running--
    this.#running--
    if (queue.waiting.length > 0) this.#ready.add(host)
    else this.#forgetIdle(host, queue)
  }

  /** A visit that stepped aside wants its turn again: `goOn` is for `nextBack` to give. */
  comeBack({ host }: Lease, goOn: () => void): void {
    this.#queueOf(host).back.push(goOn)
    this.#back.add(host)
  }

  /** The next visit that came back to a host with room, taken as under way. Ask before `start`: it was first. */
  nextBack(): (() => void) | undefined {
    for (const host of this.#back) {
      const queue = this.#hosts.get(host)!
      if (queue.running >= this.#perHost) continue
      const goOn = queue.back.shift()
      if (queue.back.length === 0) this.#back.delete(host)
      queue.running++
      this.#running++
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
    const queue = { waiting: [], back: [], running: 0 }
    this.#hosts.set(host, queue)
    return queue
  }

  #forgetIdle(host: string, { waiting, back, running }: HostQueue): void {
    if (waiting.length === 0 && back.length === 0 && running === 0) this.#hosts.delete(host)
  }
}
