import type { Seconds, UnixSeconds } from '../../model/index.js'
import type { WeekClock } from '../../numeric/index.js'
import { type BestGap, bestGap } from '../auto/best-gap.js'
import type { Objective } from '../auto/objective.js'
import { ownClock } from '../auto/own-clock.js'
import type { GapLimits } from '../limited.js'
import { freshShare } from './fresh-share.js'

/** What a plan needs to know of one page. */
export interface PlanPage {
  readonly host: string
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
  /** A list that would tell of its changes; left out or null where there is none. */
  readonly listed?: Listed | null
}

/** A list that tells of a page's changes. */
export interface Listed {
  /** The chance that it is to be believed. */
  readonly weight: number
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

/** Usual limits of the default policy. */
export const usualLimits = { minGap: 600, maxGap: 90 * 86_400 } as const

const found: BestGap = { gap: 0, chance: 0, worth: 0 }

/**
 * The mean time between two visits that the default policy makes to a page
 * when a request has this price, before it is staggered. A page that a list
 * tells of is visited when it changed, as far as the list is to be believed.
 */
export function gapAtPrice(
  page: PlanPage,
  { price, objective }: { readonly price: number; readonly objective: Objective },
): Seconds {
  if (page.ownGap !== null) return page.ownGap
  const { minGap = usualLimits.minGap, maxGap = usualLimits.maxGap } = page.limits
  const { belief, at, clock, listed = null } = page
  const paid = price / importanceStep(page.importance)
  const foresight = listed === null ? null : { listed: listed.weight, cached: 0, cachedFor: 0 }
  const problem = { clock: ownClock(clock, belief), price: paid, objective, foresight }
  const { gap } = bestGap(belief, { at, problem, out: found })
  const within = Math.min(maxGap, Math.max(minGap, gap))
  if (listed === null || gap >= maxGap) return within
  const calledFor = 1 - freshShare(belief, { at, gap: within, clock })
  return Math.max(minGap, within * (1 - listed.weight * calledFor))
}

/** Share of a gap in which the copy of a page is fresh, with what a list tells of it. */
export function freshAtGap(
  page: Pick<PlanPage, 'belief' | 'at' | 'clock' | 'listed'>,
  gap: Seconds,
): number {
  const { belief, at, clock, listed = null } = page
  const plain = freshShare(belief, { at, gap, clock })
  if (listed === null) return plain
  const told = gap / (gap + (1 - plain) * listed.delay)
  return plain + listed.weight * Math.max(0, told - plain)
}
