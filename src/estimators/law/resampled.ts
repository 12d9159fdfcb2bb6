import { OptionError } from '../../model/errors.js'
import { type History, type Observation, splitUnchanged } from '../../model/history.js'
import type { Seconds } from '../../model/units.js'
import type { Random } from '../../numeric/random.js'
import { normalQuantile } from '../../numeric/special-functions.js'
import type { DistributionMethod, DistributionOptions, PairBins } from './distribution.js'
import { breaksBefore } from './stretches.js'
import type { WithCurve } from './update-law.js'

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

/**
 * A maker of bootstrap copies of a history: the complete runs between seen changes sampled
 * anew with replacement, its head and its open end as they were. Runs are the
 * unit because visits within one are bound to each other. O(n) a copy.
 */
function resampler(history: History, { head, complete, tail }: Cut): (random: Random) => History {
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

/**
 * As many runs of equal length as would tell the share of time beyond an age of
 * x as well: (sum of what they have beyond it)^2 / sum of its squares. Where a
 * few long runs hold most of that time, as on heavy tails, it is far below the
 * count of runs.
 *
 * Kish 1965, Survey Sampling, section 8.2 (effective sample size).
 */
function effectiveRuns({ head, complete, tail }: Cut): (beyond: Seconds) => number {
  const lengths = [head, ...complete, tail].map((run) =>
    run.reduce((total, { seen }) => total + seen.gap, 0),
  )
  return (beyond) => {
    let [sum, squares] = [0, 0]
    for (const length of lengths) {
      if (length <= beyond) continue
      sum += length - beyond
      squares += (length - beyond) ** 2
    }
    return squares > 0 ? sum ** 2 / squares : 0
  }
}

/** A method's curve, and the curves of bootstrap copies of the history. */
export interface Resampled {
  readonly kind: 'resampled'
  readonly estimate: WithCurve
  readonly copies: readonly WithCurve[]
  /** Complete runs, and how many of equal length would tell as much of shares of time. */
  readonly runs: number
  readonly effective: number
  /** The same for the share of time beyond an age of x. */
  effectiveBeyond(x: Seconds): number
  readonly level: number
  /** How many standard errors the level takes, either side. */
  readonly z: number
}

/** Why a curve has no bounds. */
export interface NoBounds {
  readonly kind: 'none'
  readonly why: 'too-few-runs' | 'no-curve'
}

export interface ResampleOptions extends DistributionOptions {
  readonly random: Random
  readonly level?: number
  /** Bootstrap copies; 200 by default. */
  readonly copies?: number
}

/** With fewer runs the copies are too alike to bound anything. */
const fewestRuns = 5

/**
 * A method's curve on the history and on copies of it whose runs between seen
 * changes are sampled anew: what every bound of this room rests on. They bound
 * chance, not the bias that `target` tells of, and treat runs as independent.
 * Copies times the method's cost.
 *
 * Efron & Tibshirani 1993, ch. 8 (blocks).
 */
export function resampled(
  history: History,
  method: DistributionMethod,
  options: ResampleOptions,
): Resampled | NoBounds {
  const { random, level = 0.95, copies = 200 } = options
  if (!(level > 0 && level < 1))
    throw new OptionError('bad-level', `level must be above 0 and below 1, not ${level}`)
  if (!(Number.isInteger(copies) && copies > 0))
    throw new OptionError('bad-copies', `copies must be a whole number above 0, not ${copies}`)
  const estimate = method.estimate(history, options)
  if (estimate.kind === 'none') return { kind: 'none', why: 'no-curve' }
  const pieces = cut(splitUnchanged(history))
  const runs = pieces.complete.length
  if (runs < fewestRuns) return { kind: 'none', why: 'too-few-runs' }
  const draw = resampler(history, pieces)
  const fixed = fixedBins(options, estimate.bins)
  const curves: WithCurve[] = []
  for (let copy = 0; copy < copies; copy++) {
    const again = method.estimate(draw(random), fixed)
    if (again.kind === 'curve') curves.push(again)
  }
  if (curves.length === 0) return { kind: 'none', why: 'no-curve' }
  const effectiveBeyond = effectiveRuns(pieces)
  const effective = Math.min(runs, effectiveBeyond(0))
  const z = normalQuantile((1 + level) / 2)
  return { kind: 'resampled', estimate, copies: curves, runs, effective, effectiveBeyond, level, z }
}

/** All copies use the bins of the history itself. */
function fixedBins(
  { binWidth, upTo }: DistributionOptions,
  bins: PairBins | undefined,
): DistributionOptions {
  if (bins !== undefined)
    return { binWidth: bins.binWidth, upTo: bins.binWidth * bins.pairs.length }
  return {
    ...(binWidth === undefined ? {} : { binWidth }),
    ...(upTo === undefined ? {} : { upTo }),
  }
}

const mostPoints = 200

/** Every k-th x, and the last: where a curve is bounded. */
export function boundedPlaces(x: Float64Array): Float64Array {
  const every = Math.ceil(x.length / mostPoints)
  return x.filter((_, i) => i % every === 0 || i === x.length - 1)
}
