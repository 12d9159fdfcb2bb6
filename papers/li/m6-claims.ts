import {
  concaveLaw,
  type DistributionEstimate,
  type PairBins,
  updateGapCdf,
} from 'revisit/estimators'
import type { Finding } from 'revisit/report'
import { logGrid } from './grid.js'
import { pareto } from './laws.js'
import { verdictOf } from './part.js'
import * as spacings from './spacings.js'
import { shown } from './words.js'

/** F_U and E[U] from M6. */
export function recovers(estimate: DistributionEstimate): Finding {
  const law = concaveLaw(estimate)
  if (law.kind === 'none') throw new Error(`no law of update gaps: ${law.why}`)
  const at = logGrid({ low: 0.05, high: 10, count: 100 })
  const worst = Math.max(...at.map((x) => Math.abs(updateGapCdf(law, x) - 1 + pareto.gapTail(x))))
  const off = Math.abs(law.changePeriod / 0.5 - 1)
  return {
    claim: 'm6-recovers-f',
    ours: `E[U] ${shown(law.changePeriod)} (truth .5), largest distance from F_U ${shown(worst, { digits: 2 })}`,
    verdict: verdictOf(off < 0.1 && worst < 0.1, off < 0.2),
    why: 'Exponential S, the longest window of this run; F_U from the least concave majorant with a cubic at 0, which asks less data than five-point derivatives.',
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
