import { setImmediate } from 'node:timers/promises'
import { staleByNow } from '../../engine/index.js'
import type { PageRecord } from '../../model/index.js'
import type { ServiceParts } from '../service-parts.js'
import { DayMean } from './day-mean.js'
import { type Forecast, ForecastSums } from './forecast.js'

/** Pages read before others get their turn. */
const stretch = 500
/** Real milliseconds a forecast is good for at least, and how many times its own cost. */
const goodFor = 5000
const costFactor = 20

/** The newest forecast; made again in the background when asked for and out of date. */
export class Forecaster {
  readonly #parts: ServiceParts
  #newest: Forecast | null = null
  #nextAt = 0
  readonly #mean = new DayMean()
  #making: Promise<void> | undefined

  constructor(parts: ServiceParts) {
    this.#parts = parts
  }

  /** Waits for the first one only as long as it takes to read a few pages. */
  async newest(): Promise<Forecast | null> {
    if (performance.now() >= this.#nextAt && this.#making === undefined)
      this.#making = this.#make().finally(() => {
        this.#making = undefined
      })
    if (this.#newest === null && this.#making !== undefined)
      await Promise.race([this.#making, new Promise((resolve) => setTimeout(resolve, 150))])
    return this.#newest
  }

  async #make(): Promise<void> {
    const began = performance.now()
    const { store, collection, clock } = this.#parts
    const sums = new ForecastSums()
    let after: string | undefined
    do {
      const query = { collection, limit: stretch, ...(after === undefined ? {} : { after }) }
      const { pages, next } = await store.listPages(query)
      for (const page of pages) this.#add(page, sums)
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

  #add(page: PageRecord, sums: ForecastSums): void {
    const { steward, clock } = this.#parts
    sums.add(page, this.#parts)
    if (steward === undefined) return
    const stale = staleByNow(page, { minds: steward.minds, now: clock.now() })
    if (stale !== null) sums.addCopy(page, stale)
  }
}
