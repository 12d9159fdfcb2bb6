import type { Seconds } from '../../model/units.js'
import { variance } from '../../numeric/summary.js'
import { cdfAt, type DistributionCurve, type PairBins, reaches } from './distribution.js'
import type { Identifiability } from './identifiability.js'
import { boundedPlaces, type NoBounds, type Resampled } from './resampled.js'
import type { WithCurve } from './update-law.js'

/**
 * What an age distribution bounds of the law of update gaps F_U and of E[U],
 * with no more assumed than that gaps have a law.
 */
export type LawBounds =
  | {
      readonly kind: 'bounds'
      readonly x: Float64Array
      readonly low: Float64Array
      /** 1 where nothing limits it. */
      readonly high: Float64Array
      /** E[U]; from 0 where nothing limits how fast the page may change. */
      readonly changePeriod: { readonly low: Seconds; readonly high: Seconds }
      /** The distance below which the age distribution is straight, so that g(0) is known; null: not shown. */
      readonly straightTo: Seconds | null
      readonly level: number
    }
  | NoBounds

/** A slope is used from the shortest distances at which its log has this standard error. */
const steady = 0.15
/** Whether the curve is straight is asked from the shortest distances at which the slope is known so well. */
const sharp = 0.05
/** The curve counts as straight near 0 if surely no steeper, by this factor, than up to twice as far. */
const straight = 1.25
/** 1 / (sqrt 2 - 1): what a slope that errs as the root of the distance still lacks. */
const beyond = 1 + Math.SQRT2

/**
 * Bounds of F_U = 1 - g / g(0), from shape alone: G_U is concave whatever the
 * law. So g(x) is at most the slope of G between x/2 and x, and g(0) at least
 * the slope of G from 0 to any h: F_U is at least 1 minus their ratio. At equal
 * gaps this is the tail of M3 turned into a bound.
 *
 * From above F_U is bounded only where visits come near to each other and G is
 * shown to be straight near 0 (the paper's flat region of E[U]): changes that follow each other faster than any
 * two visits are not seen by anyone. There, g(0) is at most the slope plus what
 * it lacks if its error falls as the root of the distance, and g(x) at least
 * the slope between x and 2x. O(copies x places).
 *
 * Li, Cline & Loguinov 2015, eq. 1 and sections IV-E, V-A; Manski 2003 for
 * bounds of what is not identified.
 */
export function lawBounds(
  known: Resampled | NoBounds,
  { identifiable }: { readonly identifiable: Identifiability },
): LawBounds {
  if (known.kind === 'none') return known
  const { estimate, z, level } = known
  const all = [estimate, ...known.copies].map(viewOf)
  const slopes = distances(estimate).map((h) => slopeAt(all, h, known))
  const usable = slopes.filter(({ error }) => error < Infinity)
  const x = boundedPlaces(estimate.curve.x)
  if (usable.length === 0) return { kind: 'none', why: 'no-curve' }
  const near = usable.find(({ error }) => error <= steady) ?? leastError(usable)
  const flat =
    identifiable.kind === 'identifiable' ? straightSlope(all, { slopes: usable, known }) : null
  const low = Array.from(x, (at) => lowest(all, { at, near, known }))
  const high = Array.from(x, (at) => (flat === null ? 1 : highest(all, { at, flat, known })))
  return {
    kind: 'bounds',
    x,
    low: leastAfter(low),
    high: mostBefore(high),
    changePeriod: {
      low: flat === null ? 0 : 1 / (flat.steepest * Math.exp(z * flat.error)),
      high: Math.exp(z * near.error) / near.slope,
    },
    straightTo: flat === null ? null : flat.to,
    level,
  }
}

/** F_U never falls, so neither do its bounds; chance at one place must not tighten those beside it. */
function leastAfter(values: readonly number[]): Float64Array {
  const out = Float64Array.from(values)
  for (let i = out.length - 2; i >= 0; i--) out[i] = Math.min(out[i]!, out[i + 1]!)
  return out
}

function mostBefore(values: readonly number[]): Float64Array {
  const out = Float64Array.from(values)
  for (let i = 1; i < out.length; i++) out[i] = Math.max(out[i]!, out[i - 1]!)
  return out
}

/** What the bounds ask of a curve. */
interface CurveView {
  readonly cdf: (x: number) => number
  /** The mean slope of G from 0 up to h, weighted towards h: at most g(0). */
  slope(h: number): number
  /** How many changes or content ages that slope rests on. */
  events(h: number): number
}

function viewOf({ curve, bins, samples }: WithCurve): CurveView {
  const cdf = (x: number) => cdfAt(curve, x)
  if (bins !== undefined) return { cdf, ...slopesOfPairs(bins) }
  if (curve.shape === 'steps') return { cdf, ...slopesOfSteps(curve, samples) }
  return { cdf, slope: (h) => cdf(h) / h, events: (h) => samples * cdf(h) }
}

