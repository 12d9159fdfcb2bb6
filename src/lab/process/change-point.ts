import { humanDuration } from '../../model/duration.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'
import type { ChangeProcess, Timeline } from './change-process.js'
import { checkParameter } from './parameters.js'

export interface ChangePointOptions {
  readonly before: ChangeProcess
  readonly after: ChangeProcess
  /** How long after the origin the page turns from one to the other. */
  readonly at: Seconds
  /** Where `at` is counted from; where each timeline starts, by default. */
  readonly origin?: UnixSeconds
}

/**
 * One process until a time, another after: a page whose care changes hands.
 * The turn itself is no change: the content age runs on over it. The second
 * process starts in its own equilibrium at the turn; `changePeriod` is its
 * period, the one that lasts.
 */
export function changePoint({ before, after, at, origin }: ChangePointOptions): ChangeProcess {
  checkParameter({
    process: 'change-point',
    name: 'at',
    value: at,
    possible: Number.isFinite(at) && (at >= 0 || origin !== undefined),
    why: 'it must be a finite time, 0 or more, after the origin (in seconds)',
  })
  return {
    name: 'change-point',
    summary: `first ${before.summary}; after ${humanDuration(at)}: ${after.summary}`,
    changePeriod: after.changePeriod,
    timeline({ from, random }) {
      const turn = (origin ?? from) + at
      if (turn <= from) return after.timeline({ from, random })
      return new TurningTimeline({
        turn,
        before: before.timeline({ from, random }),
        after: after.timeline({ from: turn, random }),
      })
    },
  }
}

class TurningTimeline implements Timeline {
  lastChange: UnixSeconds
  firstChange: UnixSeconds = Infinity
  changes = 0
  readonly #turn: UnixSeconds
  readonly #before: Timeline
  readonly #after: Timeline
  #turned = false

  constructor({
    turn,
    before,
    after,
  }: { readonly turn: UnixSeconds; readonly before: Timeline; readonly after: Timeline }) {
    this.#turn = turn
    this.#before = before
    this.#after = after
    this.lastChange = before.lastChange
  }

  advance(to: UnixSeconds): boolean {
    this.firstChange = Infinity
    this.changes = 0
    if (!this.#turned) {
      this.#take(this.#before, Math.min(to, this.#turn))
      this.#turned = to >= this.#turn
    }
    if (this.#turned) this.#take(this.#after, to)
    return this.changes > 0
  }

  #take(timeline: Timeline, to: UnixSeconds): void {
    if (!timeline.advance(to)) return
    this.firstChange = Math.min(this.firstChange, timeline.firstChange)
    this.lastChange = timeline.lastChange
    this.changes += timeline.changes
  }
}
