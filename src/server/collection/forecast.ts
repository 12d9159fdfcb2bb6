/** What the schedule should bring, summed over all pages, beside one gap for all of them; part of /api/overview. */

import { setImmediate } from 'node:timers/promises'
import { Type } from 'typebox'
import { given } from '../../model/given.js'
import type { PageRecord } from '../../model/page.js'
import { DAY, HOUR, type PerSecond, type Seconds, type UnixSeconds } from '../../model/units.js'
import { freshWithFixedGap, staleByNow } from '../../planner/collection/page-posterior.js'
import { evenFreshness } from '../../policies/allocation/freshness.js'
import { KnownPeriods } from '../pages/page-view.js'
import { type Answer, Count, orNull, Time } from '../schema.js'
import type { ServiceParts } from '../service-parts.js'
import { Refreshed } from './refreshed.js'

/**
 * The mean of a value over about the last day: what lies a day back counts a
 * third of what is now. Freshness moves with the hours; its mean does not.
 */
export class DayMean {
  #sum = 0
  #weight = 0
  #at: UnixSeconds | null = null

  /** The mean with one more value; the one before held until now. */
  with(value: number, at: UnixSeconds): number {
    const passed = this.#at === null ? HOUR : Math.max(0, at - this.#at)
    const kept = Math.exp(-passed / DAY)
    this.#sum = kept * this.#sum + (1 - kept) * value
    this.#weight = kept * this.#weight + (1 - kept)
    this.#at = at
    return this.#sum / this.#weight
  }
}

/** Bins a factor of e^(1/16) wide: the freshness of a page is wrong by 0.9 percent at most, and that of many by far less. */
const perE = 16

/** Importance by change rate, in fixed space however many pages there are. */
export class RateBins {
  readonly #weights = new Map<number, number>()

  add(changeRate: PerSecond, weight: number): void {
    const key = Math.round(Math.log(changeRate) * perE)
    this.#weights.set(key, (this.#weights.get(key) ?? 0) + weight)
  }

  /** Mean freshness if every page were visited at this gap. */
  freshnessAt(gap: Seconds): number {
    let fresh = 0
    let total = 0
    for (const [key, weight] of this.#weights) {
      fresh += weight * evenFreshness({ changeRate: Math.exp(key / perE), visitRate: 1 / gap })
      total += weight
    }
    return total > 0 ? fresh / total : 1
  }
}

const shortest: Seconds = 1e-3
const longest: Seconds = 1e12

/** The one gap for all pages that gives this freshness; null where none within reason does. */
export function commonGap(bins: RateBins, freshness: number): Seconds | null {
  if (!(bins.freshnessAt(shortest) >= freshness && bins.freshnessAt(longest) <= freshness))
    return null
  let [low, high] = [Math.log(shortest), Math.log(longest)]
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    if (bins.freshnessAt(Math.exp(middle)) >= freshness) low = middle
    else high = middle
  }
  return Math.exp((low + high) / 2)
}

/** What the schedule should bring, by what is known of the pages; shares are weighted by importance. */
export const ForecastAnswer = Type.Object(
  {
    at: Time,
    freshness: orNull(
      Type.Number({
        description: 'predicted share of copies that are fresh; null while no page is known',
      }),
    ),
    freshnessError: orNull(Type.Number({ description: 'its standard error' })),
    predicted: orNull(
      Type.Number({
        description: 'share of copies that should equal their pages, mean of about a day',
      }),
    ),
    pagesKnown: Count,
    pagesUnknown: Count,
    requestsPerDay: Type.Number(),
    fixedRequestsPerDay: orNull(
      Type.Number({ description: 'what one gap for all pages needs for the same freshness' }),
    ),
    fixedFreshness: orNull(
      Type.Number({
        description: 'what one gap for all pages keeps fresh with the visits of the last 24 hours',
      }),
    ),
  },
  { title: 'Forecast' },
)
type Forecast = Answer<typeof ForecastAnswer>

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

  /** The share of the one gap in which a page's copy should be fresh, by the same posterior. */
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
      predicted: this.#copies > 0 ? this.#freshNow / this.#copies : null,
      pagesKnown: this.#known,
      pagesUnknown: this.#unknown,
      requestsPerDay: this.#knownRequests * DAY + other,
      fixedRequestsPerDay: gap === null ? null : (this.#known / gap) * DAY + other,
      fixedFreshness: this.#fixed(),
    }
  }

  /** By posteriors where there are any; else by change rates alone. */
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

