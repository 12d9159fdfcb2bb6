import { bestFirstGap, type FirstGapCurve } from 'revisit/estimators'
import { DAY, type Seconds } from 'revisit/model'
import { Random } from 'revisit/numeric'
import { type Collection, fewer } from './collection.js'
import { firstMonthOf, type MonthScore, sameGapForAll } from './first-month.js'
import {
  type Beginner,
  beginners,
  type DeviationCurve,
  deviationCurve,
  type PseudoGapFits,
  pseudoGapFits,
  uniformStart,
} from './new-pages.js'

export interface NewPageSizes {
  /** Pages for the first month, which takes long. */
  readonly monthPages: number
  /** Visits a page in the first month, each a budget of its own. */
  readonly budgets: readonly number[]
  readonly firstGapStep: Seconds
  readonly annealingSteps: number
  readonly seed: number
}

/** All that Figures 4, 6 and 7 and the claim on freshness need of one collection. */
export interface NewPageStudy {
  readonly collection: Collection
  readonly firstGap: FirstGapCurve
  readonly fits: readonly PseudoGapFits[]
  readonly curves: readonly DeviationCurve[]
  /** Uniform starts up to other lengths than the one among the curves. */
  readonly uniform: readonly { readonly upTo: Seconds; readonly deviation: Float64Array }[]
  /** Pages followed through their first month, evenly chosen from the collection. */
  readonly monthPages: number
  readonly months: readonly { readonly budget: number; readonly scores: readonly MonthScore[] }[]
}

const visits = 50
const uniformDays = [1, 2, 5, 11, 25, 50]

export function newPageStudy(collection: Collection, sizes: NewPageSizes): NewPageStudy {
  const { seed } = sizes
  const { changePeriods, laws } = collection
  const fits = laws.map((law) => pseudoGapFits(law, { seed, steps: sizes.annealingSteps }))
  const ways = beginners(collection, { fits, seed: seed + 1 })
  const curveOf = (way: Beginner) => deviationCurve(way, { changePeriods, visits, seed: seed + 2 })
  return {
    collection,
    firstGap: firstGapOf(collection, sizes),
    fits,
    curves: ways.map(curveOf),
    uniform: uniformDays.map((days) => {
      const upTo = days * DAY
      return { upTo, deviation: curveOf(uniformStart({ upTo, seed: seed + 1 })).deviation }
    }),
    monthPages: Math.min(sizes.monthPages, changePeriods.length),
    months: sizes.budgets.map((budget) => ({
      budget,
      scores: monthsOf(collection, { ...sizes, fits, budget }),
    })),
  }
}

function firstGapOf(
  { changePeriods }: Collection,
  { firstGapStep, seed }: NewPageSizes,
): FirstGapCurve {
  const steps = (25 * DAY) / firstGapStep
  const firstGaps = Array.from({ length: steps }, (_, i) => (i + 1) * firstGapStep)
  return bestFirstGap({ changePeriods, firstGaps, random: new Random(seed + 3) })
}

function monthsOf(
  collection: Collection,
  {
    fits,
    budget,
    monthPages,
    seed,
  }: NewPageSizes & { fits: readonly PseudoGapFits[]; budget: number },
): MonthScore[] {
  const some = fewer(collection, monthPages)
  const ways = [sameGapForAll({ budget }), ...beginners(some, { fits, seed: seed + 1 })]
  const { changePeriods } = some
  return ways.map((way) => firstMonthOf(way, { changePeriods, budget, seed: seed + 4 }))
}
