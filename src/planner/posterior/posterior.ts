import { humanDuration } from '../../model/duration.js'
import type { Bounds } from '../../model/estimate.js'
import type { PerSecond, Seconds, UnixSeconds } from '../../model/units.js'
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

/** The long-run change rate in the middle of a posterior: its geometric mean. O(laws). */
export function posteriorRate(posterior: Float64Array): PerSecond {
  let total = 0
  for (let law = 0; law < laws.size; law++)
    total += (posterior[2 * law]! + posterior[2 * law + 1]!) * logMeans[law]!
  return Math.exp(total)
}

/** Chance that the long-run change rate lies below exp(logRate). */
function chanceBelow(posterior: Float64Array, logRate: number): number {
  let total = 0
  for (let law = 0; law < laws.size; law++) {
    const place = (logRate - logMeans[law]!) / (2 * halfStep) + 0.5
    total += (posterior[2 * law]! + posterior[2 * law + 1]!) * Math.min(1, Math.max(0, place))
  }
  return total
}

/** The long-run change rate below which it lies with chance `share`. */
export function posteriorQuantile(posterior: Float64Array, share: number): PerSecond {
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
  posterior: Float64Array,
  level: number,
  { changes = 1 }: { readonly changes?: number } = {},
): Bounds {
  const low = posteriorQuantile(posterior, (1 - level) / 2)
  const high = posteriorQuantile(posterior, (1 + level) / 2)
  return {
    low: changes === 0 || Math.log(low) < slowestLog + halfStep ? 0 : low,
    high: atFastEnd(high) ? null : high,
    level,
  }
}

function atFastEnd(changeRate: PerSecond): boolean {
  return Math.log(changeRate) > fastestLog - halfStep
}

const massAtRate = new Float64Array(rateCount)

/** Masses by rate, whatever the law: all that the time to the next change depends on. */
function gatherRates(posterior: Float64Array): Float64Array {
  massAtRate.fill(0)
  for (let law = 0; law < laws.size; law++) {
    massAtRate[fast[law]!]! += posterior[2 * law]!
    massAtRate[slow[law]!]! += posterior[2 * law + 1]!
  }
  return massAtRate
}

/** Chance that the page changes within so many clock seconds from now. O(laws). */
export function chanceOfChange(posterior: Float64Array, gap: Seconds): number {
  const masses = gatherRates(posterior)
  let total = 0
  for (let rateIndex = 0; rateIndex < rateCount; rateIndex++)
    total -= masses[rateIndex]! * Math.expm1(-changeRates[rateIndex]! * gap)
  return Math.min(1, Math.max(0, total))
}

/** Share of the next `gap` clock seconds in which a copy taken now stays fresh; 1 for no time. */
export function expectedFreshness(posterior: Float64Array, gap: Seconds): number {
  const masses = gatherRates(posterior)
  let total = 0
  for (let rateIndex = 0; rateIndex < rateCount; rateIndex++)
    total += masses[rateIndex]! * freshShare(changeRates[rateIndex]! * gap)
  return Math.min(1, Math.max(0, total))
}

function freshShare(expected: number): number {
  return expected < 1e-9 ? 1 : -Math.expm1(-expected) / expected
}

/**
 * What a hint makes of a chance of change, by Bayes' rule: `reliability` is
 * the chance that such a hint is right, whichever way it points; 0.5 tells
 * nothing.
 */
export function chanceGivenHint(
  chance: number,
  hint: { readonly predictsChange: boolean; readonly reliability: number },
): number {
  const right = Math.min(1, Math.max(0, hint.reliability))
  const ifChanged = hint.predictsChange ? right : 1 - right
  const ifNot = hint.predictsChange ? 1 - right : right
  const total = chance * ifChanged + (1 - chance) * ifNot
  return total > 0 ? (chance * ifChanged) / total : chance
}

/**
 * Geometric means over the whole posterior: how often the page changes at its fast
 * pace, at its slow one, and in the long run. Each law changes in the long run
 * no faster than at its fast rate and no slower than at its slow one, and means
 * over the same posterior keep that order; the rates of one law would not keep it
 * beside the mean of all. O(laws).
 */
export function posteriorPeriods(posterior: Float64Array): {
  readonly burst: Seconds
  readonly inAll: Seconds
  readonly slowPeriod: Seconds
} {
  let [quick, still] = [0, 0]
  for (let law = 0; law < laws.size; law++) {
    const mass = posterior[2 * law]! + posterior[2 * law + 1]!
    quick += mass * Math.log(changeRates[fast[law]!]!)
    still += mass * Math.log(changeRates[slow[law]!]!)
  }
  return {
    burst: Math.exp(-quick),
    inAll: 1 / posteriorRate(posterior),
    slowPeriod: Math.exp(-still),
  }
}

