/** GET and PUT /api/budget: what may be spent, what it and other budgets buy, and changing it while the collection runs. */

import { setImmediate } from 'node:timers/promises'
import { Type } from 'typebox'
import { shown } from '../../formats/printable-text.js'
import type { Clock } from '../../model/units.js'
import { BudgetPlanner, type HostPlan, type PlanPoint } from '../../planner/budget/budget-plan.js'
import { guaranteeWarning, sharesWith } from '../../planner/budget/guarantees.js'
import type { PlanSample } from '../../planner/budget/plan-sample.js'
import { requestsOf } from '../../planner/collection/budget.js'
import type { CollectionController } from '../../planner/collection/collection-controller.js'
import type { Sliced } from '../../planner/sliced.js'
import { type Answer, Count, exactly, oneOf, orNull, refusals, Share } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import { Refreshed } from './refreshed.js'

const Requests = Type.Number({ minimum: 0, description: 'requests a day' })

const Point = Type.Object(
  {
    requestsPerDay: Requests,
    perPage: Type.Number({ description: 'requests a page and day' }),
    freshness: Type.Number({
      description: 'predicted share of the time in which copies are fresh',
    }),
    price: Type.Number({ description: 'seconds of freshness that a request costs then' }),
  },
  { title: 'BudgetPoint' },
)

export const BudgetAnswer = Type.Object(
  {
    requestsPerDay: orNull(Requests),
    source: oneOf(['configuration', 'set']),
    configured: orNull(Type.Number({ description: 'what the configuration asks for' })),
    most: orNull(Type.Number({ description: 'requests-per-day, which is never exceeded' })),
    predicted: orNull(Share),
    standing: orNull(
      Type.Number({ description: 'freshness by the due times as they stood at the last scan' }),
    ),
    fewer: orNull(Point),
    more: orNull(Point),
    curve: Type.Array(Point),
    hosts: Type.Array(
      Type.Object({
        host: Type.String(),
        pages: Count,
        requestsPerDay: Requests,
        freshness: Share,
      }),
    ),
    price: Type.Number({ description: 'seconds of freshness that a request costs now' }),
    settling: Type.Boolean({ description: 'due times are being moved to a new budget' }),
    pages: Count,
    sampled: Type.Integer({ description: 'pages that the curve was worked out on' }),
    counted: Type.Integer({
      description:
        'pages that counts were made on; where fewer than pages, pages, unseen, withoutContent, ownPolicies and guarantees are estimates from this sample',
    }),
    unseen: Type.Integer({ description: 'pages never visited, predicted by the prior alone' }),
    withoutContent: Type.Integer({
      description: 'pages gone or failed at every visit so far, predicted by the prior alone',
    }),
    ownPolicies: Type.Integer({ description: 'pages with policies of their own' }),
    promises: orNull(
      Type.Object(
        {
          pages: Count,
          requestsPerDay: Requests,
          leastShare: Type.Number({
            description: 'what part of a budget the other pages keep at least',
          }),
          spent: Type.Number({ description: 'requests a day in all: the budget, or more' }),
          warning: orNull(
            Type.String({ description: 'pages and numbers, where more than the budget is spent' }),
          ),
        },
        { description: "what longest gaps and policies of pages' own ask for" },
      ),
    ),
  },
  { title: 'Budget' },
)
export type BudgetAnswer = Answer<typeof BudgetAnswer>

const BudgetBody = exactly({
  requestsPerDay: orNull(Type.Number({ exclusiveMinimum: 0, maximum: 1e9 })),
})

/** Real milliseconds of work before others get their turn. */
const most = 10

/** Does sliced work to its end without holding others up. */
async function inSlices<T>(work: Sliced<T>): Promise<T> {
  let began = performance.now()
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    if (performance.now() - began < most) continue
    await setImmediate()
    began = performance.now()
  }
}

