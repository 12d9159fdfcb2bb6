import { type ChangeProcess, humanPeriod, type Seconds } from '../../model/index.js'
import { checkParameter, checkPeriod } from './parameter.js'
import { renewal } from './renewal.js'

/** The longest content age given; a moment of a shape near 1 may draw one past the doubles. */
const longest: Seconds = 1e300

/**
 * Heavy-tailed gaps, F(x) = 1 - (1 + x/scale)^-shape with scale = period x
 * (shape - 1): bursts of changes and long calms.
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
        const drawn = scale * Math.expm1(random.exponential() / (shape - 1))
        const contentAge = Math.min(longest, drawn)
        return {
          contentAge,
          residual: (scale + contentAge) * Math.expm1(random.exponential() / shape),
        }
      },
    },
  })
}