/** Changes over distance, of all pairs not further apart than h. */
function slopesOfPairs({ binWidth, withChange, distance }: PairBins): Omit<CurveView, 'cdf'> {
  const changes = runningSum(withChange)
  const apart = runningSum(distance)
  const last = (h: number) => Math.min(changes.length, Math.round(h / binWidth)) - 1
  return {
    slope: (h) => (changes[last(h)] ?? 0) / (apart[last(h)] || Infinity),
    events: (h) => changes[last(h)] ?? 0,
  }
}

/** The integral of G up to h over h^2 / 2, which smooths the steps. */
function slopesOfSteps({ x, weight }: DistributionCurve, samples: number): Omit<CurveView, 'cdf'> {
  const count = runningSum(weight)
  const sum = runningSum(x.map((each, i) => each * weight[i]!))
  const last = (h: number) => {
    const i = x.findIndex((each) => each > h)
    return (i < 0 ? x.length : i) - 1
  }
  return {
    slope(h) {
      const i = last(h)
      return i < 0 ? 0 : (2 * (h * count[i]! - sum[i]!)) / (samples * h * h)
    },
    events: (h) => count[last(h)] ?? 0,
  }
}

function runningSum(values: Float64Array): Float64Array {
  let total = 0
  return values.map((value) => (total += value))
}

/** Distances to take a slope up to: a factor sqrt(2) apart, shortest first, to where G has a half. */
function distances({ curve, bins }: WithCurve): Seconds[] {
  const first = bins?.binWidth ?? (curve.x.find((x) => x > 0) || 0)
  const out: Seconds[] = []
  for (let h = Math.max(first, reaches(curve, 0.5)); h >= first && out.length < 24; h /= Math.SQRT2)
    if (h > 0) out.push(bins === undefined ? h : Math.max(1, Math.round(h / first)) * first)
  return [...new Set(out)].reverse()
}

interface Slope {
  readonly to: Seconds
  readonly slope: number
  /** Standard error of its logarithm; Infinity where it is not known. */
  readonly error: number
}

function slopeAt(all: readonly CurveView[], to: Seconds, { runs }: Resampled): Slope {
  const slopes = all.map((view) => view.slope(to))
  const events = Math.min(runs, all[0]!.events(to))
  return { to, slope: slopes[0]!, error: Math.max(logError(slopes), Math.sqrt(1 / events)) }
}

/** The spread of the copies' logarithms; Infinity where one in ten copies has none, or the history itself. */
function logError(values: readonly number[]): number {
  const logs = values.slice(1).map(Math.log).filter(Number.isFinite)
  if (!(values[0]! > 0) || logs.length < 0.9 * (values.length - 1) || logs.length < 2)
    return Infinity
  return Math.sqrt(variance(logs))
}

function leastError(slopes: readonly Slope[]): Slope {
  return slopes.reduce((best, each) => (each.error < best.error ? each : best))
}

interface StraightSlope extends Slope {
  /** The most that g(0) may be at the point estimate. */
  readonly steepest: number
}

/** The slope near 0 if the curve is shown to be straight there; null if not. */
function straightSlope(
  all: readonly CurveView[],
  { slopes, known }: { slopes: readonly Slope[]; known: Resampled },
): StraightSlope | null {
  const near = slopes.find(({ error }) => error <= sharp)
  if (near === undefined) return null
  const bends = all.map((view) => view.slope(near.to) / view.slope(2 * near.to))
  const most = bends[0]! * Math.exp(known.z * logError(bends))
  return most <= straight ? { ...near, steepest: steepest(all[0]!, near.to) } : null
}

function steepest(view: CurveView, h: Seconds): number {
  const slope = view.slope(h)
  return slope + beyond * Math.max(0, slope - view.slope(2 * h))
}

/** 1 - (slope of G from x/2 to x) / (slope near 0), at the level's lower end. */
function lowest(
  all: readonly CurveView[],
  { at, near, known }: { at: Seconds; near: Slope; known: Resampled },
): number {
  const { effective: n, z } = known
  const share = ({ cdf }: CurveView) => ((cdf(at) - cdf(at / 2)) * n + 0.5) / (n + 1)
  const ratios = all.map((view) => share(view) / (at / 2) / view.slope(near.to))
  const error = Math.max(logError(ratios), Math.sqrt(1 / (n * share(all[0]!))))
  return Math.max(0, 1 - ratios[0]! * Math.exp(z * error))
}

/** 1 - (slope of G from x to 2x) / (steepest slope at 0), at the level's upper end. */
function highest(
  all: readonly CurveView[],
  { at, flat, known }: { at: Seconds; flat: StraightSlope; known: Resampled },
): number {
  const { effective: n, z } = known
  const share = ({ cdf }: CurveView) => ((cdf(2 * at) - cdf(at)) * n) / (n + 1)
  const ratios = all.map((view) => share(view) / at / steepest(view, flat.to))
  const error = Math.max(logError(ratios), Math.sqrt(1 / (n * share(all[0]!))))
  return Math.min(1, Math.max(0, 1 - ratios[0]! * Math.exp(-z * error)))
}
