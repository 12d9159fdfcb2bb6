import type { Seconds } from '../../model/units.js'
import { gammaQuantile } from '../../numeric/special-functions.js'
import { checkLevel } from '../rate/likelihood.js'
import {
  changeRateAt,
  type FitOptions,
  finite,
  hasNumbers,
  isUsable,
  noCurve,
  type PowerLaw,
  periodOf,
  type TrendCurve,
  type TrendEstimator,
  type TrendVerdict,
  verdictOfTimes,
} from './trend-curve.js'

/**
 * Which constants correct the maximum likelihood fit for small windows; n is
 * the number of points, t_n the last, beta^ and beta~ = beta^ (n-2)/n the shapes:
 *
 * - `maximum-likelihood`: n beta^ t^(beta^-1) / t_n^beta^. At t_n too high by n^2/((n-1)(n-2)) on average
 * - `corrected-shape`: the same with beta~, which is unbiased; at t_n too high by n/(n-1),
 *   not by the (n-2)/(n-3) that the paper prints
 * - `unbiased`: the above times (n-1)/n; unbiased at t_n, where it is (n-1)(n-2)/n beta^/t_n
 * - `printed-check`: the paper's own choice, `corrected-shape` times (n-3)/(n-2); at t_n too low
 *   by n(n-3)/((n-1)(n-2))
 * - `printed-bar`: the paper's other form, `maximum-likelihood` times (n-3)/n (printed as (n-3)/2
 *   in the text, (n-3) in the formula); at t_n the same average as `printed-check`
 *
 * Where updates were looked for until T, later than t_n, beta^ is too high by
 * n/(n-1) only, and `corrected-shape` and `unbiased` are (n-1) beta^ / T at T,
 * which is unbiased given n. The printed forms know no such T.
 */
export const weibullForms = [
  'maximum-likelihood',
  'corrected-shape',
  'unbiased',
  'printed-check',
  'printed-bar',
] as const
export type WeibullForm = (typeof weibullForms)[number]

/** A Weibull process: expected updates by t are (t / scale)^shape before the form's factor. */
export interface WeibullCurve extends TrendCurve {
  /** beta of the form: above 1 the change rate rises, below 1 it falls. Null with the law. */
  readonly shape: number | null
  /** eta: t_n / n^(1/shape); null also where that is too small or large to hold. */
  readonly scale: Seconds | null
}

export interface WeibullTrend extends TrendEstimator {
  fit(times: readonly Seconds[], options?: FitOptions): WeibullCurve
}

/**
 * A change rate that rises, falls or stays as a power of time, by maximum
 * likelihood on a window that ends at its last update, or at the visit that
 * found nothing since: T takes the place of t_n (Crow 1974). The default form has
 * no correction: it predicts best one step ahead; ask for `unbiased` to state
 * the change rate at the window's end. O(n).
 *
 * Singh 2007, section 3.2, eqs 3 to 5; constants recomputed, see `WeibullForm`.
 */
export function weibullTrend({
  form = 'maximum-likelihood',
}: {
  readonly form?: WeibullForm
} = {}): WeibullTrend {
  const method = form === 'maximum-likelihood' ? 'weibull' : `weibull-${form}`
  return {
    name: method,
    summary: 'A power of time by maximum likelihood; for a page that speeds up or slows down.',
    fit: (times, options) => fitWeibull(times, { form, method, ...options }),
  }
}

/** The printed forms vanish at three points: their factor holds n - 3. */
const needs = (form: WeibullForm) => (form.startsWith('printed') ? 4 : 3)

