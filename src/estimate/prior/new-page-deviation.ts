import { type Observation, OptionError, type Seconds } from '../../model/index.js'
import { median, type Random } from '../../numeric/index.js'

/** What is thought of a page, visit by visit: `GrowingMle` and `GrowingPosterior` are two. */
export interface Growing {
  see(observation: Pick<Observation, 'gap' | 'changed'>): void
  changePeriod(): Seconds
}

export interface NewPageOptions {
  /** The true change periods, one a page. */
  readonly changePeriods: ArrayLike<Seconds>
  /** What is thought of page number `page` before its first visit. */
  readonly newPage: (page: number) => Growing
  /** How many visits each page gets. */
  readonly visits: number
  /** The next gap as a share of the estimated change period; 1 unless said (Grimes & Ford 5). */
  readonly gapShare?: number
  /** The very first gap; a share of the estimate like the others unless said. */
  readonly firstGap?: Seconds
  readonly random: Pick<Random, 'uniform'>
}

/**
 * How far the estimates of new pages are from the truth at each visit: page by
 * page a Poisson process is visited at gaps that follow the estimate, and the
 * error |estimated - true change period| is kept. `errors[v]` holds one error
 * a page after v visits; `errors[0]` is before the first.
 *
 * Exactly one random number a page and visit is drawn, in that order, so that
 * runs with the same seed are comparable. Grimes & Ford 5.
 */
export function newPageErrors(options: NewPageOptions): Float64Array[] {
  const { changePeriods, visits, gapShare = 1, random } = options
  if (!(changePeriods.length > 0 && visits >= 0 && gapShare > 0)) {
    throw new OptionError('bad-simulation', 'needs at least one change period and a positive share')
  }
  const errors = Array.from({ length: visits + 1 }, () => new Float64Array(changePeriods.length))
  for (let page = 0; page < changePeriods.length; page++) {
    const truth = changePeriods[page]!
    const growing = options.newPage(page)
    errors[0]![page] = Math.abs(growing.changePeriod() - truth)
    for (let visit = 1; visit <= visits; visit++) {
      const gap =
        visit === 1 && options.firstGap !== undefined
          ? options.firstGap
          : gapShare * growing.changePeriod()
      growing.see({ gap, changed: random.uniform() < -Math.expm1(-gap / truth) })
      errors[visit]![page] = Math.abs(growing.changePeriod() - truth)
    }
  }
  return errors
}

/** The median of those errors at each visit: the median absolute deviation of Grimes & Ford 5. */
export function newPageDeviation(options: NewPageOptions): Float64Array {
  return Float64Array.from(newPageErrors(options), median)
}
