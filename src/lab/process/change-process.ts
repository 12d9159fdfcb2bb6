import type { RandomSource, Seconds, UnixSeconds } from '../../model/units.js'

/** A simulated truth: how a page changes, whether anybody looks or not. */
export interface ChangeProcess {
  readonly name: string
  /** One sentence for a person who chooses a process. */
  readonly summary: string
  /** Long-run mean time between changes. */
  readonly changePeriod: Seconds
  /** One page's changes from a start on, which it has then been making for ever (equilibrium). */
  timeline(options: { readonly from: UnixSeconds; readonly random: RandomSource }): Timeline
}

/**
 * One page's changes, walked forward. After `advance(to)` the fields tell what
 * happened since the call before: numbers only, nothing allocated.
 */
export interface Timeline {
  /** Moves on to a later time and tells whether the page changed on the way. */
  advance(to: UnixSeconds): boolean
  /** The latest change at or before the present, from before the start if need be. */
  readonly lastChange: UnixSeconds
  /** The first change of the stretch just walked; Infinity if there was none. */
  readonly firstChange: UnixSeconds
  /** How many changes the stretch just walked had. */
  readonly changes: number
}
