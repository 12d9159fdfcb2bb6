import type { History } from '../../model/index.js'
import { isotonic, normalQuantile, type Random, variance } from '../../numeric/index.js'
import type { Cdf } from './distances.js'
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

/** With fewer runs the copies are too alike to bound anything. */
const fewestRuns = 5

export interface Bootstrap {
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
 * whose runs between seen changes are drawn anew, and the spread of what they
 * say. Copies times the cost of `again`.
 *
 * Efron & Tibshirani 1993, ch. 8 and 12 (blocks, and bounds by standard error).
 */
export function bootstrapBands(history: History, options: Bootstrap): Bands {
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
