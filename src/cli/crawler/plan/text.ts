import { shown } from '../../../formats/index.js'
import { humanDuration } from '../../../model/index.js'
import type { PlanPoint } from '../../../schedule/index.js'
import { counted } from '../../text/counted.js'
import { tableText } from '../../text/table-text.js'
import { terminalChart } from '../../text/terminal-chart.js'
import type { TextOutput } from '../../world.js'
import type { MadePlan } from './made-plan.js'
import { missedText, noChoiceText } from './missed-budget.js'
import { requests, short } from './request-words.js'

/** Hosts shown; a program gets all of them. */
const mostHosts = 12

/** A plan for a person: a sentence, a curve, what a fifth more or fewer would do, and the hosts. */
export function planText(plan: MadePlan, out: TextOutput): string {
  const { now, fewer, more, hosts } = plan
  const lines = [
    `${counted(plan.pages, 'page')} with ${requests(now.requestsPerDay)} a day (${short(now.perPage)} a page): copies fresh ${percent(now.freshness)} of the time${priceText(plan)}`,
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
  return ownPolicies < pages ? `, a request worth ${humanDuration(now.price)} of freshness` : ''
}

function notes(plan: MadePlan): string[] {
  const { pages, sampled, unseen, counted: read } = plan
  const told: string[] = []
  if (sampled < pages) told.push(`worked out on every ${Math.round(pages / sampled)}th page`)
  if (read < pages) told.push(`counts of pages are estimates from an even sample of ${read}`)
  if (unseen > 0)
    told.push(`${counted(unseen, 'page')} not seen yet: of those the prior alone foretells`)
  return [...told, ...(plan.warning === null ? missedText(plan) : [plan.warning])]
}

/** From the fewest requests to the most, evenly by ratio. */
function curveText(plan: MadePlan, out: TextOutput): string {
  const { curve, now } = plan
  const drawn = curve.filter(
    ({ requestsPerDay }) =>
      requestsPerDay > now.requestsPerDay / 40 && requestsPerDay < now.requestsPerDay * 40,
  )
  if (drawn.length < 2) return noChoiceText(plan)
  const [first, last] = [drawn[0]!, drawn.at(-1)!]
  const span = Math.log(last.requestsPerDay / first.requestsPerDay)
  const value = (share: number) => freshnessAt(drawn, first.requestsPerDay * Math.exp(share * span))
  const low = Math.floor(20 * first.freshness) / 20
  return terminalChart(
    {
      title: 'Freshness by requests a day',
      value,
      low: Math.min(low, 0.95),
      high: 1,
      label: percent,
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
  return tableText(
    [
      { title: '', align: 'left' },
      { title: 'requests a day', align: 'right' },
      { title: 'a page', align: 'right' },
      { title: 'fresh', align: 'right' },
    ],
    rows.map(([name, point]) => [
      name,
      short(point.requestsPerDay),
      short(point.perPage),
      percent(point.freshness),
    ]),
  )
}

function hostTable({ hosts }: MadePlan): string {
  return tableText(
    [
      { title: 'host', align: 'left' },
      { title: 'pages', align: 'right' },
      { title: 'requests a day', align: 'right' },
      { title: 'a page', align: 'right' },
      { title: 'fresh', align: 'right' },
    ],
    hosts
      .slice(0, mostHosts)
      .map(({ host, pages, requestsPerDay, freshness }) => [
        shown(host),
        String(pages),
        short(requestsPerDay),
        short(requestsPerDay / Math.max(1, pages)),
        percent(freshness),
      ]),
  ).trimEnd()
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`
}
