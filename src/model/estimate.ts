import { humanDuration, humanPeriod } from './duration.js'
import type { History } from './history.js'
import type { PerSecond, Seconds } from './units.js'

/**
 * What kind of answer an estimate is. Only `ok` needs no caution:
 *
 * - `no-observation`: fewer than two successful visits; no number
 * - `prior-only`: nothing observed yet; the numbers are the prior's
 * - `no-content-age`: the method needs Last-Modified and there is none; no number
 * - `no-change-seen`: the number is a stand-in; the upper bound is what the data say
 * - `always-changed`: every gap saw a change, so the page may be faster than any number here
 * - `short-sampling`: sampled for less than three times the estimated change period
 * - `unequal-gaps`: the method assumes equal gaps, and these differ by more than 5%
 */
export const verdicts = [
  'ok',
  'no-observation',
  'prior-only',
  'no-content-age',
  'no-change-seen',
  'always-changed',
  'short-sampling',
  'unequal-gaps',
] as const
export type Verdict = (typeof verdicts)[number]

/** Bounds of a change rate; `high: null` where the data set no upper limit. */
export interface Bounds {
  readonly low: PerSecond
  readonly high: PerSecond | null
  /** The share of the time such bounds hold the truth, such as 0.95. */
  readonly level: number
}

/** What an estimate rests on. */
export interface Evidence {
  /** Successful visits, the first among them. */
  readonly visits: number
  readonly observations: number
  readonly changes: number
  /** Sum of all gaps. */
  readonly samplingPeriod: Seconds
  /** Sum of the gaps in which no change was seen. */
  readonly unchangedTime: Seconds
  /** Visits that reported a believable content age, the first among them. */
  readonly contentAges: number
}

/** How often a page changes, as far as one method can tell. */
export interface Estimate {
  readonly method: string
  /** Null where there is no finite number to give; the verdict says why. */
  readonly changeRate: PerSecond | null
  /** Null where there is no finite number to give; 0 where changes are too fast to see. */
  readonly changePeriod: Seconds | null
  /** Bounds of the change rate; null where nothing was observed. */
  readonly bounds: Bounds | null
  readonly evidence: Evidence
  readonly verdict: Verdict
}

export interface EstimateOptions {
  /** Level of the bounds, above 0 and below 1; 0.95 by default. */
  readonly level?: number
}

/** A pure function from a History to an Estimate, with its name and its needs. */
export interface Estimator {
  readonly name: string
  /** One sentence for a person who chooses a method. */
  readonly summary: string
  /** Whether it can say anything without Last-Modified. */
  readonly needsContentAge: boolean
  estimate(history: History, options?: EstimateOptions): Estimate
}

/** Bounds of a change period; null where they are open. */
export interface PeriodRange {
  readonly shortest: Seconds | null
  readonly longest: Seconds | null
}

/** Bounds of a change rate as a range of the change period. */
export function periodRange(bounds: Pick<Bounds, 'low' | 'high'> | null): PeriodRange {
  if (bounds === null) return { shortest: null, longest: null }
  return {
    shortest: bounds.high === null ? null : finite(1 / bounds.high),
    longest: bounds.low > 0 ? finite(1 / bounds.low) : null,
  }
}

function finite(value: number): number | null {
  return Number.isFinite(value) && value > 0 ? value : null
}

/** In words: `2.1 to 5.5 days`, `at least 12 days`, `at most 3 hours`; null where nothing is known. */
export function rangeWords({ shortest, longest }: PeriodRange): string | null {
  if (longest === null) return shortest === null ? null : `at least ${humanDuration(shortest)}`
  if (shortest === null) return `at most ${humanDuration(longest)}`
  const [from, to] = [humanDuration(shortest), humanDuration(longest)]
  const unit = (text: string) => text.replace(/^\S+ /, '').replace(/s$/, '')
  return unit(from) === unit(to) ? `${from.replace(/ .*/, '')} to ${to}` : `${from} to ${to}`
}

/** The numbers of an estimate. */
type Numbers = Pick<Estimate, 'changeRate' | 'changePeriod' | 'bounds'>

/** An estimate as people and programs are given it: no number that its own bounds contradict. */
export interface ShownEstimate extends Estimate {
  /** Of a page that was not seen twice: what pages like it do. It says nothing of the page itself. */
  readonly group?: Numbers
}

/**
 * An estimate without numbers that the visits do not bear out. Where each of
 * them found a change there is none, since the page may be faster than any:
 * the papers' stand-ins (1 / shortest gap) lie outside the bounds as soon as
 * there are a few visits. What was not seen twice has only its group's.
 */
export function shownEstimate(estimate: Estimate): ShownEstimate {
  const { changeRate, changePeriod, bounds, verdict } = estimate
  const none = { ...estimate, changeRate: null, changePeriod: null }
  if (verdict === 'prior-only')
    return { ...none, bounds: null, group: { changeRate, changePeriod, bounds } }
  return verdict === 'always-changed' || !isWithin(estimate) ? none : estimate
}

/** Whether the rate lies within its own bounds, but for the rounding of both. */
function isWithin({ changeRate, bounds }: Numbers): boolean {
  if (changeRate === null || bounds === null) return true
  const { low, high } = bounds
  return (
    changeRate >= low * (1 - rounding) && (high === null || changeRate <= high * (1 + rounding))
  )
}

const rounding = 1e-9

/**
 * How often a page changes, in words: `every 3.2 days`, `at every visit`,
 * `pages like it every 3 months`; in brackets what stands in for a number.
 */
export function howOften(estimate: ShownEstimate): string {
  const { changePeriod, verdict, group } = estimate
  if (verdict === 'always-changed') return 'at every visit'
  if (group !== undefined)
    return group.changePeriod === null
      ? 'unknown'
      : `pages like it ${humanPeriod(group.changePeriod)}`
  const text = humanPeriod(changePeriod)
  return verdict === 'no-change-seen' && changePeriod !== null ? `(${text})` : text
}
