import { begin, PageState, proceed } from '../../engine/index.js'
import { chanceOfChange, type GroupLaw } from '../../estimate/index.js'
import { DAY, type Seconds } from '../../model/index.js'
import { Random, twoPaceLaws } from '../../numeric/index.js'
import { freshShare, nextPrice, noPrice, type PriceState } from '../../schedule/index.js'
import { Scores } from '../scores.js'
import { tellsNothing, tellsTruth } from '../visit-loop.js'
import { AutoGroup } from './auto-group.js'
import type { ReplayCollection } from './collection.js'
import { PageReplay } from './page-replay.js'
import { ReplayNews } from './replay-news.js'
import type { PageScores, RunOptions } from './rule.js'

export interface AutoOptions extends RunOptions {
  /** Visits a page and day that may be spent. */
  readonly perDay: number
  /** What is thought of a source's pages before any is looked at. */
  readonly lawFor: (source: number) => GroupLaw
  /** A price kept all along, instead of one that follows the budget. */
  readonly fixedPrice?: number
  /** Whether pages are visited when a page of their source changed, once that has proved worth it. */
  readonly neighbours?: boolean
}

/** A source's law is learned anew after a day, then each time half as much time again has passed. */
const firstRefresh = 1
const refreshGrowth = 1.5

/**
 * Replays a collection under the default. Pages of a source are a group: its
 * law and its clock are learned anew now and then from what its own visits
 * showed. Each morning the price of a request is set so that what is believed
 * of all pages asks for the budget, and what was spent too much or too little
 * is made good over the next thirty days: no hindsight.
 */
export function runAuto(collection: ReplayCollection, options: AutoOptions): PageScores {
  const replay = new AutoReplay(collection, options)
  for (let day = 0; day * DAY < collection.length; day++) replay.spend(day)
  return replay.scores
}

class AutoReplay {
  readonly scores: Scores[]
  readonly #collection: ReplayCollection
  readonly #options: AutoOptions
  readonly #timelines: PageReplay[]
  readonly #states: PageState[]
  readonly #groups: AutoGroup[]
  readonly #due: Float64Array
  readonly #news: ReplayNews | null
  /** 0 before the first visit, 1 while followed, 2 once its time is over. */
  readonly #stage: Uint8Array
  readonly #seen = { at: 0, gap: 0, changed: false, contentAge: Number.NaN }
  readonly #masses = new Float64Array(twoPaceLaws.size)
  #price: number
  #priceState: PriceState = noPrice
  #allowed = 0
  #refreshDay = firstRefresh