/** Pages read before others get their turn. */
const stretch = 250
/** Real milliseconds a forecast is good for at least, and how many times its own cost. */
const goodFor = 5000
const costFactor = 20
/** Of more pages than this only some are compared with a fixed schedule: each takes as long as twenty others. */
const mostCompared = 1000
/** Pages without a learner that are estimated for one forecast, some milliseconds each; others have their turn in the next. */
const mostEstimated = 300

/** What a fixed schedule would share out. */
interface Spent {
  readonly pages: number
  readonly visitsPerDay: number
}

/** The newest forecast; made again in the background when asked for and out of date. */
export class Forecaster {
  readonly #parts: ServiceParts
  readonly #periods: KnownPeriods
  readonly #forecast = new Refreshed<Forecast>((_, cost) => Math.max(goodFor, costFactor * cost))
  readonly #mean = new DayMean()

  constructor(parts: ServiceParts) {
    this.#parts = parts
    this.#periods = KnownPeriods.of(parts.store)
  }

  /** Waits for the first one only as long as it takes to read a few pages. */
  async newest(spent: Spent): Promise<Forecast | null> {
    const making = this.#forecast.refresh(() => this.#make(spent))
    if (this.#forecast.newest === undefined && making !== undefined)
      await Promise.race([making, new Promise((resolve) => setTimeout(resolve, 150))])
    return this.#forecast.newest ?? null
  }

  async #make(spent: Spent): Promise<Forecast> {
    const { store, collection, clock, plannerFor } = this.#parts
    const fixedGap = sharedGap(spent)
    const sums = new ForecastSums({ fixedGap })
    const every = Math.ceil(spent.pages / mostCompared)
    const allowance = { left: mostEstimated }
    let read = 0
    let after: string | undefined
    do {
      const query = { collection, limit: stretch, ...given({ after }) }
      const { pages, next } = await store.listPages(query)
      for (const page of pages) {
        const now = clock.now()
        sums.add(page, await this.#periods.inPassing(page, { plannerFor, allowance }))
        this.#addCopy(page, sums, now)
        if (fixedGap !== null && read++ % every === 0)
          this.#compare(page, sums, { now, gap: fixedGap })
      }
      after = next ?? undefined
      await setImmediate()
    } while (after !== undefined)
    return this.#overTheDay(sums.forecast(clock.now()))
  }

  #overTheDay(made: Forecast): Forecast {
    if (made.predicted === null) return made
    return { ...made, predicted: this.#mean.with(made.predicted, made.at) }
  }

  #addCopy(page: PageRecord, sums: ForecastSums, now: UnixSeconds): void {
    const { controller } = this.#parts
    if (controller === undefined) return
    const stale = staleByNow(page, { planners: controller.planners, now })
    if (stale !== null) sums.addCopy(page, stale)
  }

  #compare(page: PageRecord, sums: ForecastSums, by: { now: UnixSeconds; gap: Seconds }): void {
    const { controller } = this.#parts
    if (controller === undefined) return
    const share = freshWithFixedGap(page, { planners: controller.planners, ...by })
    if (share !== null) sums.addFixed(page, share)
  }
}

/** The gap that shares the visits out evenly; null where there is nothing to share. */
function sharedGap({ pages, visitsPerDay }: Spent): Seconds | null {
  return pages > 0 && visitsPerDay > 0 ? (pages / visitsPerDay) * DAY : null
}
