import type { SingleBar } from 'cli-progress'
import type { Progress, Task } from '../environment.js'

/** A task that is done within this many seconds needs no bar. */
const patience = 2

/** A progress bar on a terminal, once a task has taken two seconds. */
export class BarProgress implements Progress {
  readonly #task: Task
  readonly #stream: NodeJS.WriteStream
  readonly #clock: () => number
  readonly #begun: number
  #bar: SingleBar | undefined
  #started = false
  #stopped = false
  #done = 0

  constructor(task: Task, { stream, clock }: { stream: NodeJS.WriteStream; clock: () => number }) {
    this.#task = task
    this.#stream = stream
    this.#clock = clock
    this.#begun = clock()
  }

  at(done: number): void {
    this.#done = done
    if (!this.#started && this.#clock() - this.#begun > patience) void this.#start()
    this.#bar?.update(done)
  }

  stop(): void {
    this.#stopped = true
    this.#bar?.stop()
  }

  /** Its package is loaded here: few tasks take so long. */
  async #start(): Promise<void> {
    this.#started = true
    const { default: progress } = await import('cli-progress')
    if (this.#stopped) return
    const { label, total = 0 } = this.#task
    this.#bar = new progress.SingleBar(
      {
        format: `${label} {bar} {percentage}% | {eta_formatted} left`,
        stream: this.#stream,
        clearOnComplete: true,
        etaBuffer: 200,
      },
      progress.Presets.shades_classic,
    )
    this.#bar.start(total, this.#done)
  }
}
