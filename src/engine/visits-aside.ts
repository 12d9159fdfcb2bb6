import type { Clock, Lease, Seconds } from '../model/index.js'
import type { HeldLeases } from './held-leases.js'

/** Contents that wait for a second look take no more memory than this. */
const mostBytes = 64 * 1024 * 1024

interface Parts {
  readonly held: HeldLeases
  readonly clock: Clock
  /** Visits that may be aside at once. */
  readonly most: number
  /** Called when a host may have become free, or a visit wants its turn again. */
  readonly onTurn: () => void
}

/** How long a visit steps aside, and what it keeps in memory meanwhile. */
export interface Rest {
  readonly wait: Seconds
  readonly bytes: number
  readonly signal: AbortSignal | undefined
}

/**
 * Visits that wait before they look at their page again. Others have their
 * turn at the host meanwhile: a second look seconds later would otherwise hold
 * up all pages of a host that asks for less delay than that.
 */
export class VisitsAside {
  readonly #parts: Parts
  #count = 0
  #bytes = 0

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get count(): number {
    return this.#count
  }

  /** Resolves when the time is over, or the signal comes, and the visit has its turn at the host again. */
  async rest(lease: Lease, { wait, bytes, signal }: Rest): Promise<void> {
    const { held, clock, most, onTurn } = this.#parts
    if (this.#count >= most || this.#bytes + bytes > mostBytes) {
      await clock.sleep(wait, signal)
      return
    }
    this.#count++
    this.#bytes += bytes
    held.end(lease)
    onTurn()
    try {
      await clock.sleep(wait, signal)
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