  constructor(collection: ReplayCollection, options: AutoOptions) {
    this.#collection = collection
    this.#options = options
    this.#price = options.fixedPrice ?? 6 * 3600
    const price = () => this.#price
    this.#groups = collection.sourceNames.map(
      (_, source) => new AutoGroup({ law: options.lawFor(source), price }),
    )
    const size = collection.ids.length
    this.scores = Array.from({ length: size }, () => new Scores())
    this.#timelines = collection.ids.map((_, page) => new PageReplay(collection, page))
    this.#states = collection.ids.map((_, page) => {
      const group = this.#groups[collection.sources[page]!]!
      group.pages.push(page)
      const random = Random.stream({ seed: options.seed, index: page })
      return new PageState({ learner: group.learner, random })
    })
    this.#due = new Float64Array(size)
    this.#stage = new Uint8Array(size)
    this.#news = options.neighbours === true ? this.#newsOf(price) : null
  }

  #newsOf(price: () => number): ReplayNews {
    const lastSeen = (page: number) => (this.#stage[page] === 1 ? this.#states[page]!.at : null)
    return new ReplayNews({
      due: this.#due,
      price,
      lastSeen,
      freshTime: (page, { at, gap }) => {
        const { learner, law } = this.#groups[this.#collection.sources[page]!]!
        const belief = learner.belief(this.#states[page]!.memory)
        return gap * freshShare(belief, { at, gap, clock: law.clock })
      },
    })
  }

  /** One day: laws learned anew if it is time, the price of the day, and its visits. */
  spend(day: number): void {
    const morning = day * DAY
    if (day >= this.#refreshDay) {
      for (const group of this.#groups) this.#refresh(group, morning)
      this.#refreshDay = Math.ceil(day * refreshGrowth)
    }
    this.#setPrice(morning)
    if (this.#options.neighbours)
      for (const group of this.#groups) this.#visitTogether(group, morning + DAY)
    else for (let page = 0; page < this.#stage.length; page++) this.#visitUntil(page, morning + DAY)
    for (let page = 0; page < this.#stage.length; page++)
      this.#allowed += (this.#options.perDay * this.#overlap(page, morning)) / DAY
  }

  #overlap(page: number, morning: Seconds): Seconds {
    const { from, until } = this.#collection
    return Math.max(0, Math.min(until[page]!, morning + DAY) - Math.max(from[page]!, morning))
  }

  #refresh(group: AutoGroup, morning: Seconds): void {
    const seen = group.pages.filter((page) => this.#stage[page]! > 0)
    if (seen.length === 0) return
    group.refresh(seen.map((page) => this.#states[page]!.memory))
    for (const page of seen) if (this.#stage[page] === 1) this.#replan(group, { page, morning })
  }

  /** The next visit by the new law; one that is overdue by it waits for a moment of the day of its own. */
  #replan(group: AutoGroup, { page, morning }: { page: number; morning: Seconds }): void {
    const state = this.#states[page]!
    state.belief = group.learner.belief(state.memory)
    const due = state.at + group.mind.policy.nextGap(state)
    const moment = morning + DAY * state.random.uniform()
    this.#due[page] = due < morning ? Math.max(moment, state.at + 60) : due
    this.#news?.forget(page)
  }

  #setPrice(morning: Seconds): void {
    const { perDay, fixedPrice } = this.#options
    if (fixedPrice !== undefined) return
    const masses = this.#masses.fill(0)
    let [accrued, present, planned] = [0, 0, 0]
    for (let page = 0; page < this.#stage.length; page++) {
      accrued += this.#accrued(page, morning)
      if (this.#stage[page] === 2 || this.#collection.from[page]! >= morning + DAY) continue
      present++
      planned += this.#planned(page)
      this.#addMasses(page)
    }
    if (present === 0) return
    const budget = (perDay * present) / DAY
    const spending = { masses, planned, budget, owed: this.#allowed - accrued }
    this.#priceState = nextPrice(this.#priceState, spending)
    this.#price = this.#priceState.price!
  }

  /** Visits a second of the running gap; of a page not seen yet, the budget's share. */
  #planned(page: number): number {
    if (this.#stage[page] === 0) return this.#options.perDay / DAY
    return 1 / Math.max(60, this.#due[page]! - this.#states[page]!.at)
  }

  /**
   * Visits made, with the share of the running gap that has passed: otherwise
   * pages that all began at once would seem to spend nothing until all are due.
   * Half a visit less once a page was seen twice, which is what runs on average.
   */
  #accrued(page: number, now: Seconds): number {
    const { visits, firstVisits } = this.scores[page]!
    const made = visits - firstVisits
    if (this.#stage[page] !== 1) return made
    const state = this.#states[page]!
    const share = Math.min(1, (now - state.at) / Math.max(1, this.#due[page]! - state.at))
    return made + share - (made > 0 ? 0.5 : 0)
  }

  #addMasses(page: number): void {
    const group = this.#groups[this.#collection.sources[page]!]!
    const masses = this.#masses
    if (this.#stage[page] === 0) {
      for (let law = 0; law < masses.length; law++) masses[law]! += group.law.masses[law]!
      return
    }
    const belief = group.learner.belief(this.#states[page]!.memory)
    for (let law = 0; law < masses.length; law++)
      masses[law]! += belief[2 * law]! + belief[2 * law + 1]!
  }

  #visitUntil(page: number, evening: Seconds): void {
    const from = this.#collection.from[page]!
    const until = this.#collection.until[page]!
    if (this.#stage[page] === 2 || from >= evening) return
    if (this.#stage[page] === 0) this.#begin(page, from)
    const last = Math.min(evening, until)
    while (this.#due[page]! < last) this.#visit(page, this.#due[page]!)
    if (until <= evening) {
      this.#walk(page, until)
      this.#stage[page] = 2
    }
  }

  /** The day's visits of a group in order of time, so that one page's change may call for another. */
  #visitTogether(group: AutoGroup, evening: Seconds): void {
    const { from, until } = this.#collection
    for (const page of group.pages)
      if (this.#stage[page] === 0 && from[page]! < evening) this.#begin(page, from[page]!)
    for (let page = this.#nextOf(group, evening); page >= 0; page = this.#nextOf(group, evening)) {
      this.#visit(page, this.#due[page]!)
    }
    for (const page of group.pages) {
      if (this.#stage[page] !== 1 || until[page]! > evening) continue
      this.#walk(page, until[page]!)
      this.#stage[page] = 2
    }
  }

  #nextOf(group: AutoGroup, evening: Seconds): number {
    let [next, first] = [-1, evening]
    for (const page of group.pages) {
      const due = this.#due[page]!
      if (this.#stage[page] !== 1 || !(due < first) || due >= this.#collection.until[page]!)
        continue
      ;[next, first] = [page, due]
    }
    return next
  }

  #begin(page: number, at: Seconds): void {
    const { mind } = this.#groups[this.#collection.sources[page]!]!
    const told = this.#options.lastModified ? tellsTruth : tellsNothing
    const state = this.#states[page]!
    this.#stage[page] = 1
    this.scores[page]!.begin()
    const gap = begin(mind, state, { at, contentAge: told(this.#timelines[page]!, at) })
    this.#plan(page, gap)
  }

  #visit(page: number, at: Seconds): void {
    const group = this.#groups[this.#collection.sources[page]!]!
    const state = this.#states[page]!
    const seen = this.#seen
    this.#walk(page, at)
    const told = this.#options.lastModified ? tellsTruth : tellsNothing
    seen.contentAge = told(this.#timelines[page]!, at)
    this.scores[page]!.visit(seen.changed)
    const clockGap = group.learner.clockGap(state.memory, seen)
    const chance = chanceOfChange(group.learner.belief(state.memory), clockGap)
    group.log.note({ at, gap: seen.gap, changed: seen.changed, chance })
    const { changed } = seen
    const lastSeen = state.at
    this.#plan(page, proceed(group.mind, state, seen))
    this.#news?.after(group, { page, at, lastSeen, changed, chance, random: state.random })
  }

  #plan(page: number, gap: Seconds): void {
    const state = this.#states[page]!
    state.plannedGap = gap
    this.#due[page] = state.at + gap
  }

  /** Scores the stretch from the last visit to `to`. */
  #walk(page: number, to: Seconds): void {
    const timeline = this.#timelines[page]!
    const from = this.#states[page]!.at
    this.#seen.at = to
    this.#seen.gap = to - from
    this.#seen.changed = timeline.advance(to)
    const { firstChange, changes } = timeline
    const lateFrom = this.#collection.from[page]! + this.#options.warmUp
    this.scores[page]!.stretch({ from, to, firstChange, changes, lateFrom })
  }
}
