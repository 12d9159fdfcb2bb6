import type { Lease } from '../model/index.js'
import type { CycleParts } from './cycle-parts.js'
import type { CycleSettings } from './cycle-settings.js'

/** Pages are leased by the handful: asking the store after each visit would cost more than the visit. */
export class Handfuls {
  readonly #parts: Pick<CycleParts, 'store' | 'clock'>
  readonly #settings: Required<CycleSettings>
  /** Pages that may be leased in all. */
  readonly #most: number
  /** A quarter of them: the first visits need not wait for the rest. */
  readonly #handful: number

  constructor(parts: Pick<CycleParts, 'store' | 'clock'>, settings: Required<CycleSettings>) {
    const { concurrency, ahead } = settings
    this.#parts = parts
    this.#settings = settings
    this.#most = concurrency * ahead
    this.#handful = Math.max(concurrency, this.#most >> 2)
  }

  /**
   * Whether another is to be taken. No more pages wait than will be visited
   * while the next are fetched: others cannot have them meanwhile.
   */
  hasRoom({ waiting, atHand }: { readonly waiting: number; readonly atHand: number }): boolean {
    return waiting <= 0.75 * this.#handful && atHand <= 0.75 * this.#most
  }

  /** A page that waited for half of its lease goes back: its visit might outlast the rest. */
  isFresh({ expiresAt }: Lease): boolean {
    const { ahead, leaseTime } = this.#settings
    return ahead === 1 || expiresAt - this.#parts.clock.now() >= leaseTime / 2
  }

  /** As many as there is room for. Visits aside keep their leases; where pages are held ahead they take nobody's place. */
  take(atHand: number, aside: number): Promise<readonly Lease[]> {
    const { collection, perHost, ahead, leaseTime, worker } = this.#settings
    return this.#parts.store.leaseDue({
      collection,
      limit: Math.min(this.#handful, this.#most - atHand),
      perHost,
      ahead: perHost * ahead + (ahead > 1 ? aside : 0),
      worker,
      now: this.#parts.clock.now(),
      ttl: leaseTime,
    })
  }
}
