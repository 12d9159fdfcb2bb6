import type { Posterior } from '../../model/policy.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'
import { hyperexponentialLaws as laws } from '../../numeric/hyperexponential.js'
import { flatClock, type WeekClock, weekTime } from '../../numeric/week-clock.js'
import { type GapLimits, heldLimits } from '../../policies/limits.js'
import { ownClock, rateMasses } from '../posterior/posterior.js'
import { longestGivenUp } from '../price-reason.js'
import { type BestGap, bestGap } from './best-gap.js'
import type { Objective } from './objective.js'

const { changeRates, fast, slow } = laws
const rateCount = changeRates.length
/** By rate: seconds until the first change or the end of the gap, and the chance of a change in it. */
const unchangedTimes = new Float64Array(rateCount)
const changed = new Float64Array(rateCount)
const usualPieces = 24

/** A stretch of time after a visit. */
export interface Stretch {
  /** When the copy was taken. */
  readonly at: number
  readonly gap: number
  /** Of the page's group. */
  readonly clock: WeekClock
  /** Pieces of the gap within which the clock of the week is taken to run evenly; 24 by default. */
  readonly pieces?: number
}

/**
 * Share of a gap in which a copy taken at its start stays fresh, by the page's
 * posterior. On a clock of the week the gap is cut into pieces;
 * on the flat clock it is exact. O(laws + rates x pieces).
 */
export function freshShare(posterior: Posterior, stretch: Stretch): number {
  const { at, gap, clock: group, pieces = usualPieces } = stretch
  if (!(gap > 0)) return 1
  const clock = ownClock(group, posterior)
  const massAtRate = rateMasses(posterior)
  const count = clock === flatClock ? 1 : pieces
  const begun = weekTime(clock, at)
  let [from, total] = [0, 0]
  for (let piece = 1; piece <= count; piece++) {
    const to = weekTime(clock, at + (gap * piece) / count) - begun
    for (let rateIndex = 0; rateIndex < rateCount; rateIndex++)
      if (massAtRate[rateIndex]! > 1e-9)
        total += massAtRate[rateIndex]! * unchangedShare(changeRates[rateIndex]!, { from, to })
    from = to
  }
  return Math.min(1, Math.max(0, total / count))
}

/** What comes of visits made when a list tells of a change, or at the end of the gap where it tells of none. */
export interface SignalCycle {
  /** Share of the time in which the copy is fresh. */
  readonly fresh: number
  /** Mean time between two visits. */
  readonly length: number
}

/**
 * A copy that is renewed when a change is reported, `delay` after it, or else at
 * the end of the gap. From visit to visit it is fresh until the first change,
 * which comes within the gap with some chance, and stale for the delay after
 * it; under each law the share is one expectation over the other (renewal
 * reward). For a Poisson page that is 1 / (1 + change rate x delay), whatever
 * the gap. O(laws + rates x pieces).
 */
export function signalCycle(
  posterior: Posterior,
  { delay, ...stretch }: Stretch & { readonly delay: number },
): SignalCycle {
  gatherUnchanged(stretch, ownClock(stretch.clock, posterior))
  let [mass, fresh, length] = [0, 0, 0]
  for (let law = 0; law < laws.size; law++) {
    const quick = posterior.masses[2 * law]!
    const slowMass = posterior.masses[2 * law + 1]!
    if (!(quick + slowMass > 1e-9)) continue
    const freshTime = quick * unchangedTimes[fast[law]!]! + slowMass * unchangedTimes[slow[law]!]!
    const stale = delay * (quick * changed[fast[law]!]! + slowMass * changed[slow[law]!]!)
    mass += quick + slowMass
    fresh += ((quick + slowMass) * freshTime) / (freshTime + stale)
    length += freshTime + stale
  }
  if (!(mass > 0)) return { fresh: 1, length: stretch.gap }
  return { fresh: Math.min(1, fresh / mass), length: length / mass }
}

