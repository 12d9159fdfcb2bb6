import type { Seconds, UnixSeconds } from '../../model/index.js'
import type { WeekClock } from '../../numeric/index.js'
import { type BestGap, bestGap } from '../auto/best-gap.js'
import type { Objective } from '../auto/objective.js'
import { ownClock } from '../auto/own-clock.js'
import { type GapLimits, heldLimits } from '../gap-limits.js'
import { freshShare, toldCycle } from './fresh-share.js'

/** What a plan needs to know of one page. */
export interface PlanPage {
  readonly host: string
  /** What it is visited for: `freshness` by default. */
  readonly objective?: Objective
  /** What a fresh copy is worth beside the others. */
  readonly importance: number
  /** When it was last seen; now, where it never was. */
  readonly at: UnixSeconds
  /** What is believed of it (`Learner.belief`), a copy of its own. */
  readonly belief: Float64Array
  /** Of its group. */
  readonly clock: WeekClock
  readonly limits: GapLimits
  /** The gap of a page on a policy of its own, which no budget moves; null for all others. */
  readonly ownGap: Seconds | null
  /** The gap that it is in; left out or null where it is in none. */
  readonly running?: Seconds | null
  /** The longest gap that a person promised it: its requests are set aside before the budget is planned. */
  readonly promised?: Seconds | null
  /** How many times as much of its time is stale as predicted, by its group's record; 1 by default. */
  readonly staleRatio?: number
  /** A list that would tell of its changes; left out or null where there is none. */
  readonly listed?: Listed | null
}

/** A list that tells of a page's changes. */
export interface Listed {
  /** How much it counts when a gap is chosen. */
  readonly weight: number
  /** The chance that it tells of changes. */
  readonly reliability: number
  /** How long a change waits until it is told, on the mean. */
  readonly delay: Seconds
}

/** Importance is taken in steps of 5%, so that few prices have to be worked out. */
const step = 0.05
const least = 1e-3

/** The importance that a page is reckoned with: 1 is 1. */
export function importanceStep(importance: number): number {
  if (!(importance > least)) return least
  return Math.exp(Math.round(Math.log(Math.min(1e6, importance)) / step) * step)
}

const found: BestGap = { gap: 0, chance: 0, worth: 0 }

export interface PlanProblem {
  readonly price: number
  readonly objective: Objective
}

/**
 * The gap that the default policy asks for when a request has this price,
 * before it is staggered; longer where a list tells of changes.
 */
export function gapAtPrice(page: PlanPage, { price, objective }: PlanProblem): Seconds {
  if (page.ownGap !== null) return page.ownGap
  const { minGap, maxGap } = heldLimits(page.limits)
  const { belief, at, clock, listed = null } = page
  const paid = price / importanceStep(page.importance)
  const foresight = listed === null ? null : { listed: listed.weight, cached: 0, cachedFor: 0 }
  const problem = { clock: ownClock(clock, belief), price: paid, objective, foresight }
  const { gap } = bestGap(belief, { at, problem, out: found })
  return Math.min(maxGap, Math.max(minGap, gap))
}

/** The mean time between two visits to a page that is asked for so long a gap: less where a list calls for it. */
export function timeBetween(page: PlanPage, gap: Seconds): Seconds {
  const listed = calledBy(page, gap)
  if (listed === null) return gap
  const { belief, at, clock } = page
  const { length } = toldCycle(belief, { at, gap, clock, delay: listed.delay })
  const { minGap } = heldLimits(page.limits)
  return Math.max(minGap, gap + listed.reliability * Math.min(0, length - gap))
}

/** The list whose news bring visits; null where there is none, or the page is not worth a request at all. */
export function calledBy({ listed, ownGap, limits }: PlanPage, gap: Seconds): Listed | null {
  const { maxGap } = heldLimits(limits)
  return ownGap === null && gap < maxGap ? (listed ?? null) : null
}

/**
 * Share of a gap in which the copy of a page is fresh, and of the time until a
 * list tells of a change and a visit comes, as far as the list is to be believed.
 */
export function freshAtGap(
  page: Pick<PlanPage, 'belief' | 'at' | 'clock' | 'listed'>,
  gap: Seconds,
): number {
  const { belief, at, clock, listed = null } = page
  const plain = freshShare(belief, { at, gap, clock })
  if (listed === null) return plain
  const told = toldCycle(belief, { at, gap, clock, delay: listed.delay })
  return plain + listed.reliability * Math.max(0, told.fresh - plain)
}
