import type { Store } from '../../model/store.js'
import { HOUR, type Seconds } from '../../model/units.js'
import type { WorkerRecord } from '../../model/worker.js'
import type { CollectionController } from '../../planner/collection/collection-controller.js'
import type { RunOptions } from '../lease-batches.js'
import type { StoreClock } from './store-clock.js'

/** How often a process reports that it lives, and reads what others have found: price and prior are the same everywhere within ten seconds. */
const reportEvery: Seconds = 5
/** How often it is asked whether price and prior are to be worked out again: what a killed process left undone is taken over within a minute. */
const askEvery: Seconds = 20

interface UpkeepParts {
  readonly store: Store
  readonly clock: StoreClock
  readonly controller: CollectionController
  readonly worker: Pick<WorkerRecord, 'name' | 'role' | 'version'>
  /** Whether other processes may be at work by the same clock; those of a virtual clock are alone. */
  readonly shared: boolean
  /** Whether there is nobody to report to: on a virtual clock, with planners of the caller's own. */
  readonly isAlone: boolean
  /** Gives back what this process holds and does not need. */
  readonly tidy: () => Promise<void>
  /** What the caller has done beside, until the signal. */
  readonly more: ((signal: AbortSignal) => Promise<void>) | undefined
}

/** What a process does beside its visits, to work together with others on one store. */
export class Upkeep {
  readonly #parts: UpkeepParts

  constructor(parts: UpkeepParts) {
    this.#parts = parts
  }

  /** Reports that this process lives, and reads what other processes found. */
  async report(): Promise<void> {
    const { store, clock, controller, worker, tidy } = this.#parts
    await clock.follow(store)
    await store.noteWorker({ ...worker, now: clock.now() })
    await controller.reload()
    await tidy()
  }

  /**
   * Runs a loop with this beside it: at once where price and prior are due, then
   * when a day has passed or the pages or the budget changed. With `chores` this
   * process works them out where it is its turn; the others read what it found.
   * What is beside ends with the loop, and a failure of either ends both; the
   * first is the one that is thrown.
   */
  async beside(
    run: RunOptions,
    how: { readonly chores: boolean; readonly loop: (run: RunOptions) => Promise<void> },
  ): Promise<void> {
    const { controller, clock, isAlone } = this.#parts
    const { chores, loop } = how
    const stop = new AbortController()
    const signals = [stop.signal, ...(run.signal === undefined ? [] : [run.signal])]
    const failures: unknown[] = []
    const failed = (cause: unknown) => {
      failures.push(cause)
      stop.abort()
    }
    if (chores) await this.report()
    try {
      if (chores) await controller.begin(clock.now())
      const works = this.#begun(stop.signal, { chores }).map((work) => work.catch(failed))
      await loop({ ...run, signal: AbortSignal.any(signals) }).catch(failed)
      stop.abort()
      await Promise.all(works)
    } catch (cause) {
      failed(cause)
    }
    if (!isAlone) await this.#leave().catch(failed)
    if (failures.length > 0) throw failures[0]
  }

  /** All that goes on until the signal: with `chores` also what one process does for all, where it is this one's turn. */
  #begun(signal: AbortSignal, { chores }: { readonly chores: boolean }): Promise<void>[] {
    const { shared, isAlone, more } = this.#parts
    const works = more === undefined ? [] : [more(signal)]
    if (isAlone) return works
    const chore = chores ? () => this.#keepUp(signal) : async () => {}
    if (!shared) return [...works, this.#each(HOUR, signal, () => this.report().then(chore))]
    works.push(this.#each(reportEvery, signal, () => this.report()))
    if (chores) works.push(this.#each(askEvery, signal, chore))
    return works
  }

  /** At the end: others see at once that it is gone. */
  async #leave(): Promise<void> {
    const { store, worker } = this.#parts
    await store.releaseWorker(worker.name)
  }

  #keepUp(signal: AbortSignal): Promise<void> {
    const { controller, clock } = this.#parts
    return controller.keepUp({ now: clock.now(), signal })
  }

  async #each(every: Seconds, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await work()
      if (!signal.aborted) await this.#parts.clock.sleep(every, signal)
    }
  }
}
