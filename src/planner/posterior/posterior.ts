import { humanDuration } from '../../model/duration.js'
import type { Bounds } from '../../model/estimate.js'
import type { Posterior } from '../../model/policy.js'
import { DAY, type PerSecond, type Seconds, type UnixSeconds } from '../../model/units.js'
import { hyperexponentialLaws as laws } from '../../numeric/hyperexponential.js'
import { bisect } from '../../numeric/root.js'
import { flatClock, flatterClock, type WeekClock, weekGap } from '../../numeric/week-clock.js'
import { flatLeadAt, likelihoodsAt, unchangedRunAt } from './likelihoods.js'

const { changeRates, fast, slow, meanRates } = laws
const logMeans = meanRates.map(Math.log)
const rateCount = changeRates.length
/** Each law stands for rates half a step of the grid to both sides. */
const halfStep = Math.log(changeRates[1]! / changeRates[0]!) / 2
const slowestLog = logMeans.reduce((a, b) => Math.min(a, b))
const fastestLog = logMeans.reduce((a, b) => Math.max(a, b))

/** Chance of a law, at whichever of its rates. */
export function massOf({ masses }: Posterior, law: number): number {
  return masses[2 * law]! + masses[2 * law + 1]!
}

/** A posterior to be written into: by law two masses, at its fast and at its slow rate. */
export interface PosteriorScratch extends Posterior {
  unchangedRun: number
  flatClockShare: number
}

export function newPosterior(): PosteriorScratch {
  return { masses: new Float64Array(2 * laws.size), unchangedRun: 0, flatClockShare: 0 }
}

/** A copy that its learner does not write into. */
export function keptPosterior({ masses, unchangedRun, flatClockShare }: Posterior): Posterior {
  return { masses: masses.slice(), unchangedRun, flatClockShare }
}

/** All mass on the Poisson law nearest to a change period; on that of a month where there is none. */
export function poissonPosterior(changePeriod: Seconds): Posterior {
  const posterior = newPosterior()
  const wanted =
    changePeriod > 0 && changePeriod < Infinity ? -Math.log(changePeriod) : -Math.log(30 * DAY)
  let nearest = 0
  const apart = (law: number) => Math.abs(Math.log(changeRates[law]!) - wanted)
  for (let law = 0; law < rateCount; law++) if (apart(law) < apart(nearest)) nearest = law
  posterior.masses[2 * nearest] = 1
  return posterior
}

/** The long-run change rate in the middle of a posterior: its geometric mean. O(laws). */
export function posteriorRate(posterior: Posterior): PerSecond {
  let total = 0
  for (let law = 0; law < laws.size; law++) total += massOf(posterior, law) * logMeans[law]!
  return Math.exp(total)
}

/** Chance that the long-run change rate lies below exp(logRate). */
function chanceBelow(posterior: Posterior, logRate: number): number {
  let total = 0
  for (let law = 0; law < laws.size; law++) {
    const place = (logRate - logMeans[law]!) / (2 * halfStep) + 0.5
    total += massOf(posterior, law) * Math.min(1, Math.max(0, place))
  }
  return total
}

/** The long-run change rate below which it lies with chance `share`. */
export function posteriorQuantile(posterior: Posterior, share: number): PerSecond {
  const ends = { low: slowestLog - halfStep, high: fastestLog + halfStep }
  return Math.exp(bisect((at) => chanceBelow(posterior, at) - share, ends))
}

/**
 * Bounds of the long-run change rate with equal chances outside on both sides.
 * Open where a bound would lie in the step of the fastest law, or of the
 * slowest: that one stands for all beyond it too, so the end of the grid would
 * pass for the end of what the page may do. Where no change was ever seen the
 * lower bound is 0: the page may never change again.
 */
export function posteriorBounds(
  posterior: Posterior,
  level: number,
  { changes = 1 }: { readonly changes?: number } = {},
): Bounds {
  const low = posteriorQuantile(posterior, (1 - level) / 2)
  const high = posteriorQuantile(posterior, (1 + level) / 2)
  return {
    low: changes === 0 || Math.log(low) < slowestLog + halfStep ? 0 : low,
    high: Math.log(high) > fastestLog - halfStep ? null : high,
    level,
  }
}

const massAtRate = new Float64Array(rateCount)

/**
 * Masses by rate, whatever the law: all that the time to the next change
 * depends on. One array for all callers, written anew at each call. O(laws).
 */
export function rateMasses({ masses }: Posterior): Float64Array {
  massAtRate.fill(0)
  for (let law = 0; law < laws.size; law++) {
    massAtRate[fast[law]!]! += masses[2 * law]!
    massAtRate[slow[law]!]! += masses[2 * law + 1]!
  }
  return massAtRate
}

/** Chance that the page changes within so many clock seconds from now. O(laws). */
export function chanceOfChange(posterior: Posterior, gap: Seconds): number {
  const masses = rateMasses(posterior)
  let total = 0
  for (let rateIndex = 0; rateIndex < rateCount; rateIndex++)
    total -= masses[rateIndex]! * Math.expm1(-changeRates[rateIndex]! * gap)
  return Math.min(1, Math.max(0, total))
}

/**
 * Geometric means over the whole posterior: how often the page changes at its fast
 * rate, at its slow one, and in the long run. Each law changes in the long run
 * no faster than at its fast rate and no slower than at its slow one, and means
 * over the same posterior keep that order; the rates of one law would not keep it
 * beside the mean of all. O(laws).
 */