function fitWeibull(
  times: readonly Seconds[],
  { form, method, until = 0 }: { form: WeibullForm; method: string } & FitOptions,
): WeibullCurve {
  const points = times.length
  const none = (verdict: TrendVerdict): WeibullCurve => ({
    ...noCurve({ method, verdict, points }),
    shape: null,
    scale: null,
  })
  const verdict = verdictOfTimes(times, { needs: needs(form) })
  if (!hasNumbers(verdict)) return none(verdict)
  const end = form.startsWith('printed') ? 0 : until
  const maximum = maximumLikelihoodShape(times, { until: end })
  if (maximum === null) return none('no-spread')
  const freedom = freeLogs(times, { until: end })
  const { shapeFactor, factor } = constants(form, { n: points, freedom })
  const shape = shapeFactor * maximum
  const at = Math.max(end, times[points - 1]!)
  const law = { exponent: shape, at, expected: factor * points }
  if (!isUsable(law)) return none('out-of-range')
  const changeRate = (t: Seconds) => changeRateAt(law, t)
  const mtbu = (t: Seconds) => periodOf(changeRate(t))
  const next = (p: number) => finite(at * Math.exp(logWait(p, { freedom }) / maximum))
  const scale = scaleOf(law, points)
  return { method, verdict, points, law, shape, scale, changeRate, mtbu, next }
}

/**
 * beta^ ln(t_next / T) where it is reached with chance p: its tail is
 * (1 + x)^-freedom, exactly so at t_n (Engelhardt & Bain 1978), and at a later T
 * by the posterior without a scale, density 1 / (beta eta).
 */
function logWait(p: number, { freedom }: { freedom: number }): number {
  return Math.expm1(-Math.log1p(-p) / freedom)
}

/** How many of the ln(T / t_i) are free: at t_n the last is 0 whatever the page does. */
function freeLogs(times: readonly Seconds[], { until = 0 }: FitOptions): number {
  return until > times[times.length - 1]! ? times.length : times.length - 1
}

/** eta = t_n / n^(1/beta), eq. 4; null where it is too small to hold. */
function scaleOf({ at, exponent }: PowerLaw, n: number): Seconds | null {
  const scale = at / n ** (1 / exponent)
  return scale > 0 ? scale : null
}

/**
 * beta^ = n / sum of ln(t_n / t_i), eq. 5, with `until` for t_n where it is
 * later; null where every logarithm is 0. log1p keeps the digits of points that
 * lie close together far from the origin.
 */
function maximumLikelihoodShape(
  times: readonly Seconds[],
  { until = 0 }: FitOptions = {},
): number | null {
  const last = Math.max(until, times[times.length - 1] ?? 0)
  let logs = 0
  for (let i = 0; i < times.length; i++) logs += logRatio(last, times[i]!)
  const shape = times.length / logs
  return logs > 0 && Number.isFinite(shape) ? shape : null
}

function logRatio(last: Seconds, t: Seconds): number {
  return t > last / 2 ? Math.log1p((last - t) / t) : Math.log(last) - Math.log(t)
}

function constants(
  form: WeibullForm,
  { n, freedom }: { n: number; freedom: number },
): { shapeFactor: number; factor: number } {
  const unbiasedShape = (freedom - 1) / n
  switch (form) {
    case 'maximum-likelihood':
      return { shapeFactor: 1, factor: 1 }
    case 'corrected-shape':
      return { shapeFactor: unbiasedShape, factor: 1 }
    case 'unbiased':
      return { shapeFactor: unbiasedShape, factor: freedom / n }
    case 'printed-check':
      return { shapeFactor: unbiasedShape, factor: (n - 3) / (n - 2) }
    case 'printed-bar':
      return { shapeFactor: 1, factor: (n - 3) / n }
  }
}

/**
 * Exact bounds of the Weibull shape, from 2 n beta / beta^ being chi-square
 * with 2 (n - 1) degrees of freedom; 2 n where updates were looked for beyond the
 * last one, as `until` says (Crow 1974). Bounds that hold 1 agree with a steady page. Null under three points or where there is no shape.
 *
 * Singh 2007, Lemma 1 (after Calabria et al. 1988).
 */
export function shapeBounds(
  times: readonly Seconds[],
  options: FitOptions & { readonly level?: number } = {},
): { readonly low: number; readonly high: number; readonly level: number } | null {
  const level = checkLevel(options.level)
  if (!hasNumbers(verdictOfTimes(times, { needs: 3 }))) return null
  const shape = maximumLikelihoodShape(times, options)
  if (shape === null) return null
  const freedom = freeLogs(times, options)
  const at = (p: number) => (gammaQuantile(freedom, p) / times.length) * shape
  const [low, high] = [at((1 - level) / 2), at((1 + level) / 2)]
  return Number.isFinite(high) ? { low, high, level } : null
}
