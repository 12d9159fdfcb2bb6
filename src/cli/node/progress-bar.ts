import { createRequire } from 'node:module'
import type { SingleBar } from 'cli-progress'
import type { Progress, Task } from '../environment.js'

const load = createRequire(import.meta.url)

/** A task that is done within this many seconds needs no bar. */
const patience = 2

/** A progress bar on a terminal, once a task has taken two seconds. */
export class BarProgress implements Progress {
  readonly #task: Task
  readonly #stream: NodeJS.WriteStream
  readonly #clock: () => number
  readonly #begun: number
  #bar: SingleBar | undefined

  constructor(task: Task, { stream, clock }: { stream: NodeJS.WriteStream; clock: () => number }) {
    this.#task = task
    this.#stream = stream
    this.#clock = clock
    this.#begun = clock()
  }

  at(done: number): void {
    if (this.#bar === undefined && this.#clock() - this.#begun > patience) this.#start()
    this.#bar?.update(done)
  }

  stop(): void {
    this.#bar?.stop()
  }

  #start(): void {
    // Loaded here, since few tasks take so long, and at once: a task that never waits shows it too.
    const { Presets, SingleBar } = load('cli-progress') as typeof import('cli-progress')
    const { label, total = 0 } = this.#task
    this.#bar = new SingleBar(
      {
        format: `${label} {bar} {percentage}% | {eta_formatted} left`,
        stream: this.#stream,
        clearOnComplete: true,
        etaBuffer: 200,
      },
      Presets.shades_classic,
    )
    this.#bar.start(total, 0)
  }
}
