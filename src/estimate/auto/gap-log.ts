import { DAY, type Seconds, type UnixSeconds } from '../../model/index.js'

/** A gap longer than this tells nothing of hours. */
const longest: Seconds = 8 * DAY
/** Nor does one in which changes were as good as certain, or out of the question. */
const most = 3
const fewest = 1e-4

/**
 * The latest gaps of a group's pages, with the changes that were expected in
 * them: what its hours of the week are learned from. Bounded; older gaps make
 * room.
 */
export class GapLog {
  readonly #columns: Float64Array
  readonly #room: number
  #next = 0
  size = 0

  constructor({ room = 4000 }: { readonly room?: number } = {}) {
    this.#room = room
    this.#columns = new Float64Array(4 * room)
  }

  /** `chance` is what was believed, before the visit, of seeing a change in this gap. */
  note(seen: { at: UnixSeconds; gap: Seconds; changed: boolean; chance: number }): void {
    const expected = -Math.log1p(-seen.chance)
    if (!(seen.gap < longest && expected > fewest && expected < most)) return
    const at = 4 * this.#next
    this.#columns[at] = seen.at - seen.gap
    this.#columns[at + 1] = seen.at
    this.#columns[at + 2] = seen.changed ? 1 : 0
    this.#columns[at + 3] = expected
    this.#next = (this.#next + 1) % this.#room
    this.size = Math.min(this.#room, this.size + 1)
  }

  /** Start, end, 1 if changed, and changes expected, four numbers a gap. */
  get columns(): Float64Array {
    return this.#columns.subarray(0, 4 * this.size)
  }
}
