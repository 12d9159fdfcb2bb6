import { duaneTrend, intuitiveTrend } from 'revisit/estimators'
import { Random } from 'revisit/numeric'
import type { Finding } from 'revisit/report'
import { verdictOf } from '../verdict-of.js'

const points = 10
const shapes = [0.5, 1, 2] as const

/** Update times of a Weibull process of scale 1: the arrivals of rate 1, to the power of 1 / shape. */
function updatesOf(random: Random, shape: number): number[] {
  let arrival = 0
  return Array.from({ length: points }, () => {
    arrival += random.exponential()
    return arrival ** (1 / shape)
  })
}

/** Claims of sections 3.2 and 3.5 that follow from the formulas, tried on simulated processes. */
export function theoryFindings(options: {
  readonly windows: number
  readonly seed: number
}): Finding[] {
  return [mtbuBounds(options), zeroSum(options)]
}

/**
 * Section 3.2, with MTBU(t) = t / N(t) as in section 3.1: expected updates by t
 * are t^shape and lambda is shape t^(shape - 1), so that t / N is shape / lambda.
 * At the n-th update the mean of MTBU lambda is the shape exactly.
 */
function mtbuBounds({ windows, seed }: { windows: number; seed: number }): Finding {
  const found = shapes.map((shape, i) => {
    const random = new Random(seed + i)
    let [sum, squares] = [0, 0]
    for (let window = 0; window < windows; window++) {
      const times = updatesOf(random, shape)
      const last = times[points - 1]!
      const mtbu = 1 / intuitiveTrend.fit(times).changeRate(last)!
      const ratio = mtbu * shape * last ** (shape - 1)
      sum += ratio
      squares += ratio * ratio
    }
    const mean = sum / windows
    const error = Math.sqrt((squares / windows - mean ** 2) / windows)
    return { shape, mean, error }
  })
  const [below, one, above] = found
  return {
    claim: 'mtbu-bounds',
    ours: `MTBU over 1/lambda: ${found.map(({ shape, mean }) => `${mean.toFixed(3)} at shape ${shape}`).join(', ')}`,
    verdict: verdictOf(
      Math.abs(one!.mean - 1) < 4 * one!.error,
      below!.mean > 1 + 4 * below!.error && above!.mean < 1 - 4 * above!.error,
    ),
    why: `At shape 1 they are equal. Otherwise the printed inequality is reversed: with MTBU(t) = t / N(t) theory gives shape / lambda, below 1/lambda for shapes below 1 and above it for shapes above 1. ${windows.toLocaleString('en')} Weibull processes of ${points} updates each, known to ${Math.max(...found.map(({ error }) => error)).toFixed(3)}.`,
  }
}

/** Section 3.5: errors of the regression line against those of the waits that it gives. */
function zeroSum({ windows, seed }: { windows: number; seed: number }): Finding {
  const random = new Random(seed + 10)
  const duane = duaneTrend({ rateOver: 'since-origin', unit: 1 })
  let [inLogs, inTime] = [0, 0]
  const tried = Math.min(windows, 2000)
  for (let window = 0; window < tried; window++) {
    const times = updatesOf(random, 1)
    const curve = duane.fit(times)
    const sums = times.map((at, i) => {
      const mtbu = curve.mtbu(at)!
      const gap = at - (times[i - 1] ?? 0)
      return { logs: Math.log(at / (i + 1)) - Math.log(mtbu), time: mtbu - gap }
    })
    inLogs = Math.max(inLogs, Math.abs(sums.reduce((sum, { logs }) => sum + logs, 0)))
    inTime += Math.abs(sums.reduce((sum, { time }) => sum + time, 0)) / times[points - 1]! / tried
  }
  return {
    claim: 'regression-zero-sum',
    ours: `errors of the line through logarithms sum to ${inLogs.toExponential(0)} at most; those of MTBU(t_i) against the gaps to ${(100 * inTime).toFixed(0)}% of the window on average`,
    verdict: verdictOf(inLogs < 1e-9, inTime < 1e-9),
    why: 'Least squares makes the errors in log MTBU sum to 0. The error that section 3.5 defines is one of time, MTBU(t_i) less the gap, and does not; so the sum would not have been blind to Duane as the paper fears. The mean square is the better measure all the same, for errors of a sum cancel.',
  }
}
