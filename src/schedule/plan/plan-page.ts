import type { Seconds, UnixSeconds } from '../../model/index.js'
import type { WeekClock } from '../../numeric/index.js'
import { type BestGap, bestGap } from '../auto/best-gap.js'
import type { Objective } from '../auto/objective.js'
import { ownClock } from '../auto/own-clock.js'
import type { GapLimits } from '../limited.js'

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

/** The gap that the default policy gives a page when a request has this price, before it is staggered. */
export function gapAtPrice(
  page: PlanPage,
  { price, objective }: { readonly price: number; readonly objective: Objective },
): Seconds {
  if (page.ownGap !== null) return page.ownGap
  const { minGap = usualLimits.minGap, maxGap = usualLimits.maxGap } = page.limits
  const paid = price / importanceStep(page.importance)
  const problem = { clock: ownClock(page.clock, page.belief), price: paid, objective }
  const { gap } = bestGap(page.belief, { at: page.at, problem, out: found })
  return Math.min(maxGap, Math.max(minGap, gap))
}
