import { poisson } from 'revisit/lab'
import { DAY, type Seconds } from 'revisit/model'
import { Random } from 'revisit/numeric'
import type { Finding } from 'revisit/report'
import { verdictOf } from '../verdict-of.js'
import { percent } from '../words.js'
import { samplingPeriod, scenario } from './scenarios.js'
import { estimatePage } from './visit-page.js'

/** Where the change periods of many pages come from: laws that we chose, the paper names none. */
interface PeriodLaw {
  readonly name: string
  draw(random: Random): Seconds
}

const laws: readonly PeriodLaw[] = [
  {
    name: 'half of the pages 3 days, half 15',
    draw: (random) => (random.uniform() < 0.5 ? 3 : 15) * DAY,
  },
  {
    name: 'lognormal, median 7 days, sigma 0.3',
    draw: (random) => 7 * DAY * Math.exp(0.3 * random.normal()),
  },
]

/** How the periods of many pages are spread, on a logarithmic scale. */
interface Spread {
  /** Geometric mean. */
  readonly middle: Seconds
  /** Standard deviation of the logarithm. */
  readonly width: number
  /** The largest share of the pages within a factor of the square root of 2. */
  readonly peak: number
}

/**
 * Section IX: the error of single estimates blurs the picture of many pages.
 * Scenario 6 on pages of known periods; smoother means wider, with a lower peak.
 */
export function smootherThanTruth({
  pages,
  seed,
}: {
  readonly pages: number
  readonly seed: number
}): Finding {
  const found = laws.map((law, i) => ({
    law,
    ...spreads(law, { pages, random: new Random(seed + i) }),
  }))
  const shown = found.map(
    ({ law, truth, estimated }) =>
      `${law.name}: standard deviation of the logarithm ${truth.width.toFixed(2)} becomes ${estimated.width.toFixed(2)}, the highest share within a factor of 1.4 ${percent(truth.peak, { digits: 0 })} becomes ${percent(estimated.peak, { digits: 0 })}, the geometric mean moves by ${percent(Math.abs(estimated.middle / truth.middle - 1))}`,
  )
  const smoother = found.map(
    ({ truth, estimated }) =>
      estimated.peak < truth.peak - 4 * Math.sqrt(0.25 / pages) && estimated.width > truth.width,
  )
  return {
    claim: 'smoother-than-truth',
    ours: shown.join('; '),
    verdict: verdictOf(...smoother),
    why: `Scenario 6 on ${pages.toLocaleString('en')} Poisson pages. The laws of their change periods are ours, two that differ: one with two peaks, one smooth already. In both the estimates are wider, and their peak is lower by more than four standard errors, while their middle hardly moves.`,
  }
}

function spreads(
  law: PeriodLaw,
  { pages, random }: { readonly pages: number; readonly random: Random },
): { readonly truth: Spread; readonly estimated: Spread } {
  const truth = Array.from({ length: pages }, () => law.draw(random))
  const estimated = truth.map((period) => {
    const timeline = poisson({ period }).timeline({ from: 0, random })
    const page = { timeline, from: 0, until: samplingPeriod, random }
    return estimatePage(scenario('S6'), page).changePeriod
  })
  return { truth: spreadOf(truth), estimated: spreadOf(estimated) }
}

function spreadOf(periods: readonly Seconds[]): Spread {
  const logs = periods
    .filter((period) => period > 0)
    .map(Math.log)
    .sort((a, b) => a - b)
  const mean = logs.reduce((sum, each) => sum + each, 0) / logs.length
  const variance = logs.reduce((sum, each) => sum + (each - mean) ** 2, 0) / logs.length
  return { middle: Math.exp(mean), width: Math.sqrt(variance), peak: highestShare(logs) }
}

/** The most that lie within half of ln 2 of each other; the logarithms ascend. */
function highestShare(logs: readonly number[]): number {
  let most = 0
  for (let from = 0, to = 0; to < logs.length; to++) {
    while (logs[to]! - logs[from]! > Math.LN2 / 2) from++
    most = Math.max(most, to - from + 1)
  }
  return most / logs.length
}
