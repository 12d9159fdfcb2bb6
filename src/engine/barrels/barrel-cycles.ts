import type { PageRecord, Validators } from '../../model/index.js'
import { barrelPolicy } from '../../schedule/barrels.js'
import { BudgetRest } from '../budget-rest.js'
import { Cycle } from '../cycle.js'
import type { CycleParts } from '../cycle-parts.js'
import type { CycleSettings, RunOptions } from '../cycle-settings.js'
import { BarrelDesk, barrelNames } from './barrel-desk.js'

/**
 * The paper's crawler, live: pages in barrels by the change that they declare,
 * one crawler for each barrel, each page asked for with If-Modified-Since, the
 * declared change kept in the store and read anew from each page.
 *
 * Hattab, Figure 4.
 */
export class BarrelCycles {
  readonly #desk: BarrelDesk
  readonly #cycles: readonly Cycle[]

  constructor(parts: CycleParts, settings: CycleSettings) {
    const mind = { policy: barrelPolicy(), learner: null }
    const each = { ...parts, mindFor: () => mind, validatorsFor: sinceLastCrawl }
    const concurrency = Math.ceil((settings.concurrency ?? 16) / barrelNames.length)
    this.#desk = new BarrelDesk(parts.store)
    // What one learns of the budget holds for all: pages are due still that none of them may visit.
    const budgetRest = new BudgetRest(parts.clock)
    this.#cycles = barrelNames.map((name) => {
      const own = { ...each, store: this.#desk.storeOf(name) }
      return new Cycle(own, { ...settings, concurrency }, budgetRest)
    })
  }

  /** How many visits are under way, of all barrels. */
  get underWay(): number {
    return this.#cycles.reduce((sum, { underWay }) => sum + underWay, 0)
  }

  /** Runs all crawlers; if one breaks down, the others finish what is under way. */
  async run(options: RunOptions = {}): Promise<void> {
    const stop = new AbortController()
    const signals = [stop.signal, ...(options.signal === undefined ? [] : [options.signal])]
    const signal = AbortSignal.any(signals)
    const runs = this.#cycles.map((cycle) =>
      cycle.run({ ...options, signal }).catch((error: unknown) => {
        stop.abort()
        throw error
      }),
    )
    const ended = await Promise.allSettled(runs)
    await this.#desk.release()
    for (const each of ended) if (each.status === 'rejected') throw each.reason
  }
}

/**
 * What to ask with: the server's own marks, and where it gave no date the time
 * of our last visit, as the paper's `If-modified-since (last-crawl-date)`.
 */
export function sinceLastCrawl({ validators, lastSeen }: PageRecord): Validators {
  if (validators.lastModified !== undefined || lastSeen === null) return validators
  return { ...validators, lastModified: new Date(Math.floor(lastSeen) * 1000).toUTCString() }
}
