import { EnvironmentError } from '../../model/errors.js'
import type { Store } from '../../model/store.js'
import type { Clock, Seconds } from '../../model/units.js'
import type { Exclusive } from '../../planner/collection/collection-controller.js'

/** Of a holder that was killed or froze; another takes over once it has passed. */
const holdTime: Seconds = 30
/** Renewed well before it runs out. */
const renewEvery: Seconds = holdTime / 3
/** How soon it is asked for again by who waits for it. */
const askAgain: Seconds = 1

interface ChoreParts {
  readonly store: Pick<Store, 'holdChore' | 'releaseChore'>
  readonly clock: Clock
  readonly worker: string
  readonly name: string
}

/**
 * Work that one process at a time does for all that share a store. The hold is
 * renewed between slices of the work; one that was lost meanwhile, by a process
 * that stood still for too long, ends the work.
 */
export class Chore implements Exclusive {
  readonly #parts: ChoreParts
  #isOurs = false
  #renewedAt = 0

  constructor(parts: ChoreParts) {
    this.#parts = parts
  }

  async attempt(work: () => Promise<void>): Promise<boolean> {
    const { store, name, worker } = this.#parts
    if (!(await this.#hold())) return false
    try {
      await work()
      return true
    } catch (error) {
      if (error instanceof EnvironmentError && error.code === lost) return false
      throw error
    } finally {
      if (this.#isOurs) await store.releaseChore({ name, worker })
      this.#isOurs = false
    }
  }

  async whenFree(work: () => Promise<void>, signal?: AbortSignal): Promise<void> {
    while (signal?.aborted !== true && !(await this.attempt(work)))
      await this.#parts.clock.sleep(askAgain, signal)
  }

  /** Between slices of the work. */
  async renew(): Promise<void> {
    const since = this.#parts.clock.now() - this.#renewedAt
    if (!this.#isOurs || (since >= 0 && since < renewEvery) || (await this.#hold())) return
    const { name } = this.#parts
    throw new EnvironmentError(
      lost,
      `another process has taken over "${name}": this one stood still for longer than ${holdTime} s`,
    )
  }

  async #hold(): Promise<boolean> {
    const { store, clock, name, worker } = this.#parts
    const now = clock.now()
    this.#isOurs = await store.holdChore({ name, worker, now, ttl: holdTime })
    this.#renewedAt = now
    return this.#isOurs
  }
}

const lost = 'chore-lost'
