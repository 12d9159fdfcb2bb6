import { Type } from 'typebox'
import type { Clock } from '../../model/units.js'
import { requestsOf } from '../../planner/collection/budget.js'
import type { CollectionController } from '../../planner/collection/collection-controller.js'
import { type Answer, Count, exactly, oneOf, orNull, refusals, Share } from '../schema.js'
import type { App, ServiceParts } from '../service-parts.js'
import { BudgetPlanning } from './budget-curve.js'

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
        'pages that counts were made on; where fewer than pages, pages, unseen, ownPolicies and guarantees are estimates from this sample',
    }),
    unseen: Type.Integer({ description: 'pages never seen, predicted by the prior alone' }),
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

/** Hosts given, those with most requests first. */
const mostHosts = 200

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
    const { now, hosts, sample, ...view } = await planning.view()
    const { budget, configuredBudget, mostPerDay: most } = controller
    return {
      ...view,
      configured: requestsOf(configuredBudget, { pages: sample.of, most }),
      source: budget === configuredBudget ? 'configuration' : 'set',
      most,
      predicted: now?.freshness ?? null,
      standing: controller.predicted,
      price: controller.price,
      settling: change.settling,
      pages: sample.of,
      sampled: sample.sampled,
      counted: sample.counted,
      unseen: sample.unseen,
      ownPolicies: sample.ownPolicies,
      hosts: hosts.slice(0, mostHosts),
    }
  }
}
