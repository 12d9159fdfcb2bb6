/** What both threads see: how many calls are under way, and whether the process is about to end. */
const underWay = 0
const ending = 1

/** A process that ends waits for its stores, in milliseconds, at most. */
const longestWait = 1000

/** Of the stores that this process has open. */
const gates = new Set<ExitGate>()

/**
 * Lets the process end between two calls of a store's thread, not in the midst
 * of one: a thread that is stopped within SQLite's driver takes the process
 * down with it, by a signal instead of the exit code that was meant. The side
 * that calls.
 */
export class ExitGate {
  /** For the other side. Its first call is to open the store. */
  readonly cells = new Int32Array(new SharedArrayBuffer(8)).fill(1, underWay, ending)

  constructor() {
    if (gates.size === 0) process.on('exit', waitForAll)
    gates.add(this)
  }

  /** The thread has ended. */
  remove(): void {
    gates.delete(this)
    if (gates.size === 0) process.off('exit', waitForAll)
  }

  /** Begins no call any more; false if one is still under way by then. */
  close({ until }: { readonly until: number }): boolean {
    Atomics.store(this.cells, ending, 1)
    for (;;) {
      const calls = Atomics.load(this.cells, underWay)
      const left = until - performance.now()
      if (calls === 0 || left <= 0) return calls === 0
      Atomics.wait(this.cells, underWay, calls, left)
    }
  }
}

function waitForAll(): void {
  const until = performance.now() + longestWait
  for (const gate of gates) gate.close({ until })
}

/** The side that is called. */
export class CountedCalls {
  readonly #cells: Int32Array

  constructor(cells: Int32Array) {
    this.#cells = cells
  }

  /** False where the process ends: then nothing is to be begun. Counted first, so that one side sees the other. */
  begin(): boolean {
    Atomics.add(this.#cells, underWay, 1)
    if (Atomics.load(this.#cells, ending) === 0) return true
    this.end()
    return false
  }

  end(): void {
    Atomics.sub(this.#cells, underWay, 1)
    Atomics.notify(this.#cells, underWay)
  }
}
