import { humanDuration, humanPeriod } from '../../model/duration.js'
import { OptionError } from '../../model/errors.js'
import type { RandomSource, Seconds } from '../../model/units.js'
import { logGamma } from '../../numeric/special-functions.js'
import type { ChangeProcess } from './change-process.js'
import { checkMasses, checkParameter, checkPeriod } from './parameters.js'
import { cut, renewal } from './renewal.js'

/** Draws an index with chances in the ratio of the given masses, one of which is above 0. O(n). */
function chooser(masses: Float64Array): (random: RandomSource) => number {
  const upTo = new Float64Array(masses.length)
  let total = 0
  let last = 0
  for (let i = 0; i < masses.length; i++) {
    total += masses[i]!
    upTo[i] = total
    if (masses[i]! > 0) last = i
  }
  return (random) => {
    const sampled = random.uniform() * total
    let index = 0
    while (index < last && sampled >= upTo[index]!) index++
    return index
  }
}

/** A page that changes like a clock. Equilibrium: the only gap there is, cut anywhere. */
export function constantGaps({ period }: { readonly period: Seconds }): ChangeProcess {
  checkPeriod({ process: 'constant', name: 'period', value: period })
  return renewal({
    name: 'constant',
    summary: `changes like a clock, ${humanPeriod(period)}`,
    changePeriod: period,
    law: { gap: () => period, start: (random) => cut(period, random) },
  })
}

/**
 * Gamma gaps: bursts below a shape of 1, Poisson at 1, towards a clock above
 * it. Equilibrium: a length-biased gamma gap is one of shape + 1; cut anywhere.
 */
export function gammaGaps({
  period,
  shape,
}: {
  readonly period: Seconds
  readonly shape: number
}): ChangeProcess {
  const process = 'gamma'
  checkPeriod({ process, name: 'period', value: period })
  checkParameter({
    process,
    name: 'shape',
    value: shape,
    possible: shape >= 0.01 && shape < Infinity,
    why: 'it must be at least 0.01: below, bursts of thousands of changes fall on one moment',
  })
  const scale = period / shape
  return renewal({
    name: process,
    summary: `gamma gaps of shape ${shape}, ${humanPeriod(period)} on average`,
    changePeriod: period,
    law: {
      gap: (random) => scale * random.gamma(shape),
      start: (random) => cut(scale * random.gamma(shape + 1), random),
    },
  })
}

/** One kind of gap: the share of the gaps that are of this kind, and their mean. */
export interface Phase {
  readonly share: number
  readonly period: Seconds
}

/**
 * Each gap is exponential with one of several means, such as edits that come
 * in bursts between long unchanged times. Shares are weights: they need not sum to 1.
 *
 * Equilibrium: a moment falls into a gap of a kind with chance share x period
 * / mean gap; within it content age and residual are independent exponentials.
 */
export function hyperexponentialGaps({
  phases,
}: {
  readonly phases: readonly Phase[]
}): ChangeProcess {
  const process = 'hyperexponential'
  if (phases.length === 0)
    throw new OptionError('bad-parameter', `${process}: phases is empty, but a gap needs a law`)
  phases.forEach(({ period }, i) => {
    checkPeriod({ process, name: `phases[${i}].period`, value: period })
  })
  const shares = checkMasses({
    process,
    name: 'shares',
    values: phases.map(({ share }) => share),
  })
  const timeShares = shares.map((share, i) => share * phases[i]!.period)
  const changePeriod = timeShares.reduce((sum, each) => sum + each, 0)
  const chooseGap = chooser(shares)
  const chooseMoment = chooser(timeShares)
  return renewal({
    name: process,
    summary: `exponential gaps of ${phases.length} kinds, ${humanPeriod(changePeriod)} on average`,
    changePeriod,
    law: {
      gap: (random) => phases[chooseGap(random)]!.period * random.exponential(),
      start(random) {
        const { period } = phases[chooseMoment(random)]!
        return {
          contentAge: period * random.exponential(),
          residual: period * random.exponential(),
        }
      },
    },
  })
}

/**
 * Gaps that are multiples of a step, as of a page made anew by a nightly job:
 * `masses[i]` weighs a gap of i + 1 steps. Masses need not sum to 1.
 *
 * Equilibrium: a moment falls into a gap of k steps with chance k x mass / mean
 * steps; the gap is then cut anywhere, so the hour of the job is a random one.
 */
