import { humanTime } from '../../model/duration.js'
import { OptionError } from '../../model/errors.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'
import { Random } from '../../numeric/random.js'
import type { ChangeProcess, Timeline } from './change-process.js'

export interface ChangeLogOptions {
  readonly process: ChangeProcess
  readonly seed: number
  readonly from: UnixSeconds
  /** The stride of the walk; a hundredth of the process's period by default. */
  readonly grain?: Seconds
  /** At least so many of the latest changes are remembered; 32,768 by default. */
  readonly keep?: number
}

/**
 * When one simulated page changes, change by change, for questions about its
 * present and past at any moments in any order.
 *
 * A timeline's draws depend on where it is stopped, so the log always walks it
 * in the same strides from the same start: the seed alone decides the changes,
 * never who asks when. A timeline tells the first, the last and the number of
 * a stride's changes; where more than two fall into one stride, which the
 * grain makes rare, the others are spread evenly between the two.
 *
 * Walks O(time / grain + changes) in all; a question costs O(log keep). Old
 * change times are forgotten, so memory is at most 2 x keep numbers.
 */
export class ChangeLog {
  readonly from: UnixSeconds
  readonly #timeline: Timeline
  readonly #grain: Seconds
  readonly #keep: number
  #strides = 0
  #walkedTo: UnixSeconds
  #times: number[] = []
  #forgotten = 0
  /** The change before the oldest remembered one: from before the start, until one is forgotten. */
  #before: UnixSeconds

  constructor({
    process,
    seed,
    from,
    grain = process.changePeriod / 100,
    keep = 32_768,
  }: ChangeLogOptions) {
    if (!(grain > 0 && grain < Infinity))
      throw new OptionError('bad-parameter', `grain is ${grain}, but it must be a time above 0`)
    if (!(keep >= 1))
      throw new OptionError('bad-parameter', `keep is ${keep}, but it must be 1 or more`)
    this.#timeline = process.timeline({ from, random: new Random(seed) })
    this.#before = this.#timeline.lastChange
    this.#walkedTo = this.from = from
    this.#grain = grain
    this.#keep = keep
  }

  /** Changes since the start, up to and with a moment. */
  versionAt(at: UnixSeconds): number {
    const count = this.#countUpTo(at)
    return count + this.#forgotten
  }

  /** The latest change up to a moment; from before the start if there was none since. */
  lastChangeAt(at: UnixSeconds): UnixSeconds {
    const count = this.#countUpTo(at)
    return count > 0 ? this.#times[count - 1]! : this.#before
  }

  /** The change times after `from`, up to and with `to`. */
  between({ from, to }: { readonly from: UnixSeconds; readonly to: UnixSeconds }): number[] {
    if (from >= to) return []
    const end = this.#countUpTo(to)
    return this.#times.slice(this.#countUpTo(from), end)
  }

  /** The first change after `from`, up to and with `to`; Infinity if there is none. */
  firstBetween({ from, to }: { readonly from: UnixSeconds; readonly to: UnixSeconds }): number {
    if (from >= to) return Infinity
    this.#walk(to)
    const first = this.#times[this.#countUpTo(from)]
    return first !== undefined && first <= to ? first : Infinity
  }

  #countUpTo(at: UnixSeconds): number {
    this.#walk(at)
    this.#checkRemembered(at)
    let low = 0
    let high = this.#times.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#times[middle]! <= at) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The end of each stride is a multiple, not a sum, so that no rounding adds up. */
  #walk(to: UnixSeconds): void {
    if (!(to < Infinity))
      throw new OptionError('bad-time', 'the walk needs a finite time to walk to')
    while (this.#walkedTo < to) {
      this.#strides++
      this.#walkedTo = this.from + this.#strides * this.#grain
      if (this.#timeline.advance(this.#walkedTo)) this.#take(this.#timeline)
    }
  }

  #take({ firstChange, lastChange, changes }: Timeline): void {
    this.#times.push(firstChange)
    for (let i = 1; i < changes; i++)
      this.#times.push(firstChange + ((lastChange - firstChange) * i) / (changes - 1))
    if (this.#times.length > 2 * this.#keep) this.#forget(this.#times.length - this.#keep)
  }

  #forget(count: number): void {
    this.#before = this.#times[count - 1]!
    this.#forgotten += count
    this.#times = this.#times.slice(count)
  }

  #checkRemembered(at: UnixSeconds): void {
    if (at < this.from)
      throw new OptionError(
        'outside-record',
        `${humanTime(at)} lies before the start of the page, ${humanTime(this.from)}; ask for a later time`,
      )
    if (this.#forgotten > 0 && at < this.#before)
      throw new OptionError(
        'outside-record',
        `the changes before ${humanTime(this.#before)} are forgotten; ask earlier, or keep more than ${this.#keep} changes`,
      )
  }
}
