import { DAY, WEEK } from '../../model/units.js'
import { type Objective, objectives, priceRanges, usualPrices } from '../value/objective.js'
import { gapAtPrice, importanceStep, type PlanPage, timeBetween } from '../value/planned-page.js'

const mostRounds = 9
/** Near enough: gaps are whole hours. */
const near = 0.01
/** How visits answer to the price where nothing better is known: as its inverse square root. */
const usualSlope = -0.5
/** The same where one round has to do: half of the way, so that the price does not swing from day to day. */
const dampedSlope = -1

export interface BudgetSearch {
  readonly visitsPerDay: number
  readonly objective: Objective
  /** Where to start: the price so far, if there is one. */
  readonly from?: number
  /** One is enough where the price moves little from that so far: the next is reckoned from it. */
  readonly rounds?: number
}

/** Visits a day of these pages beyond what is guaranteed to them, when a request has this price. */
export function visitsAtPrice(
  pages: readonly PlanPage[],
  { price, objective }: { readonly price: number; readonly objective: Objective },
): number {
  const problem = { price, objective }
  return pages.reduce((sum, page) => {
    const visits = DAY / timeBetween(page, gapAtPrice(page, problem))
    return sum + Math.max(0, visits - (page.guaranteed == null ? 0 : DAY / page.guaranteed))
  }, 0)
}

/**
 * The price at which these pages, with their limits, importance and own
 * policies, ask for so many visits a day together. Secants on logarithms, kept
 * within what is known; some four rounds of 40 microseconds a page. Where pages
 * are alike, visits jump at a price and no price brings the budget: the nearest
 * that was tried is given.
 */
export function priceForBudget(pages: readonly PlanPage[], search: BudgetSearch): number {
  const { visitsPerDay, objective, from = usualPrices[objective], rounds = mostRounds } = search
  let [low, high] = priceRanges[objective].map(Math.log) as [number, number]
  const firstSlope = rounds === 1 ? dampedSlope : usualSlope
  let at = Math.log(from)
  let before: { at: number; excess: number } | null = null
  let best = { at, off: Infinity }
  for (let round = 0; round < rounds; round++) {
    const asked = visitsAtPrice(pages, { price: Math.exp(at), objective })
    const excess = Math.log(asked / visitsPerDay)
    if (Math.abs(excess) < best.off) best = { at, off: Math.abs(excess) }
    if (best.off < near) break
    if (excess > 0) low = at
    else high = at
    const slope = before === null ? firstSlope : (excess - before.excess) / (at - before.at)
    before = { at, excess }
    const next = at - excess / Math.min(-0.05, Math.max(-3, slope))
    at = next > low && next < high ? next : (low + high) / 2
  }
  return Math.exp(rounds === 1 && best.off >= near ? at : best.at)
}

const golden = 0.6180339887498949

/**
 * The pages as if each had last been seen at another hour of the week, evenly:
 * what they then ask for is the mean of a week, whatever the hour is now.
 */
export function overTheWeek(pages: readonly PlanPage[]): PlanPage[] {
  return pages.map((page, i) => ({ ...page, at: page.at + ((i * golden) % 1) * WEEK }))
}

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
