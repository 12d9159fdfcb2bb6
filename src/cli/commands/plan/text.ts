import { shown } from '../../../formats/printable-text.js'
import { humanDuration } from '../../../model/duration.js'
import { DAY, percent } from '../../../model/units.js'
import type { BudgetPlan, PlanPoint } from '../../../planner/budget/budget-plan.js'
import type { Guarantees } from '../../../planner/budget/guarantees.js'
import { objectiveOf, type Prices, pricesBeside } from '../../../planner/budget/price-for-budget.js'
import { gapAtPrice, type PlanPage } from '../../../planner/value/planned-page.js'
import { heldLimits } from '../../../policies/limits.js'
import type { TextOutput } from '../../environment.js'
import { counted } from '../../text/numbers.js'
import { columns, tableText } from '../../text/table.js'
import { terminalChart } from '../../text/terminal-chart.js'

/** What no budget moves. */
interface Unmoved {
  /** Requests a day of pages that have policies of their own. */
  readonly ownRequestsPerDay: number
  /** Pages on the default that limits hold at their shortest or longest gap. */
  readonly atLimits: number
}

/** A plan, and what it was worked out on. */
export interface MadePlan extends BudgetPlan, Unmoved {
  /** Requests a day that were to be planned. */
  readonly budget: number
  /** Pages that were read; where fewer than `pages`, the counts are estimates from them. */
  readonly counted: number
  /** Pages that were never visited, and those that only failed or were gone: what is predicted of both is the prior's. */
  readonly unseen: number
  readonly withoutContent: number
  /** Pages with policies of their own, which no budget moves. */
  readonly ownPolicies: number
  /** What was promised to single pages, and what to say where that is more than the budget leaves. */
  readonly promises: Guarantees
  readonly warning: string | null
}

/** So many requests, in words. */
function requests(count: number): string {
  return `${short(count)} request${short(count) === '1' ? '' : 's'}`
}

/** A number to three digits, or to whole ones. */
function short(value: number): string {
  return String(value >= 100 ? Math.round(value) : Number(value.toPrecision(3)))
}

/** Gaps of the default are whole hours: a budget is met to about this. */
const near = 0.01

/** What no budget moves at a price of a request, where each page given stands for `scale` of the collection. */
export function unmovedAt(
  pages: readonly PlanPage[],
  { price, scale }: { readonly price: number; readonly scale: number },
): Unmoved {
  const prices = pricesBeside(pages, price)
  let [visits, held] = [0, 0]
  for (const page of pages)
    if (page.ownGap !== null) visits += DAY / page.ownGap
    else if (isHeld(page, prices)) held++
  return { ownRequestsPerDay: visits * scale, atLimits: Math.round(held * scale) }
}

function isHeld(page: PlanPage, prices: Prices): boolean {
  const { minGap, maxGap } = heldLimits(page.limits)
  const objective = objectiveOf(page)
  const gap = gapAtPrice(page, { price: prices[objective]!, objective })
  return gap <= minGap || gap >= maxGap
}

/** Why requests do not meet the budget: policies of pages' own, limits, or prices that no plan goes beyond. */
function missedText(plan: MadePlan): readonly string[] {
  const { budget, now, curve, pages, ownPolicies, ownRequestsPerDay, atLimits } = plan
  const atEnd = now === curve[0] || now === curve.at(-1)
  if (!atEnd || Math.abs(now.requestsPerDay / budget - 1) < near) return []
  const others = pages - ownPolicies
  const notes: string[] = []
  if (ownPolicies > 0)
    notes.push(
      `own policies of ${counted(ownPolicies, 'page')} ask for ${requests(ownRequestsPerDay)} a day, whatever the budget`,
    )
  if (others > 0 && 2 * atLimits >= others)
    notes.push(
      ownPolicies > 0
        ? 'limits on gaps keep the others from making up for it'
        : 'limits on gaps keep requests from meeting the budget',
    )
  else if (others > 0) notes.push(endOfPrices(plan))
  return notes
}

/** Without limits a plan ends where requests have next to no value, or cost more than anybody would pay. */
function endOfPrices({ now, budget }: MadePlan): string {
  const value = humanDuration(now.price)
  return now.requestsPerDay < budget
    ? `more requests are not planned: the value of each would be below ${value} of freshness`
    : `fewer requests are not planned: each left out would cost more than ${value} of freshness`
}

/** Why there is nothing to choose between. */
function noChoiceText({ pages, ownPolicies }: MadePlan): string {
  const cause =
    ownPolicies === 0
      ? 'limits leave'
      : ownPolicies < pages
        ? 'limits and policies of their own leave'
        : 'policies of their own leave'
  return `${cause} no choice: there is no curve to plot`
}

