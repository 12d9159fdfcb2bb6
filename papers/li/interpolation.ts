import type { Finding } from 'revisit/report'
import { logGrid } from './grid.js'
import { exponential, type Law, pareto, paretoTwin, weibull } from './laws.js'
import { verdictOf } from './part.js'
import { shown } from './words.js'

/** Knots of a local polynomial: its degree is one less. */
const knots = 5

/**
 * Slope at x of the polynomial through the five values at whole multiples of
 * `delta` nearest to x, by differentiating Lagrange's form.
 */
function slopeAt(x: number, { value, delta }: { value: (x: number) => number; delta: number }) {
  const first = Math.max(0, Math.round(x / delta) - Math.floor(knots / 2))
  const at = Array.from({ length: knots }, (_, i) => (first + i) * delta)
  return at.reduce((sum, xi, i) => {
    const others = at.filter((_, j) => j !== i)
    const slope = others.reduce((total, skipped) => {
      const rest = others.filter((xj) => xj !== skipped)
      return (
        total + rest.reduce((product, xj) => product * ((x - xj) / (xi - xj)), 1) / (xi - skipped)
      )
    }, 0)
    return sum + value(xi) * slope
  }, 0)
}

/** The largest error of F_U(x) = 1 - g(x) / g(0), with g from G_U at whole gaps alone. */
function largestError(law: Law, delta: number): number {
  const density = (x: number) => -slopeAt(x, { value: law.contentTail, delta })
  const atZero = density(0)
  return logGrid({ low: 0.05, high: 20, count: 80 }).reduce(
    (worst, x) => Math.max(worst, Math.abs(density(x) / atZero - law.gapTail(x))),
    0,
  )
}

/** Section V-A: what interpolation of G_U between whole gaps gives of F_U. Exact G_U, no simulation. */
export function interpolationFinding(): Finding {
  const smooth = [pareto, exponential, weibull(1.5)]
  const deltas = [0.5, 0.25, 0.1] as const
  const errors = smooth.map((law) => deltas.map((delta) => largestError(law, delta)))
  const rough = largestError(paretoTwin(), 1)
  const falls = errors.every(([first, , last]) => last! < first! / 4 && last! < 0.02)
  return {
    claim: 'smooth-interpolation',
    ours: `largest error of F_U at gaps of 1, 1/2 and 1/5 of E[U]: ${smooth.map(({ name }, i) => `${name} ${errors[i]!.map((each) => shown(each, { digits: 2 })).join(', ')}`).join('; ')}; a law that is not smooth, at gaps of 1: ${shown(rough, { digits: 2 })}`,
    verdict: verdictOf(falls && rough > 0.1, falls),
    why: 'G_U at whole gaps joined by local polynomials of degree 4, F_U from their slope; the laws are ours, three smooth ones and the one of the claim before, whose G_U has corners at whole gaps. Where G_U is smooth the error falls fast with the gap, and at half of E[U] and less it is small; where it is not, interpolation sees a law that is not there. Nothing in the visits tells which of both it is.',
  }
}
