import type { WeighedHint } from './hint.js'
import type { Seconds, UnixSeconds } from './units.js'

/**
 * An estimator that keeps a page's whole past in a few numbers, so that they
 * fit in the page's row and one observation costs the same at any time. The
 * numbers live in a caller's array; nothing is allocated.
 */
export interface Learner {
  readonly name: string
  readonly summary: string
  /** How many numbers it keeps. */
  readonly size: number
  /** Whether it minds `calmFor`; to any other a gap with a calm beginning is given as two. */
  readonly knowsCalm?: boolean
  /** Writes the state of a page just seen for the first time; its content age is NaN if untold. */
  start(memory: Float64Array, contentAge: Seconds): void
  /** Takes in one gap. */
  learn(memory: Float64Array, seen: Seen): void
  /** The estimate so far: 0 where nothing can be said yet or changes are too fast to see. */
  changePeriod(memory: Float64Array): Seconds
  /**
   * What is believed of the page, for a policy that looks at more than one
   * number: twice as many masses as there are laws in `twoPaceLaws`, law by law
   * at the fast and at the slow pace, which sum to 1; then how many visits in a
   * row saw no change. Written anew at each call.
   */
  belief?(memory: Float64Array): Float64Array
  /**
   * The same with what publishers say taken as evidence, by its reliability;
   * null where they say nothing of how the page changes. Written anew at each
   * call.
   */
  heard?(memory: Float64Array, told: readonly WeighedHint[]): Float64Array | null
}

/** One observation as the engine hands it to a learner; written anew for each. */
export interface Seen {
  /** When the gap ended, where known: for learners that mind the hour of the week. */
  readonly at?: UnixSeconds
  readonly gap: Seconds
  readonly changed: boolean
  /** NaN if untold. */
  readonly contentAge: Seconds
  /** How long after the gap's start the page is known not to have changed; nothing unless said. */
  readonly calmFor?: Seconds
}
