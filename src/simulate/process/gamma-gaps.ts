import { type ChangeProcess, humanPeriod, type Seconds } from '../../model/index.js'
import { checkParameter, checkPeriod } from './parameter.js'
import { cut, renewal } from './renewal.js'

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
