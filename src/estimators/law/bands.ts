import { OptionError } from '../../model/errors.js'
import { type History, type Observation, splitUnchanged } from '../../model/history.js'
import { isotonic } from '../../numeric/isotonic.js'
import type { Random } from '../../numeric/random.js'
import { normalQuantile } from '../../numeric/special-functions.js'
import { variance } from '../../numeric/summary.js'
import { concaveLaw } from './concave-law.js'
import {
  type Cdf,
  cdfAt,
  type DistributionMethod,
  type DistributionOptions,
} from './distribution.js'
import { breaksBefore } from './stretches.js'
import { updateGapCdf } from './update-law.js'

/** A history cut at its seen changes. */
interface Cut {
  /** Before the first seen change. */
  readonly head: readonly Placed[]
  /** From a change up to the visit before the next. */
  readonly complete: readonly (readonly Placed[])[]
  /** From the last seen change on. */
  readonly tail: readonly Placed[]
}

/** An observation, and the break in the comparisons before it (mostly 0). */
interface Placed {
  readonly seen: Observation
  readonly skipped: number
}

/** How many complete runs a history has. O(n). */
function completeRuns(history: History): number {
  return Math.max(0, history.observations.filter(({ changed }) => changed).length - 1)
}

/**
 * A maker of bootstrap copies of a history: the complete runs between seen changes sampled
 * anew with replacement, its head and its open end as they were. Runs are the
 * unit because visits within one are bound to each other. O(n) a copy.
 */
function resampler(history: History): (random: Random) => History {
  const { head, complete, tail } = cut(splitUnchanged(history))
  return (random) => {
    const sampled = complete.map(() => complete[random.below(complete.length)]!)
    return lineUp(history, [head, ...sampled, tail])
  }
}

function cut(history: History): Cut {
  const pieces: Placed[][] = [[]]
  let at = history.start.at
  for (const seen of history.observations) {
    const skipped = breaksBefore(at, seen) ? Math.max(0, seen.at - seen.gap - at) : 0
    if (seen.changed) pieces.push([])
    pieces[pieces.length - 1]!.push({ seen, skipped })
    at = seen.at
  }
  const [head = [], ...runs] = pieces
  return { head, complete: runs.slice(0, -1), tail: runs[runs.length - 1] ?? [] }
}

function lineUp(history: History, pieces: readonly (readonly Placed[])[]): History {
  let at = history.start.at
  const observations: Observation[] = []
  for (const piece of pieces)
    for (const { seen, skipped } of piece) {
      at += skipped + seen.gap
      observations.push({ ...seen, at })
    }
  return { start: history.start, observations }
}

/** Pointwise bounds of a distribution. */
export type Bands =
  | {
      readonly kind: 'bands'
      readonly x: Float64Array
      readonly low: Float64Array
      readonly high: Float64Array
      readonly level: number
      readonly copies: number
    }
  | { readonly kind: 'none'; readonly why: 'too-few-runs' | 'no-curve' }

/** With fewer runs the copies are too alike to bound anything. */
const fewestRuns = 5

interface Bootstrap {
  /** Where to bound the curve. */
  readonly x: Float64Array
  /** The curve of the history itself. */
  readonly here: Cdf
  /** The curve of a copy; null where it has none. */
  again(copy: History): Cdf | null
  readonly random: Random
  readonly level: number
  readonly copies: number
}

/**
 * Pointwise bounds of any distribution drawn from a history: the same on copies
 * whose runs between seen changes are sampled anew, and the spread of what they
 * say. Copies times the cost of `again`.
 *
 * Efron & Tibshirani 1993, ch. 8 and 12 (blocks, and bounds by standard error).
 */
function bootstrapBands(history: History, options: Bootstrap): Bands {
  const { x, here, random, level, copies } = options
  const runs = completeRuns(history)
  if (runs < fewestRuns) return { kind: 'none', why: 'too-few-runs' }
  const draw = resampler(history)
  const values = Array.from(x, () => [] as number[])
  for (let copy = 0; copy < copies; copy++) {
    const cdf = options.again(draw(random))
    if (cdf !== null) x.forEach((at, i) => void values[i]!.push(cdf(at)))
  }
  if (values[0] === undefined || values[0].length === 0) return { kind: 'none', why: 'no-curve' }
  const z = normalQuantile((1 + level) / 2)
  const edges = values.map((each, i) => edgesOf(each, { here: here(x[i]!), runs, z }))
  const low = isotonic(edges.map((edge) => edge.low))
  const high = isotonic(edges.map((edge) => edge.high))
  return { kind: 'bands', x, low, high, level, copies }
}

/**
 * Bounds of one share, symmetric on the scale of log odds, where shares near 0
 * and 1 are not squeezed. Half a run is added to either side, and the spread is
 * at least that of as many independent samples as there are runs: copies of a
 * history without any long run all agree that there is none, and would bound
 * it by nothing.
 */
