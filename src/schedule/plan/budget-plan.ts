import { OptionError } from '../../model/index.js'
import type { Objective } from '../auto/objective.js'
import { freshShare } from './fresh-share.js'
import { gapAtPrice, type PlanPage } from './plan-page.js'
import { overTheWeek } from './price-for-budget.js'

/** What a budget is foretold to bring. */
export interface PlanPoint {
  readonly requestsPerDay: number
  /** Requests a page and day. */
  readonly perPage: number
  /** Share of the time in which copies are fresh, weighted by importance. */
  readonly freshness: number
  /** What a request costs then, in the objective's unit. */
  readonly price: number
}

/** What one host gets of the budget. */
export interface HostPlan {
  readonly host: string
  readonly pages: number
  readonly requestsPerDay: number
  readonly freshness: number
}

export interface BudgetPlan {
  /** Pages of the collection, and how many of them the plan was worked out on. */
  readonly pages: number
  readonly sampled: number
  /** At the budget, and with a fifth fewer or more requests. */
  readonly now: PlanPoint
  readonly fewer: PlanPoint
  readonly more: PlanPoint
  /** From few requests to many. */
  readonly curve: readonly PlanPoint[]
  /** By requests, most first. */
  readonly hosts: readonly HostPlan[]
}

export interface PlanOptions {
  /** The budget of the whole collection. */
  readonly requestsPerDay: number
  /** Pages of the collection, where those given are an even sample of them. */
  readonly of?: number
  readonly objective?: Objective
}

const DAY = 86_400
/** Prices tried: 6 hours of freshness, and by fours to both sides. */
const prices = Array.from({ length: 11 }, (_, i) => 21_600 * 4 ** (5 - i))

/**
 * The curve from requests to freshness as far as the pages given tell: each
 * price of a request gives each page a gap by what is believed of it now, and
 * the belief foretells how fresh that gap leaves the copy, on the mean of a
 * week. Laws still to be
 * learned are no surer than they are believed; what a first visit would teach
 * is not counted. O(pages x prices), about 40 microseconds each: give a sample
 * of some thousand pages, and say of how many.
 */
export function budgetPlan(pages: readonly PlanPage[], options: PlanOptions): BudgetPlan {
  const { requestsPerDay, of = pages.length, objective = 'freshness' } = options
  if (!(requestsPerDay > 0 && requestsPerDay < Infinity))
    throw new OptionError('bad-budget', `a budget is requests a day above 0; got ${requestsPerDay}`)
  if (pages.length === 0)
    throw new OptionError('no-pages', 'there is nothing to plan for: no page was given')
  const spread = overTheWeek(pages)
  const at = (price: number) => pointAt(spread, { price, objective, of })
  const curve = distinct(prices.map(at))
  const near = (wanted: number) => refined(curve, { wanted, at })
  const now = near(requestsPerDay)
  return {
    pages: of,
    sampled: pages.length,
    now,
    fewer: near(0.8 * requestsPerDay),
    more: near(1.2 * requestsPerDay),
    curve,
    hosts: hostsAt(spread, { price: now.price, objective, of }),
  }
}

interface Priced {
  readonly price: number
  readonly objective: Objective
  readonly of: number
}

function pointAt(pages: readonly PlanPage[], { price, objective, of }: Priced): PlanPoint {
  let [visits, fresh, weight] = [0, 0, 0]
  for (const page of pages) {
    const gap = gapAtPrice(page, { price, objective })
    visits += DAY / gap
    fresh += page.importance * freshShare(page.belief, { at: page.at, gap, clock: page.clock })
    weight += page.importance
  }
  const perPage = visits / pages.length
  const freshness = weight > 0 ? fresh / weight : 0
  return { requestsPerDay: perPage * of, perPage, freshness, price }
}

/** Where limits hold all gaps, another price changes nothing. */
function distinct(points: readonly PlanPoint[]): PlanPoint[] {
  return points.filter(
    (point, i) => i === 0 || point.requestsPerDay > 1.001 * points[i - 1]!.requestsPerDay,
  )
}

/** The price for a number of requests: between the points beside it, in logarithms, then four times nearer. */
function refined(
  curve: readonly PlanPoint[],
  { wanted, at }: { wanted: number; at: (price: number) => PlanPoint },
): PlanPoint {
  let [less, more] = [curve[0]!, curve.at(-1)!]
  for (const point of curve) {
    if (point.requestsPerDay <= wanted) less = point
    else {
      more = point
      break
    }
  }
  if (wanted <= less.requestsPerDay) return less
  if (wanted >= more.requestsPerDay) return more
  for (let round = 0; round < 4; round++) {
    const point = at(priceBetween(less, more, wanted))
    if (point.requestsPerDay <= wanted) less = point
    else more = point
  }
  const nearer = Math.abs(Math.log(less.requestsPerDay / wanted))
  return nearer <= Math.abs(Math.log(more.requestsPerDay / wanted)) ? less : more
}

function priceBetween(less: PlanPoint, more: PlanPoint, wanted: number): number {
  const span = Math.log(more.requestsPerDay / less.requestsPerDay)
  const share = span > 0 ? Math.log(wanted / less.requestsPerDay) / span : 0.5
  return less.price * (more.price / less.price) ** share
}

function hostsAt(pages: readonly PlanPage[], priced: Priced): HostPlan[] {
  const byHost = new Map<string, PlanPage[]>()
  for (const page of pages) {
    const own = byHost.get(page.host) ?? []
    byHost.set(page.host, own)
    own.push(page)
  }
  const scale = priced.of / pages.length
  const plans = [...byHost].map(([host, own]) => {
    const { perPage, freshness } = pointAt(own, priced)
    const count = own.length * scale
    return { host, pages: Math.round(count), requestsPerDay: perPage * count, freshness }
  })
  return plans.sort((a, b) => b.requestsPerDay - a.requestsPerDay || (a.host < b.host ? -1 : 1))
}
