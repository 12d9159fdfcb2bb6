import { concaveLaw, m6, type PairBins, updateGapCdf } from 'revisit/estimators'
import type { Finding } from 'revisit/report'
import { logGrid } from './grid.js'
import { pareto } from './laws.js'
import { type PartRun, verdictOf } from './part.js'
import { type Averaged, overPaths } from './paths.js'
import * as spacings from './spacings.js'
import { watch } from './watch.js'
import { shown } from './words.js'

const grid = logGrid({ low: 0.05, high: 10, count: 40 })

/** Fewer do not tell what a path strays by. */
const fewestPaths = 8

/** What M6 makes of F_U and E[U] on whole paths: the last of the numbers is E[U], that before the largest distance. */
export function recoveredLaws(
  random: PartRun['random'],
  size: { readonly until: number; readonly paths: number },
): Recovered {
  const { until } = size
  const paths = Math.max(fewestPaths, size.paths)
  const found = overPaths({ paths, random }, (chance) => {
    const seen = watch({ law: pareto, spacing: spacings.exponential, until, random: chance })
    const law = concaveLaw(m6.estimate(seen, { binWidth: 0.05, upTo: 20 }))
    if (law.kind === 'none') return null
    const cdf = grid.map((x) => updateGapCdf(law, x))
    const distance = Math.max(
      ...cdf.map((value, i) => Math.abs(value - 1 + pareto.gapTail(grid[i]!))),
    )
    return [...cdf, distance, law.changePeriod]
  })
  return { until, paths, ...found }
}

interface Recovered extends Averaged {
  readonly until: number
  readonly paths: number
}

/**
 * F_U and E[U] from M6. Its bounds are those of the run: the mean over paths
 * lies within three times what one path strays by, everywhere; and the largest
 * distance falls as windows grow, beyond its standard errors.
 */
export function recovers([shorter, longest]: readonly [Recovered, Recovered]): Finding {
  const truth = [...grid.map((x) => 1 - pareto.gapTail(x)), 0.5]
  const numbers = ({ mean, error, paths }: Recovered) => {
    const places = [...grid.keys(), grid.length + 1]
    return places.map((at, i) => ({
      off: Math.abs(mean[at]! - truth[i]!),
      strays: error[at]! * Math.sqrt(paths),
    }))
  }
  const worst = Math.max(...numbers(longest).map(({ off, strays }) => off / strays))
  const distance = ({ mean, error }: Recovered) => ({
    mean: mean[grid.length]!,
    error: error[grid.length]!,
  })
  const [before, after] = [distance(shorter), distance(longest)]
  const falls = after.mean + 3 * Math.hypot(before.error, after.error) < before.mean
  const period = grid.length + 1
  return {
    claim: 'm6-recovers-f',
    ours: `E[U] ${shown(longest.mean[period]!)} ± ${shown(longest.error[period]!, { digits: 1 })} (truth .5); largest distance from F_U ${shown(before.mean, { digits: 2 })} at T = ${shown(shorter.until)}, ${shown(after.mean, { digits: 2 })} at T = ${shown(longest.until)}`,
    verdict: verdictOf(worst < 3 && falls, falls),
    why: `Exponential S, ${longest.paths} paths; F_U from the least concave majorant with a cubic at 0, which asks less data than five-point derivatives. The mean over paths is at most ${shown(worst, { digits: 2 })} deviations of a single path off, at any x and for E[U], where 3 are allowed; the largest distance falls with the window by more than three standard errors.`,
  }
}

/** How many pairs are looked at, of all there are. */
export function pairsCounted({ bins, visits }: { bins: PairBins; visits: number }): Finding {
  const counted = bins.pairs.reduce((a, b) => a + b, 0)
  const all = (visits * (visits - 1)) / 2
  return {
    claim: 'm6-quadratic',
    ours: `${shown(counted, { digits: 2 })} of ${shown(all, { digits: 2 })} pairs looked at for ${shown(visits, { digits: 2 })} visits and distances up to 40`,
    verdict: verdictOf(counted > all / 10, true),
    why: 'True of eqs 27 and 28 as written. Distances beyond the last bin wanted need no comparison, so a sweep over near visits gives the same counts in linear time.',
  }
}

/** Its mean is lambda, where 1 / lambda is meant. */
export function wrongUniform(): Finding {
  const visitRate = 10
  const meanGap = spacings.scaled(spacings.uniform, visitRate).expect((gap) => gap)
  return {
    claim: 'uniform-to-two-lambda',
    ours: `mean gap ${shown(meanGap)} at lambda 10 where 1/lambda = ${1 / visitRate}`,
    verdict: verdictOf(Math.abs(meanGap * visitRate - 1) < 1e-9, true),
    why: 'A slip: [0, 2/lambda] is meant. At lambda 1, the only rate drawn, both are the same and the condition of theorem 9 is met.',
  }
}
