import { DAY, type Seconds, type UnixSeconds } from '../../model/index.js'

/** A gap longer than this tells nothing of hours. */
const longest: Seconds = 8 * DAY
/** Nor does one in which changes were as good as certain, or out of the question. */
const most = 3
const fewest = 1e-4

/**
 * Gaps of a group's pages, with the changes that were expected in them: what
 * its hours of the week are learned from. Bounded: when full, every other gap
 * is dropped and from then on only every other one taken, and so on, so that
 * it stays an even sample of all time. The latest alone would not do: once
 * visits follow the clock they all fall in the same hours and tell little.
 */
export class GapLog {
  readonly #columns: Float64Array
  readonly #room: number
  #stride = 1
  #met = 0
  size = 0

  constructor({ room = 16_000 }: { readonly room?: number } = {}) {
    this.#room = room
    this.#columns = new Float64Array(4 * room)
  }

  /** `chance` is what was believed, before the visit, of seeing a change in this gap. */
  note(seen: { at: UnixSeconds; gap: Seconds; changed: boolean; chance: number }): void {
    const expected = -Math.log1p(-seen.chance)
    if (!(seen.gap < longest && expected > fewest && expected < most)) return
    if (this.#met++ % this.#stride !== 0) return
    if (this.size === this.#room) this.#thin()
    const at = 4 * this.size++
    this.#columns[at] = seen.at - seen.gap
    this.#columns[at + 1] = seen.at
    this.#columns[at + 2] = seen.changed ? 1 : 0
    this.#columns[at + 3] = expected
  }

  /** Start, end, 1 if changed, and changes expected, four numbers a gap. */
  get columns(): Float64Array {
    return this.#columns.subarray(0, 4 * this.size)
  }

  #thin(): void {
    const half = this.#room >> 1
    for (let row = 0; row < half; row++) this.#columns.copyWithin(4 * row, 8 * row, 8 * row + 4)
    this.size = half
    this.#stride *= 2
  }
}
