import { type History, OptionError } from '../../model/index.js'
import { isotonic, normalQuantile, type Random, variance } from '../../numeric/index.js'
import { cdfAt } from './curves.js'
import type { DistributionMethod, DistributionOptions } from './distribution-estimate.js'
import { completeRuns, resampler } from './resample-runs.js'

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

export interface BandOptions extends DistributionOptions {
  readonly random: Random
  /** Where to bound the curve; its own x, at most 200 of them, unless said. */
  readonly at?: ArrayLike<number>
  readonly level?: number
  /** Bootstrap copies; 200 unless said. */
  readonly copies?: number
}

/** With fewer runs the copies are too alike to bound anything. */
const fewestRuns = 5
const mostPoints = 200

/**
 * Bootstrap bounds of a method's curve, point by point: the method on copies of
 * the history whose runs between seen changes are drawn anew, and the spread of
 * what they say. They bound chance, not the bias that `target` tells of, and
 * treat runs as independent. Copies times the method's cost.
 *
 * Efron & Tibshirani 1993, ch. 8 and 12 (blocks, and bounds by standard error).
 */
export function bands(history: History, method: DistributionMethod, options: BandOptions): Bands {
  const { random, level = 0.95, copies = 200 } = options
  checkOptions({ level, copies })
  if (completeRuns(history) < fewestRuns) return { kind: 'none', why: 'too-few-runs' }
  const estimate = method.estimate(history, options)
  if (estimate.kind === 'none') return { kind: 'none', why: 'no-curve' }
  const fixed = fixedBins(options, estimate.bins)
  const x = Float64Array.from(options.at ?? thinned(estimate.curve.x))
  const draw = resampler(history)
  const values = Array.from(x, () => [] as number[])
  for (let copy = 0; copy < copies; copy++) {
    const again = method.estimate(draw(random), fixed)
    if (again.kind === 'curve') x.forEach((at, i) => void values[i]!.push(cdfAt(again.curve, at)))
  }
  if (values[0] === undefined || values[0].length === 0) return { kind: 'none', why: 'no-curve' }
  const runs = completeRuns(history)
  const z = normalQuantile((1 + level) / 2)
  const edges = values.map((each, i) =>
    edgesOf(each, { here: cdfAt(estimate.curve, x[i]!), runs, z }),
  )
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

function checkOptions({ level, copies }: { level: number; copies: number }): void {
  if (!(level > 0 && level < 1))
    throw new OptionError('bad-level', `level must be above 0 and below 1, not ${level}`)
  if (!(Number.isInteger(copies) && copies > 0))
    throw new OptionError('bad-copies', `copies must be a whole number above 0, not ${copies}`)
}
