import { responsiveFigure } from '../../../lab/figures/figure-frame.js'
import { lineChart } from '../../../lab/figures/line-chart.js'
import { htmlTable } from '../../../lab/report/html-document.js'
import { percent } from '../../../model/units.js'
import { reportDocument } from '../../text/report-document.js'
import { columns } from '../../text/table.js'
import type { MadePlan } from './text.js'

/** A plan as a page with its curve. */
export function planHtml(plan: MadePlan, { version }: { readonly version: string }): string {
  const { now, pages, sampled } = plan
  const of = sampled < pages ? ` Worked out on a sample of ${sampled}.` : ''
  return reportDocument({
    title: 'What a budget of requests brings',
    intro: `${pages} pages, ${round(now.requestsPerDay)} requests a day: copies are predicted to be fresh ${percent(now.freshness, { digits: 1 })} of the time.${of}`,
    sections: [
      { title: 'Freshness by requests', parts: [figure(plan), budgets(plan)] },
      { title: 'By host', parts: [hosts(plan)] },
    ],
    foot: `revisit ${version} plan; predicted from what is known of each page now.`,
  })
}

function figure({ curve, now, fewer, more }: MadePlan): string {
  const points = [...curve, fewer, now, more]
    .map(({ requestsPerDay, freshness }) => ({ x: requestsPerDay, y: 100 * freshness }))
    .sort((a, b) => a.x - b.x)
  return responsiveFigure(lineChart, {
    title: 'What more requests buy',
    description: 'Share of the time in which copies are fresh, by requests a day.',
    x: { title: 'requests a day', scale: 'log' },
    y: { title: '% of the time fresh' },
    series: [{ name: 'predicted', points }],
  })
}

function budgets({ fewer, now, more }: MadePlan): string {
  const rows = [
    ['a fifth fewer', fewer],
    ['the budget', now],
    ['a fifth more', more],
  ] as const
  return htmlTable({
    columns: columns('', '>requests a day', '>fresh'),
    rows: rows.map(([name, point]) => [
      name,
      round(point.requestsPerDay),
      percent(point.freshness, { digits: 1 }),
    ]),
  })
}

function hosts({ hosts: all }: MadePlan): string {
  return htmlTable({
    columns: columns('host', '>pages', '>requests a day', '>fresh'),
    rows: all
      .slice(0, 100)
      .map(({ host, pages, requestsPerDay, freshness }) => [
        host,
        String(pages),
        round(requestsPerDay),
        percent(freshness, { digits: 1 }),
      ]),
  })
}

function round(value: number): string {
  return String(Number(value.toPrecision(3)))
}
