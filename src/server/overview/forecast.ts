import {
  DAY,
  type PageRecord,
  type PerSecond,
  type Seconds,
  type UnixSeconds,
} from '../../model/index.js'
import { evenFreshness } from '../../schedule/index.js'
import { commonGap, RateBins } from './rate-bins.js'

/** What the schedule should bring, by what is known of the pages. */
export interface Forecast {
  readonly at: UnixSeconds
  /** Predicted share of the copies that are fresh, weighted by importance, and its standard error; null while nothing is known. */
  readonly freshness: number | null
  readonly freshnessError: number | null
  /** Share of the copies that should equal their pages, by the default's beliefs; null without them. */
  readonly foretold: number | null
  readonly pagesKnown: number
  readonly pagesUnknown: number
  readonly requestsPerDay: number
  /** What the same gap for every page would need for `freshness`; null where none does. */
  readonly fixedRequestsPerDay: number | null
  /** What one gap for every page would keep fresh; null without one, or while nothing is known. */
  readonly fixedFreshness: number | null
}

/** A page as the sums take it. */
interface Expected {
  readonly changeRate: PerSecond
  readonly visitRate: PerSecond
  readonly changes: number
  readonly importance: number
}

/**
 * Sums over all pages that are followed: each page's copy is fresh for the
 * share (1 - e^-x) / x of the time, with x changes expected between two visits
 * (Cho & Garcia-Molina 2003; Poisson changes, evenly spaced visits). The
 * standard error takes the logarithm of each change rate to be known to one
 * over the number of changes seen. O(pages), constant space.
 */
export class ForecastSums {
  #fresh = 0
  #weight = 0
  #variance = 0
  #known = 0
  #unknown = 0
  #knownRequests = 0
  #otherRequests = 0
  readonly #bins = new RateBins()
  #freshNow = 0
  #copies = 0
  #freshFixed = 0
  #fixedCopies = 0
  readonly #fixedGap: Seconds | null

  /** The one gap to compare with. */
  constructor({ fixedGap = null }: { readonly fixedGap?: Seconds | null } = {}) {
    this.#fixedGap = fixedGap
  }

  /** A page with its change period; null where that is not known. */
  add(page: PageRecord, period: Seconds | null): void {
    const visitRate = visitRateOf(page)
    if (period === null) {
      this.#unknown++
      this.#otherRequests += visitRate
    } else this.#addKnown({ ...page, changeRate: 1 / period, visitRate })
  }

  /** The copy of a page and the chance that it is stale by now. */
  addCopy({ importance }: PageRecord, stale: number): void {
    this.#freshNow += importance * (1 - stale)
    this.#copies += importance
  }

  /** The share of the one gap in which a page's copy should be fresh, by the same beliefs. */
  addFixed({ importance }: PageRecord, share: number): void {
    this.#freshFixed += importance * share
    this.#fixedCopies += importance
  }

  #addKnown({ changeRate, visitRate, changes, importance }: Expected): void {
    const freshness = evenFreshness({ changeRate, visitRate })
    const slope = slopeOf(changeRate / visitRate)
    this.#known++
    this.#knownRequests += visitRate
    this.#fresh += importance * freshness
    this.#weight += importance
    this.#variance += (importance * slope) ** 2 / Math.max(1, changes)
    this.#bins.add(changeRate, importance)
  }

  forecast(at: UnixSeconds): Forecast {
    const freshness = this.#weight > 0 ? this.#fresh / this.#weight : null
    const gap = freshness === null ? null : commonGap(this.#bins, freshness)
    const other = this.#otherRequests * DAY
    return {
      at,
      freshness,
      freshnessError: this.#weight > 0 ? Math.sqrt(this.#variance) / this.#weight : null,
      foretold: this.#copies > 0 ? this.#freshNow / this.#copies : null,
      pagesKnown: this.#known,
      pagesUnknown: this.#unknown,
      requestsPerDay: this.#knownRequests * DAY + other,
      fixedRequestsPerDay: gap === null ? null : (this.#known / gap) * DAY + other,
      fixedFreshness: this.#fixed(),
    }
  }

  /** By beliefs where there are any; else by change rates alone. */
  #fixed(): number | null {
    if (this.#fixedGap === null) return null
    if (this.#fixedCopies > 0) return this.#freshFixed / this.#fixedCopies
    return this.#known > 0 ? this.#bins.freshnessAt(this.#fixedGap) : null
  }
}

/** By the time from the last visit to the next; 0 where none is to come. */
function visitRateOf({ due, lastSeen }: PageRecord): PerSecond {
  if (due.at === 'never' || lastSeen === null || due.at <= lastSeen) return 0
  return 1 / (due.at - lastSeen)
}

/** How freshness moves with the logarithm of x: e^-x - (1 - e^-x) / x. */
function slopeOf(x: number): number {
  if (!(x > 0)) return 0
  return x === Infinity ? 0 : Math.exp(-x) + Math.expm1(-x) / x
}
