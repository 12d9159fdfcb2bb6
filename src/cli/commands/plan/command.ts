import { ownPlanners, storedFitted, storedPlanners } from '../../../crawler/page-planners.js'
import { csvField } from '../../../formats/csv-table.js'
import { shown } from '../../../formats/printable-text.js'
import { OptionError } from '../../../model/errors.js'
import type { Store } from '../../../model/store.js'
import { budgetPlan } from '../../../planner/budget/budget-plan.js'
import { guaranteeWarning, sharesWith } from '../../../planner/budget/guarantees.js'
import { planSample } from '../../../planner/budget/plan-sample.js'
import { budgetInForce, budgetSetting, requestsOf } from '../../../planner/collection/budget.js'
import { storeCommand } from '../../command.js'
import { type Configured, configured, withStore } from '../../configured.js'
import { exitCode } from '../../environment.js'
import { answer } from '../../text/json.js'
import { parseCountOrAll } from '../../text/numbers.js'
import { type MadePlan, planText, unmovedAt } from './text.js'

/** A plan as one CSV table: points of the curve, the three budgets, and the hosts. */
function planCsv({ curve, now, fewer, more, hosts, pages }: MadePlan): string {
  const named = [
    ...curve.map((point) => ['curve', point] as const),
    ['fifth-fewer', fewer] as const,
    ['budget', now] as const,
    ['fifth-more', more] as const,
  ]
  const points = named.map(([kind, { requestsPerDay, freshness, price }]) =>
    [kind, '', pages, requestsPerDay, freshness, price].join(','),
  )
  const own = hosts.map(({ host, pages: count, requestsPerDay, freshness }) =>
    ['host', csvField(host), count, requestsPerDay, freshness, now.price].join(','),
  )
  return `${['kind,host,pages,requests_per_day,freshness,price_seconds', ...points, ...own].join('\n')}\n`
}

/** `revisit plan`: what a budget brings, and what more or fewer requests would. */
export const planCommand = storeCommand({
  description:
    'How fresh the copies should be with the budget, with a fifth fewer or more requests, and with any other number; and how the requests are shared out over the hosts. Predicted from what is known of each page now; --budget tries another budget.',
  options: [
    [
      '--sample <count>',
      'work it out on about so many pages, or all (default: 3000)',
      parseCountOrAll,
    ],
    ['--csv <file>', 'write the curve and the hosts as CSV'],
    ['--html <file>', 'write a page with the curve'],
  ],
  more: `Examples:
  revisit plan
  revisit plan --budget 0.2/page
  revisit plan --budget 5000 --json`,
  async run(environment, _, flags) {
    const made = await configured(environment, flags)
    const { sample: size = 3000 } = flags
    for (const path of [flags.csv, flags.html])
      if (path !== undefined) await environment.mayReplace(path)
    const plan = await withStore(made, (store) => planned(made, { store, size }), {
      readOnly: true,
    })
    answer(environment, { json: flags.json, record: plan, text: planText(plan, environment.out) })
    if (flags.csv !== undefined) await environment.save(flags.csv, planCsv(plan))
    if (flags.html !== undefined) {
      const { planHtml } = await import('./html.js')
      await environment.save(flags.html, planHtml(plan, environment))
    }
    return exitCode.done
  },
})

async function planned(
  { config, crawler }: Configured,
  { store, size }: { store: Store; size: number },
): Promise<MadePlan> {
  const planners = await storedPlanners(store, config)
  const fitted = await storedFitted(store, config)
  const { collection } = config
  const now = crawler.clock.now()
  const found = await planSample({
    store,
    collection,
    planners,
    ownPlanner: ownPlanners(config, { fitted: () => fitted }),
    now,
    size,
  })
  if (found.of === 0)
    throw new OptionError(
      'nothing-watched',
      `no page is watched in collection "${collection}"; begin with revisit watch https://...`,
    )
  const budget = budgetInForce(await store.getSetting(collection, budgetSetting), config.budget)
  const requestsPerDay = requestsOf(budget, { pages: found.of, most: config.requestsPerDay })
  if (requestsPerDay === null)
    throw new OptionError('no-budget', 'there is no budget to plan with; say --budget 0.5/page')
  const { counted, unseen, withoutContent, ownPolicies, promises } = found
  const spentAt = (budget: number) => sharesWith(promises, budget).total
  const plan = budgetPlan(found.pages, { requestsPerDay, of: found.of, spentAt })
  const scale = found.of / found.pages.length
  const unmoved = unmovedAt(found.pages, { price: plan.now.price, scale })
  const warning = guaranteeWarning(promises, { requestsPerDay, most: config.requestsPerDay, shown })
  return {
    ...plan,
    budget: requestsPerDay,
    counted,
    unseen,
    withoutContent,
    ownPolicies,
    ...unmoved,
    promises,
    warning,
  }
}
