import { OptionError } from '../../model/errors.js'
import type { Seconds } from '../../model/units.js'
import { isotonic } from '../../numeric/isotonic.js'
import type { PairBins } from './distribution.js'
import {
  type Cdf,
  cdfAt,
  type DistributionCurve,
  type DistributionEstimate,
  reaches,
} from './distribution.js'
import { lawCaution, type UpdateLaw, usable, type WithCurve } from './update-law.js'

/**
 * The derivative at x from five points at and after x, error O(h^4):
 * (-25 f0 + 48 f1 - 36 f2 + 16 f3 - 3 f4) / 12h. For the edge at 0.
 *
 * Abramowitz & Stegun, table 25.2.
 */
export function forwardSlope(f: Cdf, { x, step }: { x: number; step: number }): number {
  const at = (k: number) => f(x + k * step)
  return (-25 * at(0) + 48 * at(1) - 36 * at(2) + 16 * at(3) - 3 * at(4)) / (12 * step)
}

/**
 * The derivative at x from two points on either side: the same order, a sixth
 * of the noise of the one-sided form, so it is taken wherever there is room.
 */
function centredSlope(f: Cdf, { x, step }: { x: number; step: number }): number {
  const at = (k: number) => f(x + k * step)
  return (at(-2) - 8 * at(-1) + 8 * at(1) - at(2)) / (12 * step)
}

/** E[U] at one bin width. */
export interface Trial {
  readonly binWidth: Seconds
  readonly changePeriod: Seconds
  /** Relative standard error of E[U] from sampling alone; 0 where none was given. */
  readonly noise: number
}

export interface FlatRegion extends Trial {
  /** Relative change of E[U] to the next wider and the next narrower bin, summed. */
  readonly change: number
  /** All bin widths tried, widest first: the picture of figure 8(a). */
  readonly trail: readonly Trial[]
}

/** The bin widths among which the flat region is searched. */
export interface FlatSearch {
  readonly widest: Seconds
  readonly narrowest: Seconds
}

/**
 * The bin width at which E[U] = 1 / g(0) stands still. Wide bins are biased (E[U]
 * falls with the width and settles), narrow ones noisy; the flattest place between
 * is taken: least relative change to both neighbours plus sampling error, widths
 * a factor sqrt(2) apart. Null where fewer than three widths give a rising slope. O(log(wide / narrow)).
 *
 * Li, Cline & Loguinov 2015, section IV-E.
 */
export function flatRegion(
  cdf: Cdf,
  {
    widest,
    narrowest,
    slopeError = () => 0,
  }: FlatSearch & {
    /** Standard error of the slope at 0 for a bin width. */
    slopeError?: (binWidth: Seconds) => number
  },
): FlatRegion | null {
  const trail: Trial[] = []
  for (let width = widest; width >= narrowest && trail.length < 200; width /= Math.SQRT2) {
    const slope = forwardSlope(cdf, { x: 0, step: width })
    if (slope > 0 && Number.isFinite(1 / slope))
      trail.push({
        binWidth: width,
        changePeriod: 1 / slope,
        noise: slopeError(width) / slope,
      })
  }
  let best: FlatRegion | null = null
  let bestScore = Infinity
  for (let i = 1; i + 1 < trail.length; i++) {
    const here = trail[i]!.changePeriod
    const change =
      Math.abs(trail[i - 1]!.changePeriod / here - 1) +
      Math.abs(trail[i + 1]!.changePeriod / here - 1)
    const score = change + trail[i]!.noise
    if (score < bestScore) {
      best = { ...trail[i]!, change, trail }
      bestScore = score
    }
  }
  return best
}

/** Fewer samples than this in the first bin are mostly noise. */
const fewest = 30

/**
 * F_U and E[U] by five-point derivatives of the age distribution, at the bin
 * width where E[U] stands still, or at the one given. F_U is then made to rise
 * by isotonic regression. Asks much data of M6; the concave law asks less.
 * O(log n) a point.
 *
 * Li, Cline & Loguinov 2015, section IV-E.
 */
