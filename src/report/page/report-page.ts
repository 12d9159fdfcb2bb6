import { type Estimate, humanPeriod, periodRange, rangeWords } from '../../model/index.js'
import { escaped } from '../frame/shown-text.js'
import { htmlDocument } from './html-document.js'
import { type PageReport, pageSection } from './page-section.js'

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
    figures < total ? `Figures are drawn for the first ${figures} of ${total} pages.` : '',
    listed < total ? `The list has the first ${listed} of them.` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : `<p class="muted">${parts.join(' ')}</p>`
}
