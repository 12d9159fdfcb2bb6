import { DAY, type Json, type UnixSeconds } from '../../model/units.js'
import type { CollectionStatistics } from '../collection/statistics.js'
import { isObjective, type Objective, usualPrices } from '../value/objective.js'
import { type PlanPage, timeBetween } from '../value/planned-page.js'
import {
  overTheWeek,
  type Prices,
  priceForBudget,
  pricesForBudget,
  visitsAtPrices,
} from './price-for-budget.js'

/** All that keeping a budget remembers between two scans: stored with the collection. */
export interface Ledger {
  /** What a request costs, in seconds of freshness. */
  readonly price: number
  /** The same for pages with other objectives, where there are any; see `pricesForBudget`. */
  readonly prices?: Prices
  /** When it was set, and when this budget began. */
  readonly at: UnixSeconds
  readonly began: UnixSeconds
  /** The budget and the number of pages it was set for. */
  readonly requestsPerDay: number
  readonly pages: number
  /** Visits allowed since it began, and those made before. */
  readonly allowed: number
  readonly spentBefore: number
  /** Visits that running gaps come to over those that the sample asks for. */
  readonly correction: number
}

/** How a collection stands when the price is set anew. */
export interface Spending {
  readonly statistics: Pick<
    CollectionStatistics,
    'pages' | 'free' | 'guaranteed' | 'reserved' | 'planned' | 'spent'
  >
  readonly requestsPerDay: number
  readonly now: UnixSeconds
  /** An even sample of the pages that follow the default. */
  readonly sample: readonly PlanPage[]
}

/** Nothing more than so many days' requests are owed or forgiven, or one request a page: a crawler that was off does not rush. */
const mostOwed = 10
/**
 * What was spent too much or too little is made good over the time of six
 * visits to a page, between a week and a month: visits answer to the price
 * only as they come, and a price that is quicker than they are swings.
 */
const [shortestSettling, longestSettling, settlingVisits] = [7, 30, 6]
/** From the third day on the price moves no faster a day, the more slowly it settles. */
const moveAWeek = 0.6
const youth = 2 * DAY
/** Guaranteed visits leave the other pages at least this share of what would be theirs without guarantees. */
const leastLeft = 0.5

/** How a day's requests are shared out. */
export interface Shares {
  /** Requests a day that guarantees ask for: a page's own longest gap, or a policy of its own. */
  readonly reserved: number
  /** Requests a day left to all other visits. */
  readonly rest: number
  /** Requests a day in all: the budget, or more where guarantees ask for more. */
  readonly total: number
}

/**
 * Guarantees are kept first, and the rest of the budget is planned. A guarantee to
 * one page never starves another: where less than half of what would be theirs
 * is left to the pages without guarantees, they get that half, and the budget is
 * exceeded as far as the guarantees require.
 */
export function sharesOf(
  requestsPerDay: number,
  {
    reserved,
    free,
    pages,
    guaranteed,
  }: Pick<CollectionStatistics, 'reserved' | 'free' | 'pages' | 'guaranteed'>,
): Shares {
  const asked = reserved * DAY
  const all = Math.max(1, free + guaranteed)
  const least = pages === 0 ? 0 : (leastLeft * requestsPerDay * free) / all
  const rest = Math.max(least, requestsPerDay - asked)
  return { reserved: asked, rest, total: asked + rest }
}

/**
 * The budget controller of crawler, replay, demo and lab: the price of a
 * request from now on. It is the one at which a sample of the pages as they
 * stand, with their limits and importance, asks for what guarantees leave of the
 * budget on the mean of a week, with what is owed from before. Pure: numbers
 * in, numbers out.
 */
export function nextLedger(before: Ledger | null, spending: Spending): Ledger {
  const { statistics, requestsPerDay, now } = spending
  const shares = sharesOf(requestsPerDay, statistics)
  const fresh = before === null || isMoved(before, spending)
  const began = fresh ? now : before.began
  const spentBefore = fresh ? statistics.spent : before.spentBefore
  const passed = fresh ? 0 : Math.min(2 * DAY, Math.max(0, now - before.at))
  const most = Math.max(mostOwed, 1 / perPage(spending)) * shares.total
  const spent = statistics.spent - spentBefore
  const earned = (fresh ? 0 : before.allowed) + (shares.total * passed) / DAY
  const allowed = Math.min(spent + most, Math.max(spent - most, earned))
  const correction = fresh ? 1 : corrected(before, spending)
  const owed = allowed - spent
  const young = before === null || now - began < youth
  const found = pricesNow(spending, { shares, owed, correction, before, young })
  const mostMove = (1 + moveAWeek / (movingDays(spending, now - began) - 1)) ** (passed / DAY)
  const moved = (last: number, to: number) =>
    last * Math.min(mostMove, Math.max(1 / mostMove, to / last))
  const price = young ? found.price : moved(before.price, found.price)
  const prices = Object.entries(found.prices).map(([name, each]) => {
    const last = before?.prices?.[name as Objective]
    return [name, young || last === undefined ? each : moved(last, each)] as const
  })
  const { pages } = statistics
  return {
    price,
    ...(prices.length === 0 ? {} : { prices: Object.fromEntries(prices) }),
    ...{ at: now, began, requestsPerDay, pages, allowed, spentBefore, correction },
  }
}

