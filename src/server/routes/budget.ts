import type { Steward } from '../../engine/index.js'
import type { App } from '../app.js'
import { BudgetDesk } from '../budget/budget-desk.js'
import { BudgetPlanning } from '../budget/budget-planning.js'
import { BudgetAnswer, BudgetBody } from '../schema/budget.js'
import { refusals } from '../schema/words.js'
import type { ServiceParts } from '../service-parts.js'

/** Hosts told of, those with most requests first. */
const mostHosts = 200

/** The budget, what it buys, and how it is changed. */
export function budgetRoutes(
  app: App,
  { clock, steward }: Pick<ServiceParts, 'clock'> & { readonly steward: Steward },
): void {
  const tags = ['settings']
  const planning = new BudgetPlanning({ steward, clock })
  const failed = (error: unknown) => app.log.error({ err: error }, 'due times were not moved')
  const desk = new BudgetDesk({ steward, clock, failed })
  app.addHook('onClose', () => desk.close())

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
    () => told(),
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
      await desk.change(body.requestsPerDay)
      return told()
    },
  )

  async function told() {
    const { now, hosts, sample, ...view } = await planning.view()
    const isSet = steward.budget !== steward.configuredBudget
    const source: 'configuration' | 'set' = isSet ? 'set' : 'configuration'
    return {
      ...view,
      configured: desk.configured(sample.of),
      source,
      most: steward.mostPerDay,
      predicted: now?.freshness ?? null,
      standing: steward.predicted,
      price: steward.price,
      settling: desk.settling,
      pages: sample.of,
      sampled: sample.sampled,
      counted: sample.counted,
      unseen: sample.unseen,
      ownPolicies: sample.ownPolicies,
      curve: [...view.curve],
      hosts: hosts.slice(0, mostHosts),
    }
  }
}
