import type { UpdateSeries } from 'revisit/estimators'
import { DAY } from 'revisit/model'
import { logGamma, Random } from 'revisit/numeric'
import { type PageSet, seriesOf } from './page-set.js'

/** Access units a page, and the range of change rates per unit. */
export const units = 200
const slowest = 0.1
/** Makes the mean number of updates a page 98.1, the paper's 29,435,529 / 300,000. */
const fastest = 1.385

export interface SyntheticOptions {
  readonly pages: number
  readonly seed: number
  /** `per-unit`: one update an access unit at most, at its middle; `exact`: every update at its own time. */
  readonly times?: 'per-unit' | 'exact'
  /** How each page changes at its rate: at random, or in bursts (Weibull gaps of shape 0.66, the median of real pages). */
  readonly law?: 'at random' | 'in bursts'
}

/**
 * A set like the paper's, whose own (from UCLA's WebArchive) is not at hand:
 * homogeneous Poisson pages, each with a change rate drawn uniformly between
 * 0.1 and 1.385 a day, looked at once a day for 200 days.
 */
export function syntheticSet({
  pages,
  seed,
  times = 'per-unit',
  law = 'at random',
}: SyntheticOptions): PageSet {
  const pageOf = law === 'in bursts' ? burstyPage : times === 'per-unit' ? unitPage : exactPage
  return {
    name: times === 'per-unit' ? 'synthetic' : 'synthetic, exact times',
    about: `${pages.toLocaleString('en')} ${law === 'in bursts' ? 'bursty' : 'Poisson'} pages over ${units} days, change rates uniform from ${slowest} to ${fastest} a day`,
    pages,
    *series() {
      const random = new Random(seed)
      for (let page = 0; page < pages; page++)
        yield pageOf(random, slowest + (fastest - slowest) * random.uniform())
    },
  }
}

function unitPage(random: Random, perUnit: number): UpdateSeries {
  const chance = -Math.expm1(-perUnit)
  const times: number[] = []
  for (let unit = 0; unit < units; unit++)
    if (random.uniform() < chance) times.push((unit + 0.5) * DAY)
  return seriesOf(times, { until: units * DAY, unit: DAY })
}

const shape = 0.66
/** Makes the mean gap 1: over the gamma function of 1 + 1 / shape. */
const scale = 1 / Math.exp(logGamma(1 + 1 / shape))

/** Gaps of a Weibull law from the start of the record on, one update a unit at most. */
function burstyPage(random: Random, perUnit: number): UpdateSeries {
  const times: number[] = []
  for (let at = 0; ; ) {
    at += (scale * random.exponential() ** (1 / shape)) / perUnit
    if (at >= units) break
    const middle = (Math.floor(at) + 0.5) * DAY
    if (middle !== times.at(-1)) times.push(middle)
  }
  return seriesOf(times, { until: units * DAY, unit: DAY })
}

function exactPage(random: Random, perUnit: number): UpdateSeries {
  const times: number[] = []
  for (let at = random.exponential() / perUnit; at < units; at += random.exponential() / perUnit)
    times.push(at * DAY)
  return seriesOf(times, { until: units * DAY, unit: 0 })
}
