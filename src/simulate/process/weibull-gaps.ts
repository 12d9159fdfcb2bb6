import { type ChangeProcess, humanPeriod, type Seconds } from '../../model/index.js'
import { logGamma } from '../../numeric/index.js'
import { checkParameter, checkPeriod } from './parameter.js'
import { cut, renewal } from './renewal.js'

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
    why: 'it must be at least 0.05: below, bursts of millions of changes part calms of ages',
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
