import { OptionError } from '../../model/errors.js'
import { DAY, HOUR } from '../../model/units.js'
import { finished, type Sliced } from '../sliced.js'
import {
  calledBy,
  freshAtGap,
  gapAtPrice,
  type PlanPage,
  timeBetween,
} from '../value/planned-page.js'
import { objectiveOf, overTheWeek, pricesBeside } from './price-for-budget.js'

/** What a budget is predicted to bring. */
export interface PlanPoint {
  readonly requestsPerDay: number
  /** Requests a page and day. */
  readonly perPage: number
  /** Share of the time in which copies are fresh, weighted by importance. */
  readonly freshness: number
  /** What a request costs then, in seconds of freshness. */
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

export interface PlannerOptions {
  /** Pages of the collection, where those given are an even sample of them. */
  readonly of?: number
  /** Requests a day that a budget comes to, where guarantees to pages go beyond it; itself by default. */
  readonly spentAt?: (requestsPerDay: number) => number
}

/** Prices tried: 6 hours of freshness, and by fours to both sides. */
const prices = Array.from({ length: 11 }, (_, i) => 6 * HOUR * 4 ** (5 - i))

/**
 * The curve from requests to freshness as far as the pages given tell: each
 * price of a request gives each page a gap by its posterior, which also
 * predicts how fresh that gap leaves the copy, on the mean of a week. What a
 * first visit would teach is not counted. O(pages x prices), about 40
 * microseconds each: give a sample of some thousand pages, and say of how
 * many. The curve is worked out once for all budgets. All work yields
 * after each page, so that a server can do other things in between: 40
 * microseconds, or some milliseconds where a clock meets a new price.
 */
export class BudgetPlanner {
  readonly #pages: readonly PlanPage[]
  readonly #of: number
  readonly #spentAt: (requestsPerDay: number) => number
  #curve: readonly PlanPoint[] | undefined

  constructor(pages: readonly PlanPage[], options: PlannerOptions = {}) {
    const { of = pages.length } = options
    if (pages.length === 0)
      throw new OptionError('no-pages', 'there is nothing to plan for: no page was given')
    this.#pages = overTheWeek(pages)
    this.#of = of
    this.#spentAt = options.spentAt ?? ((requestsPerDay) => requestsPerDay)
  }

  /** From few requests to many. */
  *curve(): Sliced<readonly PlanPoint[]> {
    if (this.#curve === undefined) {
      const points: PlanPoint[] = []
      for (const price of prices) points.push(yield* this.at(price))
      this.#curve = distinct(points)
    }
    return this.#curve
  }

  *plan(requestsPerDay: number): Sliced<BudgetPlan> {
    if (!(requestsPerDay > 0 && requestsPerDay < Infinity))
      throw new OptionError(
        'bad-budget',
        `a budget is requests a day above 0; got ${requestsPerDay}`,
      )
    const curve = yield* this.curve()
    const now = yield* this.#near(this.#spentAt(requestsPerDay))
    return {
      pages: this.#of,
      sampled: this.#pages.length,
      now,
      fewer: yield* this.#near(this.#spentAt(0.8 * requestsPerDay)),
      more: yield* this.#near(this.#spentAt(1.2 * requestsPerDay)),
      curve,
      hosts: yield* this.hosts(now.price),
    }
  }

  /** What comes of a price of a request, in seconds of freshness; for other objectives see `pricesBeside`. */
  *at(price: number): Sliced<PlanPoint> {
    const sums = new Sums()
    yield* this.#eachPage(price, (page, gap) => sums.add(page, gap))
    return { ...sums.result(this.#of / this.#pages.length), price }
  }

  /** What hosts get at a price, by requests, most first. */
  *hosts(price: number): Sliced<readonly HostPlan[]> {
    const byHost = new Map<string, Sums>()
    yield* this.#eachPage(price, (page, gap) => {
      const sums = byHost.get(page.host) ?? new Sums()
      byHost.set(page.host, sums)
      sums.add(page, gap)
    })
    const scale = this.#of / this.#pages.length
    const plans = [...byHost].map(([host, sums]) => {
      const { requestsPerDay, freshness } = sums.result(scale)
      return { host, pages: Math.round(sums.pages * scale), requestsPerDay, freshness }
    })
    return plans.sort((a, b) => b.requestsPerDay - a.requestsPerDay || (a.host < b.host ? -1 : 1))
  }

  *#eachPage(price: number, take: (page: PlanPage, gap: number) => void): Sliced<void> {
    const prices = pricesBeside(this.#pages, price)
    for (const page of this.#pages) {
      const objective = objectiveOf(page)
      take(page, gapAtPrice(page, { price: prices[objective]!, objective }))
      yield
    }
  }

  /** The point for a number of requests: between the points beside it, in logarithms, then four times nearer. */
  *#near(wanted: number): Sliced<PlanPoint> {
    const curve = yield* this.curve()
    const above = curve.findIndex((point) => point.requestsPerDay > wanted)
    if (above === 0) return curve[0]!
    if (above < 0) return curve.at(-1)!
    let [less, more] = [curve[above - 1]!, curve[above]!]
    for (let round = 0; round < 4 && less.requestsPerDay < wanted; round++) {
      const point = yield* this.at(priceBetween(less, more, wanted))
      if (point.requestsPerDay <= wanted) less = point
      else more = point
    }
    const nearer = Math.abs(Math.log(less.requestsPerDay / wanted))
    return nearer <= Math.abs(Math.log(more.requestsPerDay / wanted)) ? less : more
  }
}

/** Visits and freshness of some pages. */
class Sums {
  pages = 0
  #visits = 0
  #fresh = 0
  #weight = 0

  add(page: PlanPage, gap: number): void {
    const { importance } = page
    this.pages++
    this.#visits += DAY / timeBetween(page, gap)
    this.#fresh += importance * freshAtGap({ ...page, listed: calledBy(page, gap) }, gap)
    this.#weight += importance
  }

  /** Where each page stands for so many of the collection. */
  result(scale: number): Omit<PlanPoint, 'price'> {
    const perPage = this.#visits / this.pages
    const freshness = this.#weight > 0 ? this.#fresh / this.#weight : 0
    return { requestsPerDay: this.#visits * scale, perPage, freshness }
  }
}

/** Where limits hold all gaps, another price changes nothing. */
function distinct(points: readonly PlanPoint[]): PlanPoint[] {
  return points.filter(
    (point, i) => i === 0 || point.requestsPerDay > 1.001 * points[i - 1]!.requestsPerDay,
  )
}

function priceBetween(less: PlanPoint, more: PlanPoint, wanted: number): number {
  const span = Math.log(more.requestsPerDay / less.requestsPerDay)
  const share = span > 0 ? Math.log(wanted / less.requestsPerDay) / span : 0.5
  return less.price * (more.price / less.price) ** share
}

export interface PlanOptions extends PlannerOptions {
  /** The budget of the whole collection. */
  readonly requestsPerDay: number
}

/** The whole plan at once, for who need not do anything else meanwhile; see `BudgetPlanner`. */
export function budgetPlan(
  pages: readonly PlanPage[],
  { requestsPerDay, ...options }: PlanOptions,
): BudgetPlan {
  return finished(new BudgetPlanner(pages, options).plan(requestsPerDay))
}
