import type { Store } from '../../model/index.js'
import type { CrawlerWorld } from '../crawler/crawler-world.js'
import { Redrawn } from './redrawn.js'
import type { RunTally } from './run-tally.js'
import { statusLines } from './status-text.js'
import type { VisitWords } from './visit-line.js'

/** Visits shown below the counts. */
const lastVisits = 5

export interface LiveParts {
  readonly crawler: CrawlerWorld
  readonly store: Store
  readonly collection: string
  readonly columns: () => number
  readonly tally: RunTally
  readonly underWay: () => number
}

/** The view of a run on a terminal, drawn again once a second until it is ended. */
export class LiveStatus {
  readonly #parts: LiveParts
  readonly #screen: Redrawn
  readonly #over = new AbortController()
  readonly #last: VisitWords[] = []
  readonly #running: Promise<void>
  #note: string | undefined

  constructor(parts: LiveParts) {
    this.#parts = parts
    this.#screen = new Redrawn(parts.crawler.say)
    // A view that cannot be drawn must not end the run.
    this.#running = this.#run().catch(() => {})
  }

  note(text: string): void {
    this.#note = text
  }

  visited(words: VisitWords): void {
    this.#last.unshift(words)
    this.#last.length = Math.min(this.#last.length, lastVisits)
  }

  /** Draws once more and ends. */
  async end(): Promise<void> {
    this.#over.abort()
    await this.#running
    this.#note = undefined
    await this.#draw()
  }

  async #run(): Promise<void> {
    while (!this.#over.signal.aborted) {
      await this.#draw()
      await this.#parts.crawler.clock.sleep(1, this.#over.signal)
    }
  }

  async #draw(): Promise<void> {
    const { store, collection, crawler, tally, underWay, columns } = this.#parts
    const now = crawler.clock.now()
    const health = await store.health({ collection, now })
    const status = { tally, health, now, underWay: underWay(), last: this.#last, note: this.#note }
    this.#screen.draw(statusLines(status, { columns: columns() }))
  }
}
