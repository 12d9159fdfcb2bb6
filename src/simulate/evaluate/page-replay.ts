import type { Timeline, UnixSeconds } from '../../model/index.js'
import type { ReplayCollection } from './collection.js'

/** One page of a collection, walked forward over its recorded changes. */
export class PageReplay implements Timeline {
  lastChange: UnixSeconds
  firstChange: UnixSeconds = Infinity
  changes = 0
  readonly #times: Float64Array
  readonly #end: number
  #next: number

  constructor(collection: ReplayCollection, page: number) {
    this.#times = collection.times
    this.#next = collection.offsets[page]!
    this.#end = collection.offsets[page + 1]!
    this.lastChange = collection.before[page]!
  }

  advance(to: UnixSeconds): boolean {
    const times = this.#times
    const begin = this.#next
    let next = begin
    while (next < this.#end && times[next]! <= to) next++
    this.#next = next
    this.changes = next - begin
    if (next === begin) {
      this.firstChange = Infinity
      return false
    }
    this.firstChange = times[begin]!
    this.lastChange = times[next - 1]!
    return true
  }
}
