import { OptionError } from '../../model/errors.js'
import type { PerSecond, Seconds } from '../../model/units.js'
import { bisect } from '../../numeric/root.js'
import { cdfAt, type DistributionCurve } from './distribution.js'
import { type UpdateLaw, updateGapCdf } from './update-law.js'

type Law = Extract<UpdateLaw, { kind: 'law' }>

/**
 * How many updates the copy is behind the page on average, for visits at the
 * given gaps: mu E[S^2] / (2 E[S]), half the updates of a gap where gaps are
 * equal, more where they vary. Holds for any law of update gaps. O(gaps).
 *
 * Li, Cline & Loguinov 2015, section III-B.
 */
export function updatesBehind(
  { changePeriod }: { changePeriod: Seconds },
  { gaps }: { gaps: ArrayLike<Seconds> },
): number {
  let total = 0
  let squares = 0
  for (let i = 0; i < gaps.length; i++) {
    total += gaps[i]!
    squares += gaps[i]! ** 2
  }
  if (!(total > 0 && changePeriod > 0))
    throw new OptionError('bad-gaps', 'give at least one gap above 0, and a change period above 0')
  return squares / (2 * total * changePeriod)
}

/**
 * The chance that a copy fetched `sinceVisit` ago is still fresh, where nothing
 * is known of the content's age at the visit: 1 - G_U(sinceVisit). O(log n).
 */
export function chanceFresh(
  curve: DistributionCurve,
  { sinceVisit }: { sinceVisit: Seconds },
): number {
  return 1 - cdfAt(curve, sinceVisit)
}

/**
 * The same where the content was `contentAge` old at the visit: the chance that
 * an update gap that lasted so long lasts `sinceVisit` more. Null beyond the
 * longest update gap the law knows of. O(log n).
 */
export function chanceFreshAtAge(
  law: Law,
  { contentAge, sinceVisit }: { contentAge: Seconds; sinceVisit: Seconds },
): number | null {
  const lasted = 1 - updateGapCdf(law, contentAge)
  if (!(lasted > 0)) return null
  return Math.min(1, (1 - updateGapCdf(law, contentAge + sinceVisit)) / lasted)
}

/** How visits are spaced: equal gaps, or at random (Poisson). */
export type Spacing = 'equal' | 'random'

/**
 * The share of time in which the copy differs from the page: the mean of G_U
 * over the time since the last visit. O(n).
 *
 * After a visit at a moment that has nothing to do with the changes, the chance
 * of a change within x is G_U(x), residual and age having one law. Equal gaps
 * average it over 0 to the period, random visits over an exponential.
 *
 * Li, Cline & Loguinov 2015, section III-B.
 */
export function staleness(
  curve: DistributionCurve,
  { revisitPeriod, spacing = 'equal' }: { revisitPeriod: Seconds; spacing?: Spacing },
): number {
  if (!(revisitPeriod > 0))
    throw new OptionError('bad-period', `revisitPeriod must be above 0, not ${revisitPeriod}`)
  const share = { equal: meanUpTo, random: exponentialMean }[spacing]
  let total = 0
  let [x0, y0] = [0, 0]
  curve.x.forEach((x, i) => {
    const y = curve.cdf[i]!
    const from = curve.shape === 'steps' ? x : x0
    total += (y - y0) * share({ from, to: x, period: revisitPeriod })
    ;[x0, y0] = [x, y]
  })
  return Math.min(1, Math.max(0, total))
}

/** What keeping a copy fresh asks for. */
export type VisitsNeeded =
  | {
      readonly kind: 'visits'
      readonly visitRate: PerSecond
      readonly revisitPeriod: Seconds
      /** The period is shorter than any time the curve tells of: it is extrapolated to 0. */
      readonly finerThanData: boolean
    }
  /** `never`: the copy is not so stale even unvisited, as far as the curve tells. `out-of-reach`: changes at once. */
  | { readonly kind: 'never' | 'out-of-reach' }

/**
 * The least visit rate that keeps staleness at or under a share of the time. Staleness
 * grows with the period, so the period is found by bisection. About 100 times O(n).
 */
export function visitsForStaleness(
  curve: DistributionCurve,
  { atMost, spacing = 'equal' }: { atMost: number; spacing?: Spacing },
): VisitsNeeded {
  if (!(atMost > 0 && atMost < 1))
    throw new OptionError('bad-staleness', `atMost must be above 0 and below 1, not ${atMost}`)
  const excess = (log: number) =>
    staleness(curve, { revisitPeriod: Math.exp(log), spacing }) - atMost
  const scale = curve.x.find((x) => x > 0)
  const end = curve.x[curve.x.length - 1] ?? 0
  if (scale === undefined) return { kind: (curve.cdf[0] ?? 0) > atMost ? 'out-of-reach' : 'never' }
  const low = Math.log(scale) - 30
  const high = Math.log(end) + 30
  if (excess(low) > 0) return { kind: 'out-of-reach' }
  if (excess(high) <= 0) return { kind: 'never' }
  const revisitPeriod = Math.exp(bisect(excess, { low, high }))
  return {
    kind: 'visits',
    visitRate: 1 / revisitPeriod,
    revisitPeriod,
    finerThanData: revisitPeriod < scale,
  }
}

/** The weight of a rise of G_U spread over [from, to], for equal gaps: mean of 1 - x/period. */
function meanUpTo({ from, to, period }: Rise): number {
  if (from >= period) return 0
  const end = Math.min(to, period)
  const within = to > from ? (end - from) / (to - from) : 1
  return within * (1 - (from + end) / (2 * period))
}

/** The same for random visits: mean of e^(-x/period). */
function exponentialMean({ from, to, period }: Rise): number {
  const width = (to - from) / period
  const mean = width > 1e-8 ? -Math.expm1(-width) / width : 1
  return Math.exp(-from / period) * mean
}

interface Rise {
  readonly from: number
  readonly to: number
  readonly period: number
}