/** What follows from a curve and a budget; the rest of the answer is the controller's. */
type BudgetView = Omit<
  BudgetAnswer,
  'source' | 'configured' | 'most' | 'standing' | 'price' | 'settling'
>

interface Curve {
  readonly planner: BudgetPlanner | null
  readonly sample: PlanSample
  /** By the budget. */
  readonly views: Map<number | null, Promise<BudgetView>>
}

/** Pages that a curve is worked out on: a second of work in all. */
const sampleSize = 1000
/** Real milliseconds that a curve is good for at least, and how many times its own cost. */
const goodFor = 15_000
const costFactor = 60
/** Nothing is soon more than nothing. */
const nothingGoodFor = 1000

/** What budgets bring on a collection. The curve is made in slices and kept for a while. */
class BudgetPlanning {
  readonly #controller: CollectionController
  readonly #clock: Clock
  readonly #curve = new Refreshed<Curve>(({ planner }, cost) =>
    planner === null ? nothingGoodFor : Math.max(goodFor, costFactor * cost),
  )

  constructor({
    controller,
    clock,
  }: { readonly controller: CollectionController; readonly clock: Clock }) {
    this.#controller = controller
    this.#clock = clock
  }

  /** At the budget in force. Views of the same curve and budget are made once. */
  async view(): Promise<BudgetView> {
    const making = this.#curve.refresh(() => this.#made())
    const { planner, sample, views } = this.#curve.newest ?? (await making!)
    const { budget, mostPerDay, price } = this.#controller
    const requestsPerDay = requestsOf(budget, { pages: sample.of, most: mostPerDay })
    const made =
      views.get(requestsPerDay) ??
      viewOf({ planner, sample }, { requestsPerDay, price, most: mostPerDay })
    views.set(requestsPerDay, made)
    made.catch(() => views.delete(requestsPerDay))
    return made
  }

  async #made(): Promise<Curve> {
    const sample = await this.#controller.sample({ now: this.#clock.now(), size: sampleSize })
    const { pages, of, promises } = sample
    const spentAt = (requestsPerDay: number) => sharesWith(promises, requestsPerDay).total
    const planner = pages.length === 0 ? null : new BudgetPlanner(pages, { of, spentAt })
    if (planner !== null) await inSlices(planner.curve())
    return { planner, sample, views: new Map() }
  }
}

async function viewOf(
  { planner, sample }: Pick<Curve, 'planner' | 'sample'>,
  {
    requestsPerDay,
    price,
    most,
  }: { requestsPerDay: number | null; price: number; most: number | null },
): Promise<BudgetView> {
  const promises = guaranteedShares(sample, { requestsPerDay, most })
  const about = {
    requestsPerDay,
    promises,
    pages: sample.of,
    sampled: sample.pages.length,
    counted: sample.counted,
    unseen: sample.unseen,
    withoutContent: sample.withoutContent,
    ownPolicies: sample.ownPolicies,
  }
  const none = { predicted: null, fewer: null, more: null }
  if (planner === null) return { ...about, ...none, curve: [], hosts: [] }
  if (requestsPerDay === null || requestsPerDay <= 0) {
    const curve = await inSlices(planner.curve())
    return { ...about, ...none, curve, hosts: busiest(await inSlices(planner.hosts(price))) }
  }
  const { now, fewer, more, curve, hosts } = await inSlices(planner.plan(requestsPerDay))
  return {
    ...about,
    predicted: now.freshness,
    fewer,
    more,
    curve: joined([...curve, now, fewer, more]),
    hosts: busiest(hosts),
  }
}

function guaranteedShares(
  { promises }: PlanSample,
  { requestsPerDay, most }: { requestsPerDay: number | null; most: number | null },
): BudgetAnswer['promises'] {
  if (promises.pages === 0 || promises.followers === 0) return null
  const { pages, requestsPerDay: asked } = promises
  // With nearly nothing to share out, all that is left is what is guaranteed.
  const leastShare = sharesWith({ ...promises, requestsPerDay: 1e9 }, 1).rest
  const spent = requestsPerDay === null ? asked : sharesWith(promises, requestsPerDay).total
  const warning = guaranteeWarning(promises, { requestsPerDay, most, shown })
  return { pages, requestsPerDay: asked, leastShare, spent, warning }
}

