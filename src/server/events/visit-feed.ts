import type { Store } from '../../model/store.js'
import type { Seconds } from '../../model/units.js'
import type { LoggedVisit } from '../../model/visit-record.js'

/** Visits kept at hand for those who follow along; who is further behind reads the store. */
const atHand = 2000
/** Visits read at a time. */
const stretch = 500

export interface VisitFeedOptions {
  readonly store: Store
  readonly collection: string
  /** How often the log is read for visits that other processes recorded; 1 s by default. */
  readonly pollEvery?: Seconds
}

/** Visits in order, and the number up to which there are no others. */
export interface Stretch {
  readonly visits: readonly LoggedVisit[]
  readonly upTo: number
}

/**
 * The log of visits as it grows, for everyone who follows it: streams of
 * events and metrics. Each follower keeps the number of the last
 * visit it dealt with and asks for those after it, so that it can go on where
 * it stopped, after a restart too, and nothing is held for a slow one.
 *
 * The store is read once for all who are up to date.
 */
export class VisitFeed {
  readonly #store: Store
  readonly #collection: string
  readonly #timer: NodeJS.Timeout
  readonly #waiting = new Set<() => void>()
  #recent: LoggedVisit[] = []
  /** The last number that `#recent` reaches to, and the one after which it begins. */
  #last = 0
  #from = 0
  #reading: Promise<void> | undefined
  #again = false
  #closed = false

  private constructor({ store, collection, pollEvery = 1 }: VisitFeedOptions) {
    this.#store = store
    this.#collection = collection
    this.#timer = setInterval(() => this.nudge(), pollEvery * 1000)
    this.#timer.unref()
  }

  static async open(options: VisitFeedOptions): Promise<VisitFeed> {
    const feed = new VisitFeed(options)
    feed.#last = await options.store.lastVisitNumber()
    feed.#from = feed.#last
    return feed
  }

  /** The number of the last visit known. */
  get last(): number {
    return this.#last
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Something may have been recorded: reads the log now, and not only when it is time to. */
  nudge(): void {
    if (this.#closed) return
    if (this.#reading !== undefined) {
      this.#again = true
      return
    }
    this.#reading = this.#read().finally(() => {
      this.#reading = undefined
      if (this.#again) {
        this.#again = false
        this.nudge()
      }
    })
  }

  /** The next visits after a number, in order, some hundred at most. */
  async after(number: number): Promise<Stretch> {
    const last = this.#last
    if (this.#closed || number >= last) return { visits: [], upTo: number }
    const visits = await this.#stretch(number)
    const end = visits[visits.length - 1]?.number ?? number
    return { visits, upTo: visits.length === stretch ? end : Math.max(end, last) }
  }

  /** Resolves when there are visits after a number, when the feed closes, or when the signal fires. */
  grown(number: number, signal: AbortSignal): Promise<void> {
    if (this.#closed || signal.aborted || this.#last > number) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake, { once: true })
    })
  }

  async #stretch(after: number): Promise<readonly LoggedVisit[]> {
    if (after < this.#from)
      return this.#store.visitLog({ collection: this.#collection, after, limit: stretch })
    const at = this.#recent.findIndex((visit) => visit.number > after)
    return at < 0 ? [] : this.#recent.slice(at, at + stretch)
  }

  close(): void {
    this.#closed = true
    clearInterval(this.#timer)
    this.#wake()
  }

  /** A store that cannot be read now is read again at the next poll. */
  async #read(): Promise<void> {
    try {
      const query = { collection: this.#collection, after: this.#last, limit: stretch }
      const visits = await this.#store.visitLog(query)
      if (visits.length === 0) return
      this.#take(visits)
      this.#again ||= visits.length === stretch
    } catch {
      return
    }
    this.#wake()
  }

  #take(visits: readonly LoggedVisit[]): void {
    this.#recent.push(...visits)
    this.#last = visits[visits.length - 1]!.number
    const over = this.#recent.length - atHand
    if (over <= 0) return
    this.#from = this.#recent[over - 1]!.number
    this.#recent = this.#recent.slice(over)
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }
}

/**
 * Hands every visit after a number to `take`, in order, one at a time, until
 * the feed closes or the signal fires. `reached` is given the number up to
 * which all have been dealt with: who keeps it goes on there after a restart.
 */
export async function followVisits(
  feed: VisitFeed,
  options: {
    readonly after: number
    readonly take: (visit: LoggedVisit) => Promise<void> | void
    readonly reached?: (number: number) => Promise<void> | void
    readonly signal: AbortSignal
  },
): Promise<void> {
  const { take, reached, signal } = options
  let number = options.after
  while (!signal.aborted && !feed.closed) {
    const { visits, upTo } = await feed.after(number)
    for (const visit of visits) {
      if (signal.aborted) return
      await take(visit)
      await reached?.(visit.number)
    }
    if (upTo > number) await reached?.(upTo)
    number = upTo
    if (visits.length === 0) await feed.grown(number, signal)
  }
}
