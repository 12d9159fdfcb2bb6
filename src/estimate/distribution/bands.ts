import { type History, OptionError } from '../../model/index.js'
import { quantileSorted, type Random } from '../../numeric/index.js'
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
 * the history whose runs between seen changes are drawn anew, and quantiles of
 * what they say. They bound chance, not the bias that `target` tells of, and
 * treat runs as independent. Copies times the method's cost.
 *
 * Efron & Tibshirani 1993, ch. 13 (percentile bounds).
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
  const sorted = values.map((each) => Float64Array.from(each).sort())
  const edge = (p: number) => Float64Array.from(sorted, (each) => quantileSorted(each, p))
  const half = (1 - level) / 2
  return { kind: 'bands', x, low: edge(half), high: edge(1 - half), level, copies }
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
