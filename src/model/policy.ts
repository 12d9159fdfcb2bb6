import type { Declared, HintsView, WeighedHint } from './hint.js'
import type { RandomSource, Seconds, UnixSeconds } from './units.js'

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
  /** Whether it uses `unchangedFor`; to any other a gap with an unchanged beginning is given as two. */
  readonly usesUnchangedFor?: boolean
  /** Writes the state of a page just seen for the first time; its content age is NaN if not reported. */
  start(memory: Float64Array, contentAge: Seconds): void
  /** Takes in one gap. */
  learn(memory: Float64Array, seen: Seen): void
  /** The estimate so far: 0 where nothing can be said yet or changes are too fast to see. */
  changePeriod(memory: Float64Array): Seconds
  /** All that is known of the page, for a policy that follows more than one number. Written anew at each call. */
  posterior?(memory: Float64Array): Posterior
  /**
   * The same with what publishers say taken as evidence, by its reliability;
   * null where they say nothing of how the page changes. Written anew at each
   * call.
   */
  adjusted?(memory: Float64Array, reported: readonly WeighedHint[]): Posterior | null
}

/**
 * What a learner knows of a page now. It is the learner's own scratch, written
 * anew at its next call: who keeps one copies it.
 */
export interface Posterior {
  /** Chances of the change laws, which sum to 1; in the order of those who made them, and read by the policy that follows them. */
  readonly masses: Float64Array
  /** Visits in a row, up to now, that saw no change. */
  readonly unchangedRun: number
  /** The chance that the page does not keep the hours of its group. */
  readonly flatClockShare: number
}

/** One observation as the planner hands it to a learner; written anew for each. */
export interface Seen {
  /** When the gap ended, where known: for learners that follow the hour of the week. */
  readonly at?: UnixSeconds
  readonly gap: Seconds
  readonly changed: boolean
  /** NaN if not reported. */
  readonly contentAge: Seconds
  /** How long after the gap's start the page is known not to have changed; nothing by default. */
  readonly unchangedFor?: Seconds
}

/** When to visit a page next, and why. */
export interface Due {
  readonly at: UnixSeconds | 'never'
  /** One sentence a person understands. */
  readonly reason: string
}

/**
 * All that a policy may know after a visit. The planner and the simulator
 * keep one of these and write into it, so a policy must not hold on to it.
 */
export interface PageView {
  /** The visit just made. */
  readonly at: UnixSeconds
  /** Successful visits, this one among them. */
  readonly visits: number
  readonly changes: number
  /** Time since the successful visit before; 0 at the first. */
  readonly gap: Seconds
  readonly changed: boolean
  /** Time since the page last changed, if reported believably; NaN if not. */
  readonly contentAge: Seconds
  /** The gap this policy asked for the last time; 0 at the first visit. */
  readonly plannedGap: Seconds
  /** The learner's estimate so far; 0 before there is any (Malcolm & Armitage's reading). */
  readonly changePeriod: Seconds
  /** All that the learner knows, where it tells (`Learner.posterior`); null or absent if not. */
  readonly posterior?: Posterior | null
  /** The same with publishers' hints as evidence (`Learner.adjusted`); null or absent where there are none. */
  readonly adjusted?: Posterior | null
  readonly declared: Declared | null
  /** What publishers say, with its reliability; left out where hints are not followed. */
  readonly hints?: HintsView | null
  readonly random: RandomSource
}

/** When to visit one page next: pure, but for the random source it is handed. */
export interface Policy {
  readonly name: string
  /** One sentence for a person who chooses a policy. */
  readonly summary: string
  /** The learner whose estimate it follows, unless another is chosen, as the registry reads it: `irregular-mle:prior=fitted`; null if it follows none. */
  readonly learner: string | null
  /** Time to wait before the next visit; Infinity for never. Positive. */
  nextGap(view: PageView): Seconds
  /** Why `gap` was chosen, given the same view. */
  reason(view: PageView, gap: Seconds): string
  /**
   * The gap that publishers' hints make of the one chosen, and why; null where
   * they change nothing. The policy's own gap is what is kept as planned.
   */
  moved?(view: PageView, gap: Seconds): Moved | null
  /**
   * The gap that a list's change signal makes of the one planned, and why; null
   * where it changes nothing. `elapsed` has passed since the visit. Without it,
   * a trusted signal makes a page due at once.
   */
  called?(view: PageView, about: { elapsed: Seconds; gap: Seconds }): Moved | null
  /** No visit comes sooner after a visit than this, also where that failed or a list tells of a change; at any time where left out. */
  readonly minGap?: Seconds
  /** The policy that this one wraps; its state is read by either. */
  readonly bare?: Policy
}

/** A gap moved by a hint. */
export interface Moved {
  readonly gap: Seconds
  readonly why: string
}
