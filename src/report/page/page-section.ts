import type { Estimate, UnixSeconds } from '../../model/index.js'
import { type DistributionChart, distributionChart } from '../figures/distribution-chart.js'
import { type DuanePlot, duanePlot } from '../figures/duane-plot.js'
import { type EstimateSharpening, estimateSharpening } from '../figures/estimate-sharpening.js'
import { type HourOfWeek, hourOfWeek } from '../figures/hour-of-week.js'
import { type HtmlTable, htmlTable } from '../figures/html-table.js'
import { type MethodComparison, methodComparison } from '../figures/method-comparison.js'
import { type VisitTimeline, visitTimeline } from '../figures/visit-timeline.js'
import { type WindowTimeline, windowTimeline } from '../figures/window-timeline.js'
import { escaped } from '../frame/shown-text.js'
import { pageSummary } from './page-summary.js'
import { responsiveFigure } from './responsive-figure.js'

/** All that a report shows of one page; what is absent is left out. */
export interface PageReport {
  readonly url: string
  readonly estimate: Estimate
  readonly lastChange: UnixSeconds | null
  /** Sentences under the summary: cautions, what the page's law means for visiting. */
  readonly notes?: readonly string[]
  readonly timeline?: VisitTimeline
  readonly sharpening?: EstimateSharpening
  readonly methods?: MethodComparison
  readonly distributions?: readonly DistributionChart[]
  readonly windows?: WindowTimeline
  readonly duane?: DuanePlot
  readonly hours?: HourOfWeek
  readonly tables?: readonly HtmlTable[]
}

/** One page's part of a report. */
export function pageSection(page: PageReport, { id }: { readonly id: string }): string {
  const notes = (page.notes ?? []).map((note) => `<li>${escaped(note)}</li>`).join('')
  return [
    `<section id="${escaped(id)}">`,
    `<h2>${escaped(page.url)}</h2>`,
    `<p class="summary">${escaped(pageSummary(page))}</p>`,
    notes === '' ? '' : `<ul class="notes">${notes}</ul>`,
    ...figuresOf(page),
    ...(page.tables ?? []).map(htmlTable),
    '</section>',
  ].join('\n')
}

function figuresOf(page: PageReport): string[] {
  const { timeline, sharpening, methods, distributions = [], windows, duane, hours } = page
  return [
    ...(timeline === undefined ? [] : [responsiveFigure(visitTimeline, timeline)]),
    ...(sharpening === undefined ? [] : [responsiveFigure(estimateSharpening, sharpening)]),
    ...(methods === undefined ? [] : [responsiveFigure(methodComparison, methods)]),
    ...distributions.map((each) => responsiveFigure(distributionChart, each)),
    ...(windows === undefined ? [] : [responsiveFigure(windowTimeline, windows)]),
    ...(duane === undefined ? [] : [responsiveFigure(duanePlot, duane)]),
    ...(hours === undefined ? [] : [responsiveFigure(hourOfWeek, hours)]),
  ]
}
