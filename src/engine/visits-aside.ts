import type { Lease } from '../model/index.js'
import type { Rest } from './cycle-parts.js'
import type { HeldLeases } from './held-leases.js'

/** Contents that wait for a second look take no more memory than this. */
const mostBytes = 64 * 1024 * 1024

interface Parts {
  readonly held: HeldLeases
  /** Visits that may be aside at once. */
  readonly most: number
  /** Called when a host may have become free, or a visit wants its turn again. */
  readonly onTurn: () => void
}

/**
 * Visits that wait before they look at their page again, or until a long
 * content is read. Others have their turn at the host meanwhile: a second look
 * seconds later would otherwise hold up all pages of a host that asks for less
 * delay than that, and contents that are slow to read all other pages.
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