/** What is believed, as a person reads it. */
export function changeLawInWords(posterior: Float64Array): string {
  const { inAll } = posteriorPeriods(posterior)
  const typical = humanDuration(inAll)
  // The fastest law stands for all that are faster.
  const faster = atFastEnd(posteriorQuantile(posterior, 0.5)) ? ' or more often' : ''
  return isSteady(posterior)
    ? `${changeLawShape(posterior)}, about every ${typical}${faster}`
    : `${changeLawShape(posterior)}; about every ${typical} in all`
}

/** The same without how often in all: for who is given the estimate beside it, which says that. */
export function changeLawShape(posterior: Float64Array): string {
  if (isSteady(posterior)) return 'changes at random'
  const { burst, slowPeriod } = posteriorPeriods(posterior)
  return `changes in bursts: every ${humanDuration(burst)} at times, then unchanged for ${humanDuration(slowPeriod)}`
}

function isSteady(posterior: Float64Array): boolean {
  let steady = 0
  for (let law = 0; law < rateCount; law++) steady += posterior[2 * law]! + posterior[2 * law + 1]!
  return steady >= 0.5
}

/** No lead is larger: a page that begins to keep hours is believed soon. */
const mostLead = 6
/** No visit tells more: the laws are not known for sure. */
const mostEvidence = 1

/** Log odds that a page keeps no hours of its group, before it was looked at: one page in four. */
const firstOdds = -1

/** The chance that a page keeps to the flat clock and not to its group's. */
function flatChance(memory: Float64Array): number {
  return 1 / (1 + Math.exp(-firstOdds - memory[flatLeadAt]!))
}

/** Seconds in a gap by the page's own clock: between its group's and the flat one, as it is believed. */
export function pageGap(
  memory: Float64Array,
  { clock, at, gap }: { clock: WeekClock; at: UnixSeconds; gap: Seconds },
): Seconds {
  return weekGap(flatterClock(clock, flatChance(memory)), { at, gap })
}

/**
 * Takes in which of the two clocks made a visit's find likelier, under what was
 * believed of the page's law before it: one number instead of a posterior for
 * each clock. O(laws), and nothing where both show the same.
 */
export function weighClocks(
  memory: Float64Array,
  seen: { posterior: () => Float64Array; gap: Seconds; groupGap: Seconds; changed: boolean },
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

/** Numbers of a posterior: two masses a law, then how many visits in a row saw no change, then the chance of the flat clock. */
export const posteriorSize = 2 * laws.size + 2

/** What is thought of the pages of a group before they are visited. */
export interface GroupChangeLaw {
  /** A mass for each law of `twoPaceLaws`; they sum to 1. */
  readonly masses: Float64Array
  /** The hours in which pages of the group change. */
  readonly clock: WeekClock
  /** Share of the pages that are followed from their beginning, not from any moment; 0 unless learned. */
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

/**
 * Bayes' rule: prior masses times the likelihoods in a page's memory, into
 * `belief` (law by law, fast rate then slow), summing to 1; after them the run
 * of visits without a change, and the chance of the flat clock. O(laws).
 */
export function updatePosterior(
  memory: Float64Array,
  { masses }: GroupChangeLaw,
  posterior: Float64Array,
): Float64Array {
  let total = 0
  for (let law = 0; law < laws.size; law++) {
    const mass = masses[law]!
    const quick = mass * memory[likelihoodsAt + 2 * law]!
    const slowMass = mass * memory[likelihoodsAt + 2 * law + 1]!
    posterior[2 * law] = quick
    posterior[2 * law + 1] = slowMass
    total += quick + slowMass
  }
  if (total > 0) {
    const scale = 1 / total
    for (let at = 0; at < 2 * laws.size; at++) posterior[at]! *= scale
  } else stationaryPrior(masses, posterior)
  posterior[2 * laws.size] = memory[unchangedRunAt]!
  posterior[2 * laws.size + 1] = flatChance(memory)
  return posterior
}

/** The posterior before anything was seen: the page is somewhere in its long run. */
export function stationaryPrior(masses: Float64Array, posterior: Float64Array): Float64Array {
  for (let law = 0; law < laws.size; law++) {
    posterior[2 * law] = masses[law]! * laws.fastTime[law]!
    posterior[2 * law + 1] = masses[law]! * (1 - laws.fastTime[law]!)
  }
  return posterior
}

/** A page's own clock: between its group's and the flat one, as its posterior has it. */
export function ownClock(clock: WeekClock, posterior: Float64Array | null | undefined): WeekClock {
  return flatterClock(clock, posterior?.[2 * laws.size + 1] ?? 0)
}
