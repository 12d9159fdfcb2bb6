import { type Objective, objectives, usualPrices } from '../auto/objective.js'
import { importanceStep, type PlanPage } from './plan-page.js'
import { overTheWeek, priceForBudget, visitsAtPrice } from './price-for-budget.js'

/** What a request costs, each in its objective's unit; left out where no page has the objective. */
export type Prices = Readonly<Partial<Record<Objective, number>>>

/** Pages that a price is searched on, where it is searched many times. */
const few = 100

/**
 * Seconds of freshness, seconds of waiting and chances cannot be added up, so
 * a collection with several objectives has a price for each. Every objective
 * gets the same share of the budget for each of its pages, whatever the pages
 * are like: choosing one for a page takes nothing from pages that have another.
 * A page counts as importance raises visits at one price: by its square root.
 */
export function pricesForBudget(
  pages: readonly PlanPage[],
  about: { readonly perPage: number; readonly from?: Prices; readonly rounds?: number },
): Prices {
  const { perPage, from = {}, ...search } = about
  const mean = meanWeight(pages)
  const prices: Partial<Record<Objective, number>> = {}
  for (const objective of objectives) {
    const own = pages.filter((page) => objectiveOf(page) === objective)
    if (own.length === 0) continue
    const visitsPerDay = (perPage * own.length * meanWeight(own)) / mean
    const start = from[objective] ?? usualPrices[objective]
    prices[objective] = priceForBudget(own, { ...search, visitsPerDay, objective, from: start })
  }
  return prices
}

/**
 * The prices of all objectives where a request costs so many seconds of
 * freshness: those at which their pages have the same share of visits as pages
 * that are visited for freshness, or would have if all were.
 */
export function pricesBeside(pages: readonly PlanPage[], price: number): Prices {
  const others = pages.filter((page) => objectiveOf(page) !== 'freshness')
  if (others.length === 0) return { freshness: price }
  const fresh = pages.filter((page) => objectiveOf(page) === 'freshness')
  const asked = fewOf(fresh.length > 0 ? fresh : pages)
  const visits = visitsAtPrice(overTheWeek(asked), { price, objective: 'freshness' })
  const perWeight = visits / (asked.length * meanWeight(asked))
  const prices: Partial<Record<Objective, number>> = { freshness: price }
  for (const objective of objectives) {
    const own = fewOf(others.filter((page) => objectiveOf(page) === objective))
    if (own.length === 0) continue
    const visitsPerDay = perWeight * own.length * meanWeight(own)
    const start = objective === 'delay' ? price : usualPrices[objective]
    prices[objective] = priceForBudget(overTheWeek(own), { visitsPerDay, objective, from: start })
  }
  return prices
}

/** Visits a day of these pages, each at its objective's price. */
export function visitsAtPrices(pages: readonly PlanPage[], prices: Prices): number {
  return objectives.reduce((sum, objective) => {
    const own = pages.filter((page) => objectiveOf(page) === objective)
    const price = prices[objective] ?? usualPrices[objective]
    return sum + visitsAtPrice(own, { price, objective })
  }, 0)
}

/** What a page is visited for. */
export function objectiveOf({ objective = 'freshness' }: PlanPage): Objective {
  return objective
}

function fewOf(pages: readonly PlanPage[]): readonly PlanPage[] {
  const stride = Math.max(1, Math.ceil(pages.length / few))
  return pages.filter((_, i) => i % stride === 0)
}

function meanWeight(pages: readonly PlanPage[]): number {
  const weights = pages.map(({ importance, ownGap }) =>
    ownGap === null ? Math.sqrt(importanceStep(importance)) : 1,
  )
  return weights.reduce((sum, each) => sum + each, 0) / Math.max(1, pages.length)
}
