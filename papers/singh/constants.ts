import { type WeibullForm, weibullTrend } from 'revisit/estimators'
import { Random } from 'revisit/numeric'

/** Mean of estimate over truth at the end of a window, simulated and exact. */
export interface Bias {
  readonly points: number
  readonly form: WeibullForm
  readonly shape: number
  readonly changeRate: number
  readonly exactShape: number
  readonly exactChangeRate: number
}

const forms: readonly WeibullForm[] = [
  'maximum-likelihood',
  'corrected-shape',
  'printed-check',
  'printed-bar',
  'unbiased',
]
const trueShape = 1.5

/**
 * What the estimators of section 3.2 give on average, on windows of a Weibull
 * process that end at their last update. With Z chi-square of 2(n-1) degrees
 * and G gamma of shape n, independent, shape^ / shape = 2n / Z and
 * rate^ / rate at t_n is n shape^ / (shape G): so E = n/(n-2) and, with
 * E[1/G] = 1/(n-1), n^2 / ((n-1)(n-2)).
 */
export function biases({
  windows,
  seed,
}: {
  readonly windows: number
  readonly seed: number
}): Bias[] {
  return [5, 10, 20].flatMap((points) => {
    const random = new Random(seed + points)
    const sums = forms.map(() => ({ shape: 0, changeRate: 0 }))
    for (let i = 0; i < windows; i++) addWindow(sums, arrivals(random, points))
    return forms.map((form, i) => ({
      points,
      form,
      shape: sums[i]!.shape / windows,
      changeRate: sums[i]!.changeRate / windows,
      ...exact(form, points),
    }))
  })
}

/** Arrivals of rate 1; the process of shape b and scale 1 has its updates at arrival^(1/b). */
function arrivals(random: Random, points: number): number[] {
  let at = 0
  return Array.from({ length: points }, () => {
    at += random.exponential()
    return at
  })
}

function addWindow(sums: { shape: number; changeRate: number }[], at: readonly number[]): void {
  const times = at.map((each) => each ** (1 / trueShape))
  const last = times[times.length - 1]!
  const truth = trueShape * last ** (trueShape - 1)
  forms.forEach((form, i) => {
    const curve = weibullTrend({ form }).fit(times)
    sums[i]!.shape += curve.shape! / trueShape
    sums[i]!.changeRate += curve.changeRate(last)! / truth
  })
}

function exact(form: WeibullForm, n: number): { exactShape: number; exactChangeRate: number } {
  const corrected = n / (n - 1)
  switch (form) {
    case 'maximum-likelihood':
      return { exactShape: n / (n - 2), exactChangeRate: n ** 2 / ((n - 1) * (n - 2)) }
    case 'corrected-shape':
      return { exactShape: 1, exactChangeRate: corrected }
    case 'printed-check':
      return { exactShape: 1, exactChangeRate: (corrected * (n - 3)) / (n - 2) }
    case 'printed-bar':
      return { exactShape: n / (n - 2), exactChangeRate: (corrected * (n - 3)) / (n - 2) }
    default:
      return { exactShape: 1, exactChangeRate: 1 }
  }
}
