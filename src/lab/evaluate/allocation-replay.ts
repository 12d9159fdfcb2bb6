import type { Learner, Seen } from '../../model/policy.js'
import { DAY, type Seconds } from '../../model/units.js'
import { Scores } from '../scores.js'
import { reportsNothing, reportsTruth } from '../visit-loop.js'
import type { ReplayCollection } from './collection.js'
import { PageReplay, type PageScores, type RunOptions, trueMeanRate } from './policy-replay.js'

/** What is estimated of each page's change rate while a collection is replayed. */
export interface RateEstimates {
  start(page: number, contentAge: Seconds): void
  learn(page: number, seen: Seen): void
  /** Null while nothing is known. */
  changeRate(page: number): number | null
}

/** Posteriors that a learner forms from the visits; by source, so that nothing learned is judged at home. */
export function learnedRates(
  collection: ReplayCollection,
  learnerFor: (source: number) => Learner,
): RateEstimates {
  const learner = (page: number) => learnerFor(collection.sources[page]!)
  const memories = collection.ids.map((_, page) => new Float64Array(learner(page).size))
  return {
    start: (page, contentAge) => learner(page).start(memories[page]!, contentAge),
    learn: (page, seen) => learner(page).learn(memories[page]!, seen),
    changeRate(page) {
      const changePeriod = learner(page).changePeriod(memories[page]!)
      return changePeriod > 0 ? 1 / changePeriod : null
    },
  }
}

/** The oracle: each page's true mean change rate over its window, known from the start. */
export function trueRates(collection: ReplayCollection): RateEstimates {
  return {
    start() {},
    learn() {},
    changeRate: (page) => trueMeanRate(collection, page),
  }
}

/** Visit rates a second that use up a budget of visits a second: for pages in the collection's numbers, with what is known of each. */
export type Share = (
  known: { readonly pages: readonly number[]; readonly changeRates: Float64Array },
  budget: number,
) => Float64Array

export interface AllocatedOptions extends RunOptions {
  readonly share: Share
  readonly rateEstimates: RateEstimates
  /** Visits a page and day that may be spent. */
  readonly perDay: number
}

/** Over- and underspending is made good over so many days. */
const settling = 10
const goldenShare = 0.6180339887498949

/**
 * Replays a collection whose visit rates are shared out anew each morning
 * from what is known of each page by then. Pages of which nothing is known
 * yet get the even share. What was spent too much or too little so far is
 * made good over the next ten days, so the budget holds without hindsight.
 * O(days x pages).
 */
export function runAllocated(collection: ReplayCollection, options: AllocatedOptions): PageScores {
  const replay = new AllocatedReplay(collection, options)
  for (let day = 0; day * DAY < collection.length; day++) replay.spend(day * DAY)
  return replay.scores
}

class AllocatedReplay {
  readonly scores: Scores[]
  readonly #collection: ReplayCollection
  readonly #options: AllocatedOptions
  readonly #timelines: PageReplay[]
  readonly #lastVisit: Float64Array
  readonly #done: Uint8Array
  readonly #seen = { gap: 0, changed: false, contentAge: Number.NaN }
  #allowed = 0
  #used = 0

  constructor(collection: ReplayCollection, options: AllocatedOptions) {
    this.#collection = collection
    this.#options = options
    this.scores = collection.ids.map(() => new Scores({ notices: true }))
    this.#timelines = collection.ids.map((_, page) => new PageReplay(collection, page))
    this.#lastVisit = new Float64Array(collection.ids.length).fill(-1)
    this.#done = new Uint8Array(collection.ids.length)
  }

  /** One day: who is there, what each is allotted, and the visits that fall due. */
  spend(morning: Seconds): void {
    const present = this.#present(morning)
    const visitRates = this.#allot(present)
    for (const [i, page] of present.entries())
      this.#visitUntil(page, { morning, visitRate: visitRates[i]! })
    for (const page of present)
      this.#allowed += (this.#options.perDay * this.#overlap(page, morning)) / DAY
  }

  #present(morning: Seconds): number[] {
    const pages: number[] = []
    for (let page = 0; page < this.#done.length; page++) {
      if (this.#done[page] === 0 && this.#collection.from[page]! < morning + DAY) pages.push(page)
    }
    return pages
  }

  #overlap(page: number, morning: Seconds): Seconds {
    const { from, until } = this.#collection
    return Math.max(0, Math.min(until[page]!, morning + DAY) - Math.max(from[page]!, morning))
  }

  /** Visit rates a second for the pages present. */
  #allot(present: readonly number[]): Float64Array {
    const even = this.#options.perDay / DAY
    const visitRates = new Float64Array(present.length).fill(even)
    const known: number[] = []
    const changeRates: number[] = []
    for (const [i, page] of present.entries()) {
      const changeRate =
        this.#lastVisit[page]! < 0 ? null : this.#options.rateEstimates.changeRate(page)
      if (changeRate === null) continue
      known.push(i)
      changeRates.push(changeRate)
    }
    const owed = (this.#allowed - this.#used) / settling / DAY
    const budget = Math.max(0.1 * even * known.length, even * known.length + owed)
    if (known.length === 0) return visitRates
    const pages = known.map((i) => present[i]!)
    const shares = this.#options.share(
      { pages, changeRates: Float64Array.from(changeRates) },
      budget,
    )
    for (const [k, i] of known.entries()) visitRates[i] = shares[k]!
    return visitRates
  }

  #visitUntil(page: number, day: { morning: Seconds; visitRate: number }): void {
    const until = this.#collection.until[page]!
    const evening = Math.min(day.morning + DAY, until)
    if (this.#lastVisit[page]! < 0) this.#begin(page)
    // A visit overdue since yesterday waits for the page's own moment of the day, or all would come at midnight.
    const moment = day.morning + DAY * ((page * goldenShare) % 1)
    for (;;) {
      const due = this.#lastVisit[page]! + 1 / day.visitRate
      const at = due < day.morning ? Math.max(moment, this.#lastVisit[page]! + 1) : due
      if (!(at < evening)) break
      this.#visit(page, at)
    }
    if (until <= day.morning + DAY) this.#finish(page)
  }

  #begin(page: number): void {
    const from = this.#collection.from[page]!
    const reporter = this.#options.lastModified ? reportsTruth : reportsNothing
    this.#lastVisit[page] = from
    this.scores[page]!.begin()
    this.#options.rateEstimates.start(page, reporter(this.#timelines[page]!, from))
  }

  #visit(page: number, at: Seconds): void {
    this.#walk(page, at)
    const reporter = this.#options.lastModified ? reportsTruth : reportsNothing
    this.#seen.contentAge = reporter(this.#timelines[page]!, at)
    this.scores[page]!.visit(this.#seen.changed)
    this.#options.rateEstimates.learn(page, this.#seen)
    this.#lastVisit[page] = at
    this.#used++
  }

  /** Scores the stretch from the last visit to `to`. */
  #walk(page: number, to: Seconds): void {
    const timeline = this.#timelines[page]!
    const from = this.#lastVisit[page]!
    this.#seen.gap = to - from
    this.#seen.changed = timeline.advance(to)
    const lateFrom = this.#collection.from[page]! + this.#options.warmUp
    this.scores[page]!.stretch({
      from,
      to,
      firstChange: timeline.firstChange,
      changes: timeline.changes,
      lateFrom,
    })
  }

  #finish(page: number): void {
    this.#walk(page, this.#collection.until[page]!)
    this.#done[page] = 1
  }
}