/** Hosts shown; a program gets all of them. */
const mostHosts = 12

/** A plan for a person: a sentence, a curve, what a fifth more or fewer would do, and the hosts. */
export function planText(plan: MadePlan, out: TextOutput): string {
  const { now, fewer, more, hosts } = plan
  const lines = [
    `${counted(plan.pages, 'page')} with ${requests(now.requestsPerDay)} a day (${short(now.perPage)} a page): copies fresh ${percent(now.freshness, { digits: 1 })} of the time${priceText(plan)}`,
    ...notes(plan),
    '',
    curveText(plan, out),
    '',
    pointTable([
      ['a fifth fewer', fewer],
      ['the budget', now],
      ['a fifth more', more],
    ]),
    hostTable(plan),
  ]
  const rest = hosts.length - mostHosts
  if (rest > 0) lines.push(`and ${counted(rest, 'host')} more; --json and --csv have all`)
  return `${lines.join('\n')}\n`
}

/** Nothing where no page's visits follow the price. */
function priceText({ pages, ownPolicies, now }: MadePlan): string {
  return ownPolicies < pages ? `, price of a request ${humanDuration(now.price)} of freshness` : ''
}

function notes(plan: MadePlan): string[] {
  const { pages, sampled, unseen, withoutContent, counted: read } = plan
  const notes: string[] = []
  if (sampled < pages) notes.push(`worked out on every ${Math.round(pages / sampled)}th page`)
  if (read < pages) notes.push(`counts of pages are estimates from an even sample of ${read}`)
  if (unseen > 0)
    notes.push(`${counted(unseen, 'page')} not visited yet: of those the prior alone predicts`)
  if (withoutContent > 0)
    notes.push(
      `${counted(withoutContent, 'page')} gone or failed at every visit so far: of those too the prior alone predicts`,
    )
  return [...notes, ...(plan.warning === null ? missedText(plan) : [plan.warning])]
}

/** From the fewest requests to the most, evenly by ratio. */
function curveText(plan: MadePlan, out: TextOutput): string {
  const { curve, now } = plan
  const plotted = curve.filter(
    ({ requestsPerDay }) =>
      requestsPerDay > now.requestsPerDay / 40 && requestsPerDay < now.requestsPerDay * 40,
  )
  if (plotted.length < 2) return noChoiceText(plan)
  const [first, last] = [plotted[0]!, plotted.at(-1)!]
  const span = Math.log(last.requestsPerDay / first.requestsPerDay)
  const value = (share: number) =>
    freshnessAt(plotted, first.requestsPerDay * Math.exp(share * span))
  const low = Math.floor(20 * first.freshness) / 20
  return terminalChart(
    {
      title: 'Freshness by requests a day',
      value,
      low: Math.min(low, 0.95),
      high: 1,
      label: (share) => percent(share, { digits: 1 }),
      from: requests(first.requestsPerDay),
      to: `${requests(last.requestsPerDay)} a day`,
    },
    out,
  )
}

function freshnessAt(curve: readonly PlanPoint[], wanted: number): number {
  const after = curve.findIndex(({ requestsPerDay }) => requestsPerDay >= wanted)
  if (after <= 0) return after === 0 ? curve[0]!.freshness : curve.at(-1)!.freshness
  const [less, more] = [curve[after - 1]!, curve[after]!]
  const share =
    Math.log(wanted / less.requestsPerDay) / Math.log(more.requestsPerDay / less.requestsPerDay)
  return less.freshness + share * (more.freshness - less.freshness)
}

function pointTable(rows: ReadonlyArray<readonly [string, PlanPoint]>): string {
  return tableText({
    columns: columns('', '>requests a day', '>a page', '>fresh'),
    rows: rows.map(([name, point]) => [
      name,
      short(point.requestsPerDay),
      short(point.perPage),
      percent(point.freshness, { digits: 1 }),
    ]),
  })
}

function hostTable({ hosts }: MadePlan): string {
  const rows = hosts
    .slice(0, mostHosts)
    .map(({ host, pages, requestsPerDay, freshness }) => [
      shown(host),
      String(pages),
      short(requestsPerDay),
      short(requestsPerDay / Math.max(1, pages)),
      percent(freshness, { digits: 1 }),
    ])
  const titles = columns('host', '>pages', '>requests a day', '>a page', '>fresh')
  return tableText({ columns: titles, rows }).trimEnd()
}
