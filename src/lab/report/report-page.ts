import { escaped } from '../../formats/printable-text.js'
import { humanPeriod } from '../../model/duration.js'
import { type Estimate, periodRange, rangeWords } from '../../model/estimate.js'
import type { UnixSeconds } from '../../model/units.js'
import { type DistributionChart, distributionChart } from '../figures/distribution-chart.js'
import { type EstimateSharpening, estimateSharpening } from '../figures/estimate-sharpening.js'
import { responsiveFigure } from '../figures/figure-frame.js'
import { type HourOfWeek, hourOfWeek } from '../figures/hour-of-week.js'
import { type MethodComparison, methodComparison } from '../figures/method-comparison.js'
import {
  type DuanePlot,
  duanePlot,
  type WindowTimeline,
  windowTimeline,
} from '../figures/trend-windows.js'
import { type VisitTimeline, visitTimeline } from '../figures/visit-timeline.js'
import { type HtmlTable, htmlDocument, htmlTable } from './html-document.js'
import { pageSummary } from './page-summary.js'

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
function pageSection(page: PageReport, { id }: { readonly id: string }): string {
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

/** One line of the index. */
export interface IndexEntry {
  readonly url: string
  readonly estimate: Estimate
}

export interface ReportPage {
  readonly title: string
  /** What the report rests on, in a sentence or two. */
  readonly intro: string
  /** Pages that are shown with their figures. */
  readonly pages: readonly PageReport[]
  /** All pages in their order, those with figures first; an index is shown if there are several. */
  readonly index: readonly IndexEntry[]
  /** How many pages there are in all, if more than the index holds. */
  readonly total?: number
  /** Who made it, when, how. */
  readonly foot?: string
}

/** A report on many pages as one self-contained HTML file; every text in it is escaped. */
export function reportPage(report: ReportPage): string {
  const { title, intro, pages, index, foot } = report
  const total = report.total ?? index.length
  const body = [
    `<header><h1>${escaped(title)}</h1><p>${escaped(intro)}</p></header>`,
    '<main>',
    total > 1 ? indexTable(report, total) : '',
    ...pages.map((page, i) => pageSection(page, { id: idOf(i) })),
    '</main>',
    foot === undefined ? '' : `<footer>${escaped(foot)}</footer>`,
  ]
  return htmlDocument({ title, body: body.filter((part) => part !== '').join('\n') })
}

function idOf(i: number): string {
  return `page-${i + 1}`
}

function indexTable({ pages, index }: ReportPage, total: number): string {
  const rows = index.map((entry, i) => indexRow(entry, i < pages.length ? idOf(i) : null))
  const head = ['page', 'visits', 'changes', 'it changes', 'bounds'].map((name, i) =>
    i === 1 || i === 2
      ? `<th scope="col" class="number">${name}</th>`
      : `<th scope="col">${name}</th>`,
  )
  return `<div class="table"><table><caption>Pages</caption><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>${leftOut({ figures: pages.length, listed: index.length, total })}`
}

function indexRow({ url, estimate }: IndexEntry, id: string | null): string {
  const { evidence, bounds } = estimate
  const name = id === null ? escaped(url) : `<a href="#${id}">${escaped(url)}</a>`
  const range = rangeWords(periodRange(bounds)) ?? '–'
  return `<tr><th scope="row">${name}</th><td class="number">${evidence.visits}</td><td class="number">${evidence.changes}</td><td>${escaped(howOften(estimate))}</td><td>${escaped(range)}</td></tr>`
}

/** The number of these two verdicts is a stand-in that the bounds contradict. */
function howOften({ verdict, changePeriod }: Estimate): string {
  if (verdict === 'no-change-seen') return 'no change seen'
  return verdict === 'always-changed' ? 'at every visit' : humanPeriod(changePeriod)
}

function leftOut({
  figures,
  listed,
  total,
}: {
  figures: number
  listed: number
  total: number
}): string {
  const parts = [
    figures < total ? `Figures are plotted for the first ${figures} of ${total} pages.` : '',
    listed < total ? `The list has the first ${listed} of them.` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : `<p class="muted">${parts.join(' ')}</p>`
}
