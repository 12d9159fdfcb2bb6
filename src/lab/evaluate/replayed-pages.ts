import type { History } from '../../model/history.js'
import type { AutoLearner } from '../../planner/posterior/learner.js'
import type { GroupChangeLaw } from '../../planner/posterior/posterior.js'
import type { PageState, Planner } from '../../planner/step.js'
import type { Objective } from '../../planner/value/objective.js'
import type { Scores } from '../scores.js'
import type { ReplayCollection } from './collection.js'

/** Pages in order of their next event: a binary heap whose entries can be moved. */
export class DueQueue {
  readonly #at: Float64Array
  readonly #heap: Int32Array
  /** Where each page stands in the heap; -1 where it does not. */
  readonly #place: Int32Array
  #size = 0

  constructor(pages: number) {
    this.#at = new Float64Array(pages)
    this.#heap = new Int32Array(pages)
    this.#place = new Int32Array(pages).fill(-1)
  }

  /** The page whose event comes first; -1 where there is none. */
  get first(): number {
    return this.#size > 0 ? this.#heap[0]! : -1
  }

  /** When a page's event comes. */
  at(page: number): number {
    return this.#at[page]!
  }

  /** Puts a page's event at a time, whether it has one already or not. O(log pages). */
  set(page: number, at: number): void {
    this.#at[page] = at
    if (this.#place[page]! < 0) {
      this.#place[page] = this.#size
      this.#heap[this.#size++] = page
    }
    this.#rise(this.#place[page]!)
    this.#sink(this.#place[page]!)
  }

  remove(page: number): void {
    const place = this.#place[page]!
    if (place < 0) return
    this.#place[page] = -1
    const last = this.#heap[--this.#size]!
    if (last === page) return
    this.#heap[place] = last
    this.#place[last] = place
    this.#rise(place)
    this.#sink(this.#place[last]!)
  }

  /** Of equal times the page with the lower number comes first. */
  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#at[one]!, this.#at[other]!]
    return a < b || (a === b && one < other)
  }

  #rise(from: number): void {
    const page = this.#heap[from]!
    let place = from
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!this.#isBefore(page, this.#heap[parent]!)) break
      this.#put(this.#heap[parent]!, place)
      place = parent
    }
    this.#put(page, place)
  }

  #sink(from: number): void {
    const page = this.#heap[from]!
    let place = from
    for (;;) {
      let child = 2 * place + 1
      if (child >= this.#size) break
      if (child + 1 < this.#size && this.#isBefore(this.#heap[child + 1]!, this.#heap[child]!))
        child++
      if (!this.#isBefore(this.#heap[child]!, page)) break
      this.#put(this.#heap[child]!, place)
      place = child
    }
    this.#put(page, place)
  }

  #put(page: number, place: number): void {
    this.#heap[place] = page
    this.#place[page] = place
  }
}

/** How far a page's replay is: before its first visit, while it is followed, once its time is over. */
export const stages = { ahead: 0, followed: 1, over: 2 } as const

/** The pages of a replay under the default, as its controller and its change signals see them. */
export interface ReplayedPages {
  readonly collection: ReplayCollection
  readonly scores: readonly Scores[]
  readonly states: readonly PageState[]
  readonly due: DueQueue
  /** One of `stages` for each page. */
  readonly stage: Uint8Array
  /** What visits are for. */
  readonly objective: Objective
  /** What a request costs now, in the objective's unit. */
  readonly price: number
  learnerOf(page: number): AutoLearner
  learnerOfSource(source: number): AutoLearner
  plannerOf(page: number): Planner
  /** Another law for the pages of a source. */
  useLaw(source: number, law: GroupChangeLaw): void
  /** A page's newest visits, as the crawler would read them back. */
  historyOf(page: number): { readonly history: History; readonly fromFirst: boolean }
  /** Whether a page is due because a neighbour changed. */
  isCalled(page: number): boolean
}
