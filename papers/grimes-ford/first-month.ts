import type { Growing } from 'revisit/estimators'
import { DAY, HOUR, type Seconds } from 'revisit/model'
import { median, Random } from 'revisit/numeric'
import type { Beginner } from './new-pages.js'

/** The time in which pages are new. */
export const firstMonth = 30 * DAY
/** No page is visited more often than this. */
const shortestGap = HOUR

/** What became of pages in their first month under one way of estimating. */
export interface MonthScore {
  readonly name: string
  /** Visits a page, beyond the one that found it. */
  readonly visits: number
  /** Share of the month in which the copies were up to date. */
  readonly freshness: number
  /** Median over pages of the mean absolute error of the estimated change period in that time. */
  readonly deviation: Seconds
  /** Freshness since the pages were found, up to each half day from the first on. */
  readonly freshUpTo: Float64Array
}

export interface MonthOptions {
  readonly changePeriods: Float64Array
  /** Visits a page that every way may spend. */
  readonly budget: number
  readonly seed: number
}

/**
 * New Poisson pages visited for a month at gaps proportional to what is
 * estimated of each, all gaps stretched by one factor so that every way makes
 * the same number of visits. Freshness is the expectation over the page's
 * changes given the visits, (1 - e^(-gap rate)) / rate a gap, so the noise is
 * only that of the estimates. O(rounds x pages x visits).
 */
export function firstMonthOf(beginner: Beginner, options: MonthOptions): MonthScore {
  let low = Math.log(0.02)
  let high = Math.log(200)
  for (let round = 0; round < 12; round++) {
    const middle = (low + high) / 2
    const visits = visitsAt(beginner, { ...options, stretch: () => Math.exp(middle) })
    if (visits > options.budget) low = middle
    else high = middle
  }
  return scored(beginner, { ...options, stretch: mixed(beginner, { ...options, low, high }) })
}

/**
 * Pages that all start alike are visited together, so the number of visits
 * jumps as the gaps grow. Between the two sides of the jump lies the budget:
 * so many pages get the shorter gaps.
 */
function mixed(
  beginner: Beginner,
  { low, high, ...options }: MonthOptions & { low: number; high: number },
): (page: number) => number {
  const [shorter, longer] = [Math.exp(low), Math.exp(high)]
  const most = visitsAt(beginner, { ...options, stretch: () => shorter })
  const least = visitsAt(beginner, { ...options, stretch: () => longer })
  const share = most > least ? (options.budget - least) / (most - least) : 0
  return (page) => ((page * goldenShare) % 1 < share ? shorter : longer)
}

/** Spreads any share of the pages evenly over them. */
const goldenShare = 0.6180339887498949

/** Every page at the same gap: it learns nothing, and takes the gap for every page's period. */
export function sameGapForAll({ budget }: { readonly budget: number }): Beginner {
  const gap = firstMonth / budget
  return { name: 'the same gap for all', newPage: () => ({ see() {}, changePeriod: () => gap }) }
}

interface Stretched extends MonthOptions {
  /** By what the gaps of a page are multiplied. */
  readonly stretch: (page: number) => number
}

function visitsAt(beginner: Beginner, options: Stretched): number {
  let visits = 0
  walkAll(beginner, {
    ...options,
    step: ({ visited }) => {
      if (visited) visits++
    },
  })
  return visits / options.changePeriods.length
}

const halfDay = DAY / 2

function scored(beginner: Beginner, options: Stretched): MonthScore {
  const pages = options.changePeriods.length
  const errors = new Float64Array(pages)
  const freshTimes = new Float64Array(firstMonth / halfDay)
  let visits = 0
  walkAll(beginner, {
    ...options,
    step: (step) => {
      const { page, from, to, truth, estimate, visited } = step
      errors[page]! += (Math.abs(estimate - truth) * (to - from)) / firstMonth
      if (visited) visits++
      addFreshTime(freshTimes, step)
    },
  })
  let fresh = 0
  const freshUpTo = freshTimes.map((time, i) => {
    fresh += time
    return fresh / (pages * (i + 1) * halfDay)
  })
  return {
    name: beginner.name,
    visits: visits / pages,
    freshness: freshUpTo[freshUpTo.length - 1]!,
    deviation: median(errors),
    freshUpTo,
  }
}

/** Expected fresh time of a stretch, half day by half day: the copy is fresh at t with chance e^(-t / truth). */
function addFreshTime(freshTimes: Float64Array, { from, to, truth }: Step): void {
  for (let i = Math.floor(from / halfDay); i < freshTimes.length && i * halfDay < to; i++) {
    const start = Math.max(0, i * halfDay - from)
    const end = Math.min(to, (i + 1) * halfDay) - from
    freshTimes[i]! -= truth * Math.exp(-start / truth) * Math.expm1(-(end - start) / truth)
  }
}

/** A stretch between two visits, or from the last to the end of the month. */
interface Step {
  readonly page: number
  readonly from: Seconds
  readonly to: Seconds
  readonly truth: Seconds
  readonly estimate: Seconds
  /** Whether it ends with a visit. */
  readonly visited: boolean
}

function walkAll(
  beginner: Beginner,
  { changePeriods, seed, stretch, step }: Stretched & { step: (step: Step) => void },
): void {
  for (let page = 0; page < changePeriods.length; page++) {
    const truth = changePeriods[page]!
    const random = new Random(seed + page)
    const growing: Growing = beginner.newPage(page)
    const factor = stretch(page)
    for (let from = 0; from < firstMonth; ) {
      const estimate = growing.changePeriod()
      const gap = Math.max(shortestGap, factor * estimate)
      const visited = from + gap < firstMonth
      const to = visited ? from + gap : firstMonth
      step({ page, from, to, truth, estimate, visited })
      if (visited) growing.see({ gap, changed: random.uniform() < -Math.expm1(-gap / truth) })
      from = to
    }
  }
}
