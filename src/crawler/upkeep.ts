import type { Store } from '../model/store.js'
import { HOUR, type Seconds } from '../model/units.js'
import type { WorkerRecord } from '../model/worker.js'
import type { CollectionController } from '../planner/collection/collection-controller.js'
import type { RunOptions } from './lease-batches.js'
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
  /** Gives back what this process holds and does not need. */
  readonly tidy: () => Promise<void>
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
   */
  async beside(
    run: RunOptions,
    how: { readonly chores: boolean; readonly loop: (run: RunOptions) => Promise<void> },
  ): Promise<void> {
    const { controller, clock } = this.#parts
    const { chores, loop } = how
    if (chores) await this.report()
    try {
      if (chores) await controller.begin(clock.now())
      await runBeside((signal) => this.#run(signal, { chores }), { run, loop })
    } finally {
      await this.#leave()
    }
  }

  /** Until the signal: with `chores` also what one process does for all, where it is this one's turn. */
  async #run(signal: AbortSignal, { chores }: { readonly chores: boolean }): Promise<void> {
    const { shared } = this.#parts
    const ended = new AbortController()
    const either = AbortSignal.any([signal, ended.signal])
    const work = chores ? () => this.#keepUp(either) : async () => {}
    const loops = shared
      ? [
          this.#each(reportEvery, either, () => this.report()),
          ...(chores ? [this.#each(askEvery, either, work)] : []),
        ]
      : [this.#each(HOUR, either, () => this.report().then(work))]
    for (const loop of loops) loop.catch(() => ended.abort())
    await Promise.all(loops).finally(() => Promise.allSettled(loops))
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

/** Runs a loop, and some work until the loop has ended; a failure of either ends both. */
export async function runBeside(
  work: (signal: AbortSignal) => Promise<void>,
  { run, loop }: { readonly run: RunOptions; readonly loop: (run: RunOptions) => Promise<void> },
): Promise<void> {
  const ended = new AbortController()
  const failed = new AbortController()
  const beside = work(ended.signal)
  beside.catch(() => failed.abort())
  const signals = [failed.signal, ...(run.signal === undefined ? [] : [run.signal])]
  try {
    await loop({ ...run, signal: AbortSignal.any(signals) })
  } finally {
    ended.abort()
    await beside
  }
}
