import {
  type ChangeProcess,
  latticeGaps,
  paretoGaps,
  poisson,
  uniformGaps,
  weibullGaps,
} from 'revisit/lab'
import { gammaQ, logGamma } from 'revisit/numeric'

/** A law of update gaps U: the process that follows it, and its two tails. */
export interface Law {
  readonly name: string
  readonly process: ChangeProcess
  /** P(U > x), the paper's 1 - F_U. */
  gapTail(x: number): number
  /** P(content age > x) at a random moment, the paper's 1 - G_U. */
  contentTail(x: number): number
  /** The longest gap there is, where there is one. */
  readonly longest?: number
}

/** Two updates a time unit (mu = 2) in every law of this paper's runs. */
const period = 0.5

/** The paper's own: alpha = 3, beta = 1. */
export const pareto: Law = {
  name: 'Pareto',
  process: paretoGaps({ period, shape: 3 }),
  gapTail: (x) => (1 + x) ** -3,
  contentTail: (x) => (1 + x) ** -2,
}

export const exponential: Law = {
  name: 'exponential',
  process: poisson({ period }),
  gapTail: (x) => Math.exp(-x / period),
  contentTail: (x) => Math.exp(-x / period),
}

/** Uniform on [0, 1]: NBU, so the tails change places. */
export const uniform: Law = {
  name: 'uniform',
  process: uniformGaps({ shortest: 0, longest: 2 * period }),
  gapTail: (x) => Math.max(0, 1 - x),
  contentTail: (x) => Math.max(0, 1 - x) ** 2,
  longest: 2 * period,
}

/** Content ages: the integral of the gap tail is an incomplete gamma function of (x/scale)^shape. */
export function weibull(shape: number): Law {
  const scale = period / Math.exp(logGamma(1 + 1 / shape))
  return {
    name: `Weibull of shape ${shape}`,
    process: weibullGaps({ period, shape }),
    gapTail: (x) => Math.exp(-((x / scale) ** shape)),
    contentTail: (x) => (x <= 0 ? 1 : gammaQ(1 / shape, (x / scale) ** shape)),
  }
}

/**
 * Another law with the Pareto's age distribution at whole time units: the one
 * whose age distribution is joined by straight lines between them, so whole
 * gaps with P(U > n) = (G(n + 1) - G(n)) / G(1) and a mean of 4/3, not 1/2.
 */
export function paretoTwin(): Law {
  const { contentTail } = pareto
  const share = 1 - contentTail(1)
  const gapTail = (x: number) =>
    (contentTail(Math.floor(x)) - contentTail(Math.floor(x) + 1)) / share
  const masses = Float64Array.from({ length: 5000 }, (_, i) => gapTail(i) - gapTail(i + 1))
  const between = (x: number) =>
    contentTail(Math.floor(x)) * (1 - (x % 1)) + contentTail(Math.floor(x) + 1) * (x % 1)
  return {
    name: 'whole gaps',
    process: latticeGaps({ step: 1, masses }),
    gapTail,
    contentTail: between,
  }
}
