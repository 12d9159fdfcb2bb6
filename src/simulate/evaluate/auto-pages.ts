import { begin, PageState, proceed } from '../../engine/index.js'
import type { Seconds } from '../../model/index.js'
import { Random } from '../../numeric/index.js'
import { freshShare } from '../../schedule/index.js'
import { Scores } from '../scores.js'
import { tellsNothing, tellsTruth } from '../visit-loop.js'
import type { AutoGroup } from './auto-group.js'
import type { ReplayCollection } from './collection.js'
import { PageReplay } from './page-replay.js'
import { ReplayNews } from './replay-news.js'
import type { RunOptions } from './rule.js'

export interface AutoPagesOptions extends RunOptions {
  /** By source; each is told its pages. */
  readonly groups: readonly AutoGroup[]
  readonly price: () => number
  /** Whether pages are told of each other's changes; not unless said. */
  readonly neighbours?: boolean
}

/** How far a page's replay is: before its first visit, while it is followed, once its time is over. */
export const stages = { ahead: 0, followed: 1, over: 2 } as const

/** The pages of a replay under the default: where each stands, when it is due, and its visits. */
export class AutoPages {
  readonly scores: readonly Scores[]
  readonly states: readonly PageState[]
  readonly due: Float64Array
  /** One of `stages` for each page. */
  readonly stage: Uint8Array
  readonly collection: ReplayCollection
  readonly #groups: readonly AutoGroup[]
  readonly #options: RunOptions
  readonly #news: ReplayNews | null
  readonly #timelines: readonly PageReplay[]
  readonly #seen = { at: 0, gap: 0, changed: false, contentAge: Number.NaN }

  constructor(collection: ReplayCollection, options: AutoPagesOptions) {
    this.collection = collection
    this.#groups = options.groups
    this.#options = options
    const size = collection.ids.length
    this.scores = Array.from({ length: size }, () => new Scores())
    this.#timelines = collection.ids.map((_, page) => new PageReplay(collection, page))
    this.states = collection.ids.map((_, page) => {
      const group = this.groupOf(page)
      group.pages.push(page)
      const random = Random.stream({ seed: options.seed, index: page })
      return new PageState({ learner: group.learner, random })
    })
    this.due = new Float64Array(size)
    this.stage = new Uint8Array(size)
    this.#news = options.neighbours === true ? this.#newsAt(options.price) : null
  }

  #newsAt(price: () => number): ReplayNews {
    const { due, stage, states } = this
    const lastSeen = (page: number) => (stage[page] === stages.followed ? states[page]!.at : null)
    const freshTime = (page: number, { at, gap }: { at: Seconds; gap: Seconds }) => {
      const { learner, law } = this.groupOf(page)
      const belief = learner.belief(states[page]!.memory)
      return gap * freshShare(belief, { at, gap, clock: law.clock })
    }
    return new ReplayNews({ due, price, lastSeen, freshTime })
  }

  get size(): number {
    return this.stage.length
  }

  groupOf(page: number): AutoGroup {
    return this.#groups[this.collection.sources[page]!]!
  }

  /** The page's visits of a day, up to its evening. */
  visitUntil(page: number, evening: Seconds): void {
    const until = this.collection.until[page]!
    if (this.stage[page] === stages.over || this.collection.from[page]! >= evening) return
    this.beginBy(page, evening)
    const last = Math.min(evening, until)
    while (this.due[page]! < last) this.visit(page)
    this.endBy(page, evening)
  }

  /** The first visit, if the page appears before the evening and has had none. */
  beginBy(page: number, evening: Seconds): void {
    const at = this.collection.from[page]!
    if (this.stage[page] !== stages.ahead || at >= evening) return
    const state = this.states[page]!
    this.stage[page] = stages.followed
    this.scores[page]!.begin()
    this.#plan(
      page,
      begin(this.groupOf(page).mind, state, { at, contentAge: this.#told(page, at) }),
    )
  }

  /** Scores the last stretch of a page whose time is over by the evening. */
  endBy(page: number, evening: Seconds): void {
    const until = this.collection.until[page]!
    if (this.stage[page] !== stages.followed || until > evening) return
    this.#walk(page, until)
    this.stage[page] = stages.over
  }

  /** Another plan for the next visit. */
  replan(page: number, due: Seconds): void {
    this.due[page] = due
    this.#news?.forget(page)
  }

  /** Visits the page when it is due. */
  visit(page: number): void {
    const at = this.due[page]!
    const group = this.groupOf(page)
    const state = this.states[page]!
    const seen = this.#seen
    this.#walk(page, at)
    seen.contentAge = this.#told(page, at)
    this.scores[page]!.visit(seen.changed)
    const isFirst = state.visits === 1 && !(state.contentAge >= 0)
    const chance = group.note(state.memory, { ...seen, isFirst })
    const { changed } = seen
    const lastSeen = state.at
    this.#plan(page, proceed(group.mind, state, seen))
    this.#news?.after(group, { page, at, lastSeen, changed, chance, random: state.random })
  }

  #told(page: number, at: Seconds): Seconds {
    const told = this.#options.lastModified ? tellsTruth : tellsNothing
    return told(this.#timelines[page]!, at)
  }

  #plan(page: number, gap: Seconds): void {
    const state = this.states[page]!
    state.plannedGap = gap
    this.due[page] = state.at + gap
  }

  /** Scores the stretch from the last visit to `to`. */
  #walk(page: number, to: Seconds): void {
    const timeline = this.#timelines[page]!
    const from = this.states[page]!.at
    this.#seen.at = to
    this.#seen.gap = to - from
    this.#seen.changed = timeline.advance(to)
    const { firstChange, changes } = timeline
    const lateFrom = this.collection.from[page]! + this.#options.warmUp
    this.scores[page]!.stretch({ from, to, firstChange, changes, lateFrom })
  }
}