export function posteriorPeriods(posterior: Posterior): {
  readonly burst: Seconds
  readonly inAll: Seconds
  readonly slowPeriod: Seconds
} {
  let [quick, still] = [0, 0]
  for (let law = 0; law < laws.size; law++) {
    const mass = massOf(posterior, law)
    quick += mass * Math.log(changeRates[fast[law]!]!)
    still += mass * Math.log(changeRates[slow[law]!]!)
  }
  return {
    burst: Math.exp(-quick),
    inAll: 1 / posteriorRate(posterior),
    slowPeriod: Math.exp(-still),
  }
}

/** The kind of change law in words; how often it changes in all is the estimate's to say. */
export function changeLawShape(posterior: Posterior): string {
  if (isSteady(posterior)) return 'changes at random'
  const { burst, slowPeriod } = posteriorPeriods(posterior)
  return `changes in bursts: every ${humanDuration(burst)} at times, then unchanged for ${humanDuration(slowPeriod)}`
}

function isSteady(posterior: Posterior): boolean {
  let steady = 0
  for (let law = 0; law < rateCount; law++) steady += massOf(posterior, law)
  return steady >= 0.5
}

/** No lead is larger: a page that begins to keep hours is soon taken to. */
const mostLead = 6
/** No visit tells more: the laws are not known for sure. */
const mostEvidence = 1

/** Log odds that a page keeps no hours of its group, before it was visited: one page in four. */
const firstOdds = -1

/** The chance that a page keeps to the flat clock and not to its group's. */
function flatChance(memory: Float64Array): number {
  return 1 / (1 + Math.exp(-firstOdds - memory[flatLeadAt]!))
}

/** Seconds in a gap by the page's own clock: between its group's and the flat one, as its visits tell. */
export function pageGap(
  memory: Float64Array,
  { clock, at, gap }: { clock: WeekClock; at: UnixSeconds; gap: Seconds },
): Seconds {
  return weekGap(flatterClock(clock, flatChance(memory)), { at, gap })
}

/**
 * Takes in which of the two clocks made a visit's find likelier, under what was
 * known of the page's change law before it: one number instead of a posterior for
 * each clock. O(laws), and nothing where both show the same.
 */
export function weighClocks(
  memory: Float64Array,
  seen: { posterior: () => Posterior; gap: Seconds; groupGap: Seconds; changed: boolean },
): void {
  if (Math.abs(seen.groupGap / seen.gap - 1) < 1e-3) return
  const posterior = seen.posterior()
  const flat = chanceOfChange(posterior, seen.gap)
  const group = chanceOfChange(posterior, seen.groupGap)
  const evidence = seen.changed ? Math.log(flat / group) : Math.log((1 - flat) / (1 - group))
  if (!Number.isFinite(evidence)) return
  const lead = memory[flatLeadAt]! + Math.min(mostEvidence, Math.max(-mostEvidence, evidence))
  memory[flatLeadAt] = Math.min(mostLead, Math.max(-mostLead, lead))
}

/** What is thought of the pages of a group before they are visited. */
export interface GroupChangeLaw {
  /** A mass for each law of `hyperexponentialLaws`; they sum to 1. */
  readonly masses: Float64Array
  /** The hours in which pages of the group change. */
  readonly clock: WeekClock
  /** Share of the pages that are followed from their beginning, not from any moment; 0 by default. */
  readonly newShare?: number
  /** How many times as much of their time was stale as predicted; 1 by default. */
  readonly staleRatio?: number
}

/** Every law alike, at any hour, new or not at even odds: before anything was learned anywhere. */
export const openChangeLaw: GroupChangeLaw = {
  masses: new Float64Array(laws.size).fill(1 / laws.size),
  clock: flatClock,
  newShare: 0.5,
}

/** Bayes' rule: prior masses times the likelihoods in a page's memory, scaled to 1. O(laws). */
export function updatePosterior(
  memory: Float64Array,
  { masses: prior }: GroupChangeLaw,
  posterior: PosteriorScratch,
): Posterior {
  const { masses } = posterior
  let total = 0
  for (let law = 0; law < laws.size; law++) {
    const mass = prior[law]!
    const quick = mass * memory[likelihoodsAt + 2 * law]!
    const slowMass = mass * memory[likelihoodsAt + 2 * law + 1]!
    masses[2 * law] = quick
    masses[2 * law + 1] = slowMass
    total += quick + slowMass
  }
  if (total > 0) {
    const scale = 1 / total
    for (let at = 0; at < 2 * laws.size; at++) masses[at]! *= scale
  } else stationaryPrior(prior, masses)
  posterior.unchangedRun = memory[unchangedRunAt]!
  posterior.flatClockShare = flatChance(memory)
  return posterior
}

/** Before anything was seen: the page is somewhere in its long run. */
function stationaryPrior(prior: Float64Array, masses: Float64Array): void {
  for (let law = 0; law < laws.size; law++) {
    masses[2 * law] = prior[law]! * laws.fastTime[law]!
    masses[2 * law + 1] = prior[law]! * (1 - laws.fastTime[law]!)
  }
}

/** A page's own clock: between its group's and the flat one, as its posterior has it. */
export function ownClock(clock: WeekClock, posterior: Posterior | null | undefined): WeekClock {
  return flatterClock(clock, posterior?.flatClockShare ?? 0)
}
