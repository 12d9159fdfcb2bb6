import { type GridPrior, GrowingPosterior, hourlyGrid } from 'revisit/estimators'
import { DAY, type Seconds } from 'revisit/model'
import { regridded } from './new-pages.js'

/** What is thought of the change period after so many visits that found nothing new: Figure 5. */
export interface UnchangedLaw {
  readonly visits: number
  /** Each relative to its own largest value. */
  readonly likelihood: Float64Array
  readonly posterior: Float64Array
  /** Where the posterior density is largest. */
  readonly peak: Seconds
}

/** The gap between those visits; the paper does not tell its own. */
const unchangedGap = DAY

/** The paper's discretisation: an hour. Long enough for slow pages. */
export const unchangedGrid = hourlyGrid({ longest: 100 * DAY })

export function unchangedLaws(law: GridPrior): UnchangedLaw[] {
  const prior = regridded(law, unchangedGrid)
  return [1, 5, 10, 20].map((visits) => {
    const growing = new GrowingPosterior(prior)
    for (let i = 0; i < visits; i++) growing.see({ gap: unchangedGap, changed: false })
    const posterior = Float64Array.from(growing.law().masses)
    const likelihood = unchangedGrid.map((period) => Math.exp((-visits * unchangedGap) / period))
    return {
      visits,
      likelihood: relative(likelihood),
      posterior: relative(posterior),
      peak: unchangedGrid[posterior.indexOf(Math.max(...posterior))]!,
    }
  })
}

function relative(values: Float64Array): Float64Array {
  const largest = Math.max(...values)
  return values.map((value) => value / largest)
}