export function fivePointLaw(
  estimate: DistributionEstimate,
  options: {
    /** The step itself; the search is still shown. */
    readonly binWidth?: Seconds
    /** From the median down to where a bin holds too few samples, by default. */
    readonly search?: FlatSearch
  } = {},
): UpdateLaw & { readonly flat?: FlatRegion } {
  const { binWidth, search } = options
  if (binWidth !== undefined && !(binWidth > 0 && Number.isFinite(binWidth)))
    throw new OptionError('bad-bins', `binWidth must be finite and above 0, not ${binWidth}`)
  const fit = usable(estimate, 'five-point')
  if ('kind' in fit) return fit
  const { curve } = fit.estimate
  const cdf: Cdf = (x) => (x <= 0 ? 0 : cdfAt(curve, x))
  const flat = flatRegion(cdf, {
    ...(search ?? widths(curve)),
    slopeError: slopeErrorOf(fit.estimate),
  })
  const step = binWidth ?? flat?.binWidth
  const slope = step === undefined ? 0 : forwardSlope(cdf, { x: 0, step })
  const period = 1 / slope
  if (step === undefined || !(slope > 0 && period > 0 && Number.isFinite(period)))
    return { kind: 'none', by: 'five-point', why: 'no-slope-at-zero' }
  return {
    kind: 'law',
    by: 'five-point',
    changePeriod: period,
    changeRate: slope,
    ...gapLaw(cdf, { step, slope, end: curve.x[curve.x.length - 1]! }),
    caution: lawCaution(fit.estimate),
    ...(flat === null ? {} : { flat }),
  }
}

/** From the median, down to the width whose first bin still holds samples enough. */
function widths(curve: DistributionCurve): FlatSearch {
  const widest = reaches(curve, 0.5)
  if (curve.shape === 'line') return { widest, narrowest: Math.max(curve.x[0]!, widest / 4096) }
  const total = curve.weight.reduce((a, b) => a + b, 0)
  return { widest, narrowest: Math.max(reaches(curve, fewest / total), widest / 4096) }
}

/**
 * Standard error of the one-sided slope, as if samples were independent. Shares
 * of a sample: each bin's share counts with the sum of the coefficients after
 * it. M6: each bin is its own share, so the full coefficients count.
 */
function slopeErrorOf({ curve, bins, samples }: WithCurve): (width: Seconds) => number {
  const own = [48, -36, 16, -3]
  const summed = [25, -23, 13, -3]
  return (width) => {
    let spread = 0
    for (let k = 1; k <= 4; k++) {
      const p = cdfAt(curve, k * width)
      const share = bins === undefined ? p - cdfAt(curve, (k - 1) * width) : p * (1 - p)
      const behind = bins === undefined ? samples : pairsAt(bins, k * width)
      spread += (bins === undefined ? summed : own)[k - 1]! ** 2 * (share / behind)
    }
    return Math.sqrt(spread) / (12 * width)
  }
}

function pairsAt({ pairs, binWidth }: PairBins, x: number): number {
  return Math.max(1, pairs[Math.ceil(x / binWidth) - 1] ?? 0)
}

function gapLaw(
  cdf: Cdf,
  { step, slope, end }: { step: number; slope: number; end: number },
): { x: Float64Array; cdf: Float64Array } {
  const x = placesUpTo(end, step)
  const raw = x.map((at) => {
    if (at === 0) return 0
    const here =
      at >= 2 * step ? centredSlope(cdf, { x: at, step }) : forwardSlope(cdf, { x: at, step })
    return Math.max(-1, 1 - here / slope)
  })
  return { x, cdf: isotonic(raw).map((value) => Math.min(1, Math.max(0, value))) }
}

/** One bin apart near 0, where F_U bends most, then 2% apart, so that a long tail costs little. */
function placesUpTo(end: number, step: number): Float64Array {
  const x = [0]
  for (let at = Math.min(step, end); at < end; at += Math.max(step, at / 50)) x.push(at)
  return Float64Array.from([...x, end])
}
