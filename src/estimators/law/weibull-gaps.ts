import type { Seconds } from '../../model/units.js'
import { bisect } from '../../numeric/root.js'
import type { Ageing } from './ageing.js'

/** Shapes between these are called near Poisson. */
export const nearPoisson = { low: 0.8, high: 1.25 } as const

/** A Weibull law fitted to update gaps: P(U > x) = exp(-(x / scale)^shape). */
export type WeibullGaps =
  | {
      readonly kind: 'fit'
      readonly shape: number
      readonly scale: Seconds
      /** Standard error of the shape, from the observed information. */
      readonly error: number
      /** By the shape alone: under 0.8 NWU, over 1.25 NBU, else memoryless. */
      readonly ageing: Ageing
    }
  | { readonly kind: 'none'; readonly why: 'too-few-gaps' | 'gaps-alike' }

/**
 * The Weibull law of greatest likelihood for update gaps that are known in
 * full, with the last one, still open, censored. Gaps of 0 are left out. The
 * shape's equation rises, so bisection finds its one root; gaps all alike have
 * none. For a class with a test behind it see `ageingOfHistory`. O(n) a step.
 *
 * Cohen 1965, Maximum likelihood estimation in the Weibull distribution.
 */
export function weibullGaps(
  gaps: ArrayLike<Seconds>,
  { open = 0 }: { readonly open?: Seconds } = {},
): WeibullGaps {
  const complete = Array.from(gaps).filter((gap) => gap > 0)
  if (complete.length < 2) return { kind: 'none', why: 'too-few-gaps' }
  const longest = complete.reduce((a, b) => Math.max(a, b), open)
  const logs = complete.map((gap) => Math.log(gap / longest))
  const all = open > 0 ? [...logs, Math.log(open / longest)] : logs
  const centre = logs.reduce((a, b) => a + b) / logs.length
  const excess = (log: number) => {
    const shape = Math.exp(log)
    const { first } = powerMeans(all, shape)
    return first - 1 / shape - centre
  }
  const [low, high] = [Math.log(1e-4), Math.log(1e4)]
  if (!(excess(low) < 0 && excess(high) > 0)) return { kind: 'none', why: 'gaps-alike' }
  const shape = Math.exp(bisect(excess, { low, high }))
  const { first, second, sum } = powerMeans(all, shape)
  const scale = longest * (sum / complete.length) ** (1 / shape)
  const curvature = complete.length * (1 / shape ** 2 + second - first ** 2)
  return { kind: 'fit', shape, scale, error: 1 / Math.sqrt(curvature), ageing: classOf(shape) }
}

/** Sum of x^k, and the means of ln x and its square weighted by x^k, from logs of x. */
function powerMeans(logs: readonly number[], shape: number) {
  let [sum, first, second] = [0, 0, 0]
  for (const log of logs) {
    const power = Math.exp(shape * log)
    sum += power
    first += power * log
    second += power * log * log
  }
  return { sum, first: first / sum, second: second / sum }
}

function classOf(shape: number): Ageing {
  if (shape < nearPoisson.low) return 'NWU'
  return shape > nearPoisson.high ? 'NBU' : 'memoryless'
}