/** Hosts given, those with most requests first. */
const mostHosts = 200

function busiest(hosts: readonly HostPlan[]): readonly HostPlan[] {
  return hosts.slice(0, mostHosts)
}

/** Points by requests, each once. */
function joined(points: readonly PlanPoint[]): PlanPoint[] {
  const sorted = points.toSorted((a, b) => a.requestsPerDay - b.requestsPerDay)
  return sorted.filter((point, i) => point.requestsPerDay !== sorted[i - 1]?.requestsPerDay)
}

/**
 * Takes other budgets while the collection runs. The budget is stored before
 * the answer; price and due times follow in the background, and a budget that
 * comes meanwhile is settled once, after the one under way.
 */
class BudgetChange {
  readonly #controller: CollectionController
  readonly #clock: Clock
  readonly #failed: (error: unknown) => void
  readonly #end = new AbortController()
  #wanted = false
  #settling: Promise<void> | null = null

  constructor(parts: {
    readonly controller: CollectionController
    readonly clock: Clock
    readonly failed: (error: unknown) => void
  }) {
    this.#controller = parts.controller
    this.#clock = parts.clock
    this.#failed = parts.failed
  }

  /** Whether due times are being moved. */
  get settling(): boolean {
    return this.#settling !== null
  }

  async take(requestsPerDay: number | null): Promise<void> {
    await this.#controller.changeBudget(requestsPerDay)
    this.#wanted = true
    this.#settling ??= this.#settle().finally(() => {
      this.#settling = null
    })
  }

  async close(): Promise<void> {
    this.#end.abort()
    await this.#settling
  }

  async #settle(): Promise<void> {
    const { signal } = this.#end
    while (this.#wanted && !signal.aborted) {
      this.#wanted = false
      await this.#controller.settle({ now: this.#clock.now(), signal }).catch(this.#failed)
    }
  }
}

/** The budget, what it buys, and how it is changed. */
export function budgetRoutes(
  app: App,
  {
    clock,
    controller,
  }: Pick<ServiceParts, 'clock'> & { readonly controller: CollectionController },
): void {
  const tags = ['settings']
  const planning = new BudgetPlanning({ controller, clock })
  const failed = (error: unknown) => app.log.error({ err: error }, 'due times were not moved')
  const change = new BudgetChange({ controller, clock, failed })
  app.addHook('onClose', () => change.close())

  app.get(
    '/api/budget',
    {
      schema: {
        operationId: 'budget',
        summary: 'The budget of requests a day, and what it and others would buy',
        tags,
        response: { 200: BudgetAnswer, ...refusals },
      },
    },
    () => budgetAnswer(),
  )

  app.put(
    '/api/budget',
    {
      schema: {
        operationId: 'setBudget',
        summary: 'Sets the budget from now on; null goes back to that of the configuration',
        description:
          'Outlasts a restart, as long as the configuration says the same as now. Price and due times follow: `settling` until they have.',
        tags,
        body: BudgetBody,
        response: { 200: BudgetAnswer, ...refusals },
      },
    },
    async ({ body }) => {
      await change.take(body.requestsPerDay)
      return budgetAnswer()
    },
  )

  async function budgetAnswer(): Promise<BudgetAnswer> {
    const view = await planning.view()
    const { budget, configuredBudget, mostPerDay: most } = controller
    return {
      ...view,
      source: budget === configuredBudget ? 'configuration' : 'set',
      configured: requestsOf(configuredBudget, { pages: view.pages, most }),
      most,
      standing: controller.predicted,
      price: controller.price,
      settling: change.settling,
    }
  }
}
