import { type History, OptionError } from '../../model/index.js'
import type { Random } from '../../numeric/index.js'
import { type Bands, bootstrapBands } from './bootstrap-bands.js'
import { concaveLaw } from './concave-law.js'
import { cdfAt } from './curves.js'
import type { DistributionMethod, DistributionOptions } from './distribution-estimate.js'
import { updateGapCdf } from './update-law.js'

export interface BandOptions extends DistributionOptions {
  readonly random: Random
  /** Where to bound the curve; its own x, at most 200 of them, unless said. */
  readonly at?: ArrayLike<number>
  readonly level?: number
  /** Bootstrap copies; 200 unless said. */
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
