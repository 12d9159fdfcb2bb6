import type { Seconds, UnixSeconds } from '../../model/index.js'
import { reversed } from './consistent-windows.js'
import {
  grownFrom,
  growthOver,
  initialPoints,
  initialState,
  WindowGrowth,
} from './window-growth.js'
import type { WindowRule, WindowState } from './window-rule.js'

/**
 * What a new update did to the window that was being followed:
 *
 * - `fits`: it belongs, or strays within the threshold
 * - `new-window`: it does not, and with the points before it makes a window of its own
 * - `noise`: it does not and they do not; it is kept in the window and counted
 */
export type FollowOutcome = 'fits' | 'new-window' | 'noise'

/**
 * The window that ends with the latest update, kept up to date in place. A
 * point that does not fit starts a new window if that can be: grown backward
 * from the new point, it must reach the minimum of points and yet be shorter
 * than the old window. Up to three points always fit: they tell the state.
 * A point that fits costs O(1), another O(points of the window).
 *
 * Singh 2007, section 5, the second experiment.
 */
export class WindowFollower {
  /** Where t = 0 lies: the point before the first. */
  origin: UnixSeconds
  /** Time of each point since the origin. */
  times: Seconds[] = []
  #points: UnixSeconds[] = []
  #gaps: Seconds[] = []
  #growth: WindowGrowth
  readonly #rule: WindowRule

  constructor({ origin, rule }: { origin: UnixSeconds; rule: WindowRule }) {
    this.origin = origin
    this.#rule = rule
    this.#growth = new WindowGrowth({ state: 'constant', rule })
  }

  /** Follows points that are known to make one window of a known state. */
  static over(
    points: Iterable<UnixSeconds>,
    about: { origin: UnixSeconds; state: WindowState; rule: WindowRule },
  ): WindowFollower {
    const follower = new WindowFollower(about)
    for (const at of points) follower.#append(at)
    follower.#growth = growthOver(follower.#gaps, about)
    return follower
  }

  get state(): WindowState {
    return this.#growth.state
  }

  take(at: UnixSeconds): FollowOutcome {
    this.#append(at)
    const gap = this.#gaps[this.#gaps.length - 1]!
    if (this.#gaps.length <= initialPoints) {
      this.#regrow(initialState(this.#gaps, this.#rule))
      return 'fits'
    }
    if (this.#growth.fits(gap)) {
      this.#growth.grow(gap)
      return 'fits'
    }
    const own = grownFrom([...this.#gaps].reverse(), { rule: this.#rule })
    if (own.count < this.#rule.minimumPoints || own.count >= this.#gaps.length) {
      this.#growth.grow(gap)
      return 'noise'
    }
    this.#startAnew(own)
    return 'new-window'
  }

  #append(at: UnixSeconds): void {
    this.#gaps.push(at - (this.#points[this.#points.length - 1] ?? this.origin))
    this.#points.push(at)
    this.times.push(at - this.origin)
  }

  #regrow(state: WindowState): void {
    this.#growth = growthOver(this.#gaps, { state, rule: this.#rule })
  }

  /** Keeps the last points only; a window grown backward sees rising as falling. */
  #startAnew({ count, state }: WindowGrowth): void {
    const kept = this.#points.length - count
    this.origin = this.#points[kept - 1]!
    this.#points = this.#points.slice(kept)
    this.times = this.#points.map((at) => at - this.origin)
    this.#gaps = this.#gaps.slice(kept)
    this.#regrow(reversed(state))
  }
}