export function latticeGaps({
  step,
  masses,
}: {
  readonly step: Seconds
  readonly masses: ArrayLike<number>
}): ChangeProcess {
  const process = 'lattice'
  checkPeriod({ process, name: 'step', value: step })
  const chances = checkMasses({ process, name: 'masses', values: masses })
  const biased = chances.map((chance, i) => (i + 1) * chance)
  const changePeriod = step * biased.reduce((sum, each) => sum + each, 0)
  const chooseGap = chooser(chances)
  const chooseMoment = chooser(biased)
  return renewal({
    name: process,
    summary: `gaps of whole steps of ${humanDuration(step)}, ${humanPeriod(changePeriod)} on average`,
    changePeriod,
    law: {
      gap: (random) => step * (chooseGap(random) + 1),
      start: (random) => cut(step * (chooseMoment(random) + 1), random),
    },
  })
}

/** The longest content age given; a moment of a shape near 1 may draw one past the doubles. */
const longest: Seconds = 1e300

/**
 * Heavy-tailed gaps, F(x) = 1 - (1 + x/scale)^-shape with scale = period x
 * (shape - 1): bursts of changes and long unchanged times.
 *
 * Equilibrium by inversion: the content age has the same law with shape - 1,
 * and given a content age a, what is left has it with scale + a. At a shape of
 * 2 or less the mean content age is infinite, though each draw is finite; at 1
 * or less the mean gap is infinite, there is no equilibrium, and it is refused.
 *
 * Li, Cline & Loguinov 2015, whose alpha is shape and beta scale.
 */
export function paretoGaps({
  period,
  shape,
}: {
  readonly period: Seconds
  readonly shape: number
}): ChangeProcess {
  const process = 'pareto'
  checkPeriod({ process, name: 'period', value: period })
  checkParameter({
    process,
    name: 'shape',
    value: shape,
    possible: shape > 1 && shape < Infinity,
    why: 'it must be above 1: at 1 or less the mean gap is infinite',
  })
  const scale = period * (shape - 1)
  checkPeriod({ process, name: 'scale, period x (shape - 1),', value: scale })
  return renewal({
    name: process,
    summary: `heavy-tailed gaps (Pareto of shape ${shape}), ${humanPeriod(period)} on average`,
    changePeriod: period,
    law: {
      gap: (random) => scale * Math.expm1(random.exponential() / shape),
      start(random) {
        const sampled = scale * Math.expm1(random.exponential() / (shape - 1))
        const contentAge = Math.min(longest, sampled)
        return {
          contentAge,
          residual: (scale + contentAge) * Math.expm1(random.exponential() / shape),
        }
      },
    },
  })
}

/**
 * Gaps alike between two lengths. Equilibrium: a length-biased gap has the
 * density x on the same range, so its square is uniform; then cut anywhere.
 */
export function uniformGaps({
  shortest,
  longest,
}: {
  readonly shortest: Seconds
  readonly longest: Seconds
}): ChangeProcess {
  const process = 'uniform'
  checkPeriod({ process, name: 'longest', value: longest })
  checkParameter({
    process,
    name: 'shortest',
    value: shortest,
    possible: shortest >= 0 && shortest < longest,
    why: `it must be 0 or more and below longest (${longest})`,
  })
  const width = longest - shortest
  const squares = { low: shortest * shortest, width: longest * longest - shortest * shortest }
  return renewal({
    name: process,
    summary: `gaps alike between ${humanDuration(shortest)} and ${humanDuration(longest)}`,
    changePeriod: shortest + width / 2,
    law: {
      gap: (random) => shortest + width * random.uniform(),
      start: (random) => cut(Math.sqrt(squares.low + squares.width * random.uniform()), random),
    },
  })
}

/**
 * Weibull gaps, F(x) = 1 - exp(-(x/scale)^shape): bursts below a shape of 1,
 * Poisson at 1, towards a clock above it. Real pages have a median of 0.66.
 *
 * Equilibrium: if X is a length-biased gap, (X/scale)^shape has the gamma law
 * of shape 1 + 1/shape; the gap is then cut anywhere.
 */
export function weibullGaps({
  period,
  shape,
}: {
  readonly period: Seconds
  readonly shape: number
}): ChangeProcess {
  const process = 'weibull'
  checkPeriod({ process, name: 'period', value: period })
  checkParameter({
    process,
    name: 'shape',
    value: shape,
    possible: shape >= 0.05 && shape < Infinity,
    why: 'it must be at least 0.05: below, bursts of millions of changes lie between unchanged times of ages',
  })
  const power = 1 / shape
  const scale = period / Math.exp(logGamma(1 + power))
  return renewal({
    name: process,
    summary: `Weibull gaps of shape ${shape}, ${humanPeriod(period)} on average`,
    changePeriod: period,
    law: {
      gap: (random) => scale * random.exponential() ** power,
      start: (random) => cut(scale * random.gamma(1 + power) ** power, random),
    },
  })
}