function edgesOf(
  copies: readonly number[],
  { here, runs, z }: { here: number; runs: number; z: number },
): { low: number; high: number } {
  const smooth = (share: number) => (share * runs + 0.5) / (runs + 1)
  const logOdds = (share: number) => Math.log(smooth(share) / (1 - smooth(share)))
  const least = 1 / (here * runs + 0.5) + 1 / ((1 - here) * runs + 0.5)
  const spread = z * Math.sqrt(Math.max(least, variance(copies.map(logOdds))))
  const share = (odds: number) => 1 / (1 + Math.exp(-odds))
  const low = here === 0 ? 0 : Math.min(here, share(logOdds(here) - spread))
  const high = here === 1 ? 1 : Math.max(here, share(logOdds(here) + spread))
  return { low, high }
}

export interface BandOptions extends DistributionOptions {
  readonly random: Random
  /** Where to bound the curve; its own x, at most 200 of them, by default. */
  readonly at?: ArrayLike<number>
  readonly level?: number
  /** Bootstrap copies; 200 by default. */
  readonly copies?: number
}

const mostPoints = 200

/**
 * Bootstrap bounds of a method's curve, point by point. They bound chance, not
 * the bias that `target` tells of, and treat runs as independent. Copies times
 * the method's cost. See `bootstrapBands`.
 */
export function bands(history: History, method: DistributionMethod, options: BandOptions): Bands {
  const { random, level, copies } = checked(options)
  const estimate = method.estimate(history, options)
  if (estimate.kind === 'none') return { kind: 'none', why: 'no-curve' }
  const fixed = fixedBins(options, estimate.bins)
  return bootstrapBands(history, {
    x: Float64Array.from(options.at ?? thinned(estimate.curve.x)),
    here: (at) => cdfAt(estimate.curve, at),
    again(copy) {
      const curve = method.estimate(copy, fixed)
      return curve.kind === 'curve' ? (at) => cdfAt(curve.curve, at) : null
    },
    random,
    level,
    copies,
  })
}

/**
 * The same for the law of update gaps, F_U, drawn from the method's curve by
 * `concaveLaw`; a copy without such a law is left out.
 */
export function lawBands(
  history: History,
  method: DistributionMethod,
  options: BandOptions,
): Bands {
  const { random, level, copies } = checked(options)
  const estimate = method.estimate(history, options)
  const law = concaveLaw(estimate)
  if (law.kind === 'none' || estimate.kind === 'none') return { kind: 'none', why: 'no-curve' }
  const fixed = fixedBins(options, estimate.bins)
  return bootstrapBands(history, {
    x: Float64Array.from(options.at ?? thinned(law.x)),
    here: (at) => updateGapCdf(law, at),
    again(copy) {
      const again = concaveLaw(method.estimate(copy, fixed))
      return again.kind === 'law' ? (at) => updateGapCdf(again, at) : null
    },
    random,
    level,
    copies,
  })
}

/** Every k-th x, and the last. */
function thinned(x: Float64Array): Float64Array {
  const every = Math.ceil(x.length / mostPoints)
  return x.filter((_, i) => i % every === 0 || i === x.length - 1)
}

/** All copies use the bins of the history itself. */
function fixedBins(
  { binWidth, upTo }: DistributionOptions,
  bins: { binWidth: number; pairs: Float64Array } | undefined,
): DistributionOptions {
  if (bins !== undefined)
    return { binWidth: bins.binWidth, upTo: bins.binWidth * bins.pairs.length }
  return {
    ...(binWidth === undefined ? {} : { binWidth }),
    ...(upTo === undefined ? {} : { upTo }),
  }
}

function checked(options: BandOptions): { random: Random; level: number; copies: number } {
  const { random, level = 0.95, copies = 200 } = options
  if (!(level > 0 && level < 1))
    throw new OptionError('bad-level', `level must be above 0 and below 1, not ${level}`)
  if (!(Number.isInteger(copies) && copies > 0))
    throw new OptionError('bad-copies', `copies must be a whole number above 0, not ${copies}`)
  return { random, level, copies }
}

/**
 * Bounds of the distribution at any x, between the places where it was bounded
 * too: it never falls, so it is at least the lower bound of the place before
 * and at most the upper bound of the place after. 0 where no place is before,
 * 1 where none is after. A curve that rises within the bands lies between them
 * everywhere. O(log n).
 */
export function boundsAt(
  { x, low, high }: Extract<Bands, { kind: 'bands' }>,
  at: number,
): { readonly low: number; readonly high: number } {
  const after = firstNotBelow(x, at)
  const before = x[after] === at ? after : after - 1
  return { low: low[before] ?? 0, high: high[after] ?? 1 }
}

function firstNotBelow(sorted: Float64Array, x: number): number {
  let from = 0
  let to = sorted.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if (sorted[middle]! < x) from = middle + 1
    else to = middle
  }
  return from
}
