import type { PerSecond, Seconds } from '../../model/index.js'

/**
 * A Poisson process whose expected number of updates by time t is
 * expected (t / at)^exponent: the Weibull process and the Duane line are both
 * this law, and exponent 1 is the constant change rate. `at` is a time near the data, so that
 * large exponents neither overflow nor vanish where the law is used.
 */
export interface PowerLaw {
  /** 1: constant, above 1: the change rate rises, below 1: it falls. */
  readonly exponent: number
  readonly at: Seconds
  /** Expected updates by time `at`. */
  readonly expected: number
}

/** Whether every number of the law can be worked with. */
export function isUsable({ exponent, at, expected }: PowerLaw): boolean {
  return [exponent, at, expected].every((x) => Number.isFinite(x) && x > 0)
}

/** Expected number of updates in (0, t]; null where it is beyond the numbers. */
export function expectedUpdates(law: PowerLaw, t: Seconds): number | null {
  return t <= 0 ? 0 : finite(law.expected * (t / law.at) ** law.exponent)
}

/** Change rate at time t, the derivative of `expectedUpdates`; null at and before 0. */
export function changeRateAt(law: PowerLaw, t: Seconds): PerSecond | null {
  if (!(t > 0)) return null
  return finite(law.expected * law.exponent * (t / law.at) ** law.exponent * (1 / t))
}

/** The time by which so many updates are expected; null where it is beyond the numbers. */
export function timeOfExpected(law: PowerLaw, expected: number): Seconds | null {
  return finite(law.at * (expected / law.expected) ** (1 / law.exponent))
}

/** The mean time that belongs to a change rate, 1/lambda: null for a change rate of 0. */
export function periodOf(changeRate: PerSecond | null): Seconds | null {
  return changeRate === null || changeRate <= 0 ? null : finite(1 / changeRate)
}

/** A number that is beyond the numbers is null. */
export function finite(x: number): number | null {
  return Number.isFinite(x) ? x : null
}