function gatherUnchanged({ at, gap, pieces = usualPieces }: Stretch, clock: WeekClock): void {
  const count = clock === flatClock ? 1 : pieces
  const begun = weekTime(clock, at)
  unchangedTimes.fill(0)
  let from = 0
  for (let piece = 1; piece <= count; piece++) {
    const to = weekTime(clock, at + (gap * piece) / count) - begun
    for (let rateIndex = 0; rateIndex < rateCount; rateIndex++)
      unchangedTimes[rateIndex]! +=
        (gap / count) * unchangedShare(changeRates[rateIndex]!, { from, to })
    from = to
  }
  for (let rateIndex = 0; rateIndex < rateCount; rateIndex++)
    changed[rateIndex] = -Math.expm1(-changeRates[rateIndex]! * from)
}

/** Mean chance of no change yet between two times after the copy was taken. */
function unchangedShare(rateIndex: number, { from, to }: { from: number; to: number }): number {
  const expected = rateIndex * (to - from)
  const within = expected < 1e-9 ? 1 : -Math.expm1(-expected) / expected
  return Math.exp(-rateIndex * from) * within
}

/** What a plan needs to know of one page. */
export interface PlanPage {
  readonly host: string
  /** What it is visited for: `freshness` by default. */
  readonly objective?: Objective
  /** Value of a fresh copy beside the others. */
  readonly importance: number
  /** When it was last seen; now, where it never was. */
  readonly at: UnixSeconds
  /** A copy of its own: `keptPosterior`. */
  readonly posterior: Posterior
  /** Of its group. */
  readonly clock: WeekClock
  readonly limits: GapLimits
  /** The gap of a page on a policy of its own, which no budget moves; null for all others. */
  readonly ownGap: Seconds | null
  /** The gap that it is in; left out or null where it is in none. */
  readonly running?: Seconds | null
  /** The longest gap that a person guaranteed it: its requests are set aside before the budget is planned. */
  readonly guaranteed?: Seconds | null
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
  /** How long a change waits until it is reported, on the mean. */
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

const found: BestGap = { gap: 0, chance: 0, value: 0 }

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
  const { posterior, at, clock, listed = null } = page
  const paid = price / importanceStep(page.importance)
  const hintForecast = listed === null ? null : { listed: listed.weight, cached: 0, cachedFor: 0 }
  const problem = { clock: ownClock(clock, posterior), price: paid, objective, hintForecast }
  const best = bestGap(posterior, { at, problem, out: found })
  // A list's changes would seem to call for visits to a page that is given up.
  const longest = listed === null ? longestGivenUp(best, problem) : Infinity
  return Math.min(maxGap, Math.max(minGap, Math.min(longest, best.gap)))
}

/** The mean time between two visits to a page that is asked for so long a gap: less where a list calls for it. */
export function timeBetween(page: PlanPage, gap: Seconds): Seconds {
  const listed = calledBy(page, gap)
  if (listed === null) return gap
  const { posterior, at, clock } = page
  const { length } = signalCycle(posterior, { at, gap, clock, delay: listed.delay })
  const { minGap } = heldLimits(page.limits)
  return Math.max(minGap, gap + listed.reliability * Math.min(0, length - gap))
}

/** The list whose signals bring visits; null where there is none, or the page is not worth a request at all. */
export function calledBy({ listed, ownGap, limits }: PlanPage, gap: Seconds): Listed | null {
  const { maxGap } = heldLimits(limits)
  return ownGap === null && gap < maxGap ? (listed ?? null) : null
}

/**
 * Share of a gap in which the copy of a page is fresh, and of the time until a
 * list tells of a change and a visit comes, as far as the list is reliable.
 */
export function freshAtGap(
  page: Pick<PlanPage, 'posterior' | 'at' | 'clock' | 'listed'>,
  gap: Seconds,
): number {
  const { posterior, at, clock, listed = null } = page
  const plain = freshShare(posterior, { at, gap, clock })
  if (listed === null) return plain
  const cycle = signalCycle(posterior, { at, gap, clock, delay: listed.delay })
  return plain + listed.reliability * Math.max(0, cycle.fresh - plain)
}