/**
 * How much of the difference between running gaps and what the sample asks for
 * is taken over a day: at most, and for each visit a page and day. Where visits
 * are rare, running gaps are of older prices.
 */
const [mostTrust, trustPerVisit] = [0.1, 0.5]

/**
 * Pages come at the right hours of the week and not evenly over it, and a
 * sample may lack the few that are visited most: what running gaps come to is
 * held against what the sample asks for at the same price.
 */
function corrected(before: Ledger, spending: Spending): number {
  const { statistics, sample } = spending
  const { correction } = before
  const seen = sample.filter(({ running }) => running != null)
  if (seen.length === 0 || !(statistics.planned > 0)) return correction
  const asked = visitsAtPrices(overTheWeek(seen), { ...before.prices, freshness: before.price })
  const running = DAY * statistics.planned * callsOfLists(seen)
  const planned = (running * sample.length) / Math.max(1, statistics.pages)
  if (!(asked > 0)) return correction
  const trust = Math.min(mostTrust, trustPerVisit * perPage(spending))
  const next = correction * (planned / (asked * correction)) ** trust
  return Math.min(4, Math.max(0.25, next))
}

/** How many times as many visits come as running gaps say, since lists call for some before their time. */
function callsOfLists(pages: readonly PlanPage[]): number {
  let [called, alone] = [0, 0]
  for (const page of pages) {
    alone += 1 / page.running!
    called += 1 / timeBetween(page, page.running!)
  }
  return alone > 0 ? called / alone : 1
}

function isMoved(before: Ledger, { statistics, requestsPerDay }: Spending): boolean {
  return (
    isApart(before.requestsPerDay, requestsPerDay) ||
    isApart(before.pages, Math.max(1, statistics.pages))
  )
}

/** Whether two budgets, or two numbers of pages, are not to be taken for the same. */
export function isApart(one: number, other: number): boolean {
  return !(one / other < 1.25 && other / one < 1.25)
}

/** Requests a page and day. */
function perPage({ requestsPerDay, statistics }: Spending): number {
  return requestsPerDay / Math.max(1, statistics.pages)
}

function settlingDays(spending: Spending): number {
  return Math.min(longestSettling, Math.max(shortestSettling, settlingVisits / perPage(spending)))
}

/** A new budget finds its price sooner: by the time of one visit to a page at first, by half of its age later on. */
function movingDays(spending: Spending, age: number): number {
  const soonest = Math.max(shortestSettling, 1 / perPage(spending), age / DAY / 2)
  return Math.min(settlingDays(spending), soonest)
}

/** Where no page is visited for freshness, its price is the one that there would be if all were. */
function pricesNow(
  spending: Spending,
  about: {
    shares: Shares
    owed: number
    correction: number
    before: Ledger | null
    young: boolean
  },
): { price: number; prices: Prices } {
  const { statistics, sample } = spending
  const { shares, owed, correction, before, young } = about
  const from = before?.price ?? usualPrices.freshness
  if (sample.length === 0) return { price: from, prices: before?.prices ?? {} }
  const { rest } = shares
  const settling = settlingDays(spending)
  const wanted = Math.min(2 * rest, Math.max(0.5 * rest, rest + owed / settling))
  const visitsPerDay = (wanted * sample.length) / Math.max(1, statistics.pages) / correction
  const pages = overTheWeek(sample)
  // Later on the price moves by a few percent a day at most: what is asked at the last one is enough.
  const search = young ? {} : { rounds: 1 }
  const last = { delay: from, ...before?.prices, freshness: from }
  const { freshness, ...prices } = pricesForBudget(pages, {
    perPage: visitsPerDay / sample.length,
    from: last,
    ...search,
  })
  const alike = () =>
    priceForBudget(pages, { visitsPerDay, objective: 'freshness', from, ...search })
  return { price: freshness ?? alike(), prices }
}

/** What a request costs pages with an objective; of one that no scan has met yet, what is usual. */
export function priceIn(ledger: Ledger | null, objective: Objective): number {
  if (ledger === null) return usualPrices[objective]
  // Waiting and staleness are the same thing while a gap holds one change at most.
  const none = objective === 'changes-caught' ? usualPrices[objective] : ledger.price
  return objective === 'freshness' ? ledger.price : (ledger.prices?.[objective] ?? none)
}

const fields = [
  'price',
  'at',
  'began',
  'requestsPerDay',
  'pages',
  'allowed',
  'spentBefore',
] as const

/** Reads what was stored; null where it is none of ours: it is then worked out anew. */
export function ledgerFrom(stored: Json | undefined): Ledger | null {
  if (stored === null || typeof stored !== 'object') return null
  const value = stored as unknown as Ledger
  const whole = fields.every((name) => Number.isFinite(value[name]))
  if (!whole || !(value.price > 0)) return null
  const { prices = {}, ...rest } = value
  const readable = Object.entries(prices).filter(([name, each]) => isObjective(name) && each > 0)
  return {
    ...rest,
    ...(readable.length === 0 ? {} : { prices: Object.fromEntries(readable) }),
    // Ledgers of before have none.
    correction: value.correction > 0 ? value.correction : 1,
  }
}
