import { setImmediate } from 'node:timers/promises'
import { freshWithFixedGap, staleByNow } from '../../engine/index.js'
import { DAY, type PageRecord, type Seconds, type UnixSeconds } from '../../model/index.js'
import type { ServiceParts } from '../service-parts.js'
import { ToldPeriods } from '../told-periods.js'
import { DayMean } from './day-mean.js'
import { type Forecast, ForecastSums } from './forecast.js'

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
export interface Spent {
  readonly pages: number
  readonly visitsPerDay: number
}

/** The newest forecast; made again in the background when asked for and out of date. */
export class Forecaster {
  readonly #parts: ServiceParts
  readonly #periods: ToldPeriods
  #newest: Forecast | null = null
  #nextAt = 0
  readonly #mean = new DayMean()
  #making: Promise<void> | undefined

  constructor(parts: ServiceParts) {
    this.#parts = parts
    this.#periods = ToldPeriods.of(parts.store)
  }

  /** Waits for the first one only as long as it takes to read a few pages. */
  async newest(spent: Spent): Promise<Forecast | null> {
    if (performance.now() >= this.#nextAt && this.#making === undefined)
      this.#making = this.#make(spent).finally(() => {
        this.#making = undefined
      })
    if (this.#newest === null && this.#making !== undefined)
      await Promise.race([this.#making, new Promise((resolve) => setTimeout(resolve, 150))])
    return this.#newest
  }

  async #make(spent: Spent): Promise<void> {
    const began = performance.now()
    const { store, collection, clock, mindFor } = this.#parts
    const fixedGap = sharedGap(spent)
    const sums = new ForecastSums({ fixedGap })
    const every = Math.ceil(spent.pages / mostCompared)
    const allowance = { left: mostEstimated }
    let read = 0
    let after: string | undefined
    do {
      const query = { collection, limit: stretch, ...(after === undefined ? {} : { after }) }
      const { pages, next } = await store.listPages(query)
      for (const page of pages) {
        const now = clock.now()
        sums.add(page, await this.#periods.inPassing(page, { mindFor, allowance }))
        this.#addCopy(page, sums, now)
        if (fixedGap !== null && read++ % every === 0)
          this.#compare(page, sums, { now, gap: fixedGap })
      }
      after = next ?? undefined
      await setImmediate()
    } while (after !== undefined)
    this.#newest = this.#overTheDay(sums.forecast(clock.now()))
    const cost = performance.now() - began
    this.#nextAt = performance.now() + Math.max(goodFor, costFactor * cost)
  }

  #overTheDay(made: Forecast): Forecast {
    if (made.foretold === null) return made
    return { ...made, foretold: this.#mean.with(made.foretold, made.at) }
  }

  #addCopy(page: PageRecord, sums: ForecastSums, now: UnixSeconds): void {
    const { steward } = this.#parts
    if (steward === undefined) return
    const stale = staleByNow(page, { minds: steward.minds, now })
    if (stale !== null) sums.addCopy(page, stale)
  }

  #compare(page: PageRecord, sums: ForecastSums, by: { now: UnixSeconds; gap: Seconds }): void {
    const { steward } = this.#parts
    if (steward === undefined) return
    const share = freshWithFixedGap(page, { minds: steward.minds, ...by })
    if (share !== null) sums.addFixed(page, share)
  }
}

/** The gap that shares the visits out evenly; null where there is nothing to share. */
function sharedGap({ pages, visitsPerDay }: Spent): Seconds | null {
  return pages > 0 && visitsPerDay > 0 ? (pages / visitsPerDay) * DAY : null
}
