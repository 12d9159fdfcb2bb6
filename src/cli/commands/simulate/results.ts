import { type Bar, barChart } from '../../../lab/figures/bar-chart.js'
import { responsiveFigure } from '../../../lab/figures/figure-frame.js'
import { htmlTable } from '../../../lab/report/html-document.js'
import type { StudySpec } from '../../../lab/study/study.js'
import type { Measured, StudyResult } from '../../../lab/study/study-result.js'
import { humanDuration } from '../../../model/duration.js'
import { DAY } from '../../../model/units.js'
import type { TextOutput } from '../../environment.js'
import { counted } from '../../text/numbers.js'
import { reportDocument } from '../../text/report-document.js'
import { AlignedTable } from '../../text/table.js'

/** One study with what it found. */
interface StudyRow {
  readonly spec: StudySpec
  readonly learner: string | null
  readonly result: StudyResult
}

/** All studies as one JSON text; nothing in it depends on the machine or on threads. */
export function simulateJson(rows: readonly StudyRow[]): string {
  const studies = rows.map(({ spec, learner, result }) => ({ ...spec, learner, ...result }))
  return `${JSON.stringify(studies, null, 2)}\n`
}

/** Titles of the columns, for the terminal and the report; the first three are words. */
const studyTitles = [
  'process',
  'policy',
  'learner',
  'fresh',
  '±',
  'copy age',
  'caught',
  'needless',
  'visits',
  '±',
  'bias',
  '±',
  'spread',
  '±',
] as const

/** The studies as a table; what all have in common stands above it. */
export function writeStudies(out: TextOutput, rows: readonly StudyRow[]): void {
  out.write(`${studiesInCommon(rows)}\n\n`)
  const table = new AlignedTable(
    studyTitles.map((title, i) => ({ title, align: i < 3 ? 'left' : 'right' })),
    { write: (text) => out.write(text), room: undefined },
  )
  for (const row of rows) table.row(studyCells(row))
  table.end()
}

/** What all studies of a run have in common. */
function studiesInCommon(rows: readonly StudyRow[]): string {
  const { pages, length, seed, lastModified } = rows[0]!.spec
  const days = Number((length / DAY).toPrecision(6))
  return `${counted(pages, 'page')} of each process, visited for ${counted(days, 'day')}; Last-Modified ${lastModified}; seed ${seed}`
}

/** The cells of one study, as a person reads them. */
function studyCells({ spec, learner, result }: StudyRow): string[] {
  const { freshness, copyAge, caught, needless, visits, estimate } = result
  return [
    spec.process,
    spec.policy,
    learner ?? 'none',
    share(freshness.value),
    share(freshness.standardError),
    copyAge.value === null ? '-' : humanDuration(copyAge.value),
    percent(caught),
    percent(needless),
    short(visits.value),
    short(visits.standardError),
    share(estimate?.bias.value ?? null, 3),
    share(estimate?.bias.standardError ?? null, 3),
    withSign(estimate?.spread.value ?? null),
    withSign(estimate?.spread.standardError ?? null),
  ]
}

function share(value: number | null, digits = 4): string {
  if (value === null) return '-'
  return value >= 1e4 ? value.toExponential(2) : value.toFixed(digits)
}

function percent({ value }: Measured): string {
  return value === null ? '-' : `${(100 * value).toFixed(1)}%`
}

function withSign(value: number | null): string {
  if (value === null) return '-'
  return value >= 1e4 ? `${value.toExponential(2)}%` : `${value.toFixed(1)}%`
}

function short(value: number | null): string {
  if (value === null) return '-'
  return value >= 1e6 ? value.toExponential(3) : String(Number(value.toFixed(value < 10 ? 2 : 1)))
}

/** The studies as a page with figures. */
export function simulateHtml(
  rows: readonly StudyRow[],
  { version }: { readonly version: string },
): string {
  return reportDocument({
    title: 'Policies on simulated pages',
    intro: `${studiesInCommon(rows)}.`,
    sections: [
      { title: 'Freshness and what it costs', parts: [staleFigure(rows), visitFigure(rows)] },
      { title: 'Estimates of the change period', parts: [estimateFigure(rows)] },
      { title: 'All figures', parts: [table(rows)] },
    ],
    foot: `revisit ${version} simulate; ± is one standard error.`,
  })
}

const about = 'One bar for each policy, by process; the same figures are in the table below.'

function staleFigure(rows: readonly StudyRow[]): string {
  const bars = rows.flatMap((row) => {
    const { value, standardError } = row.result.freshness
    if (value === null || standardError === null)
      return barOf(row, { value: stale(value), standardError: null })
    return barOf(row, { value: stale(value), standardError: 100 * standardError })
  })
  const title = 'How stale the copies were'
  const subtitle =
    'How much of the time the copy did not equal the page; whiskers: 2 standard errors'
  const value = { title: '% of the time' }
  return responsiveFigure(barChart, { title, subtitle, description: about, value, bars })
}

function stale(freshness: number | null): number | null {
  return freshness === null ? null : 100 * (1 - freshness)
}

function visitFigure(rows: readonly StudyRow[]): string {
  const bars = rows.flatMap((row) => barOf(row, row.result.visits))
  const title = 'How many visits it took'
  const value = { title: 'visits a page, the first among them' }
  return responsiveFigure(barChart, { title, description: about, value, bars })
}

function estimateFigure(rows: readonly StudyRow[]): string {
  const bars = rows.flatMap((row): Bar[] => {
    const { estimate, changePeriod } = row.result
    if (estimate === null || changePeriod === null || estimate.bias.value === null) return []
    const { quantiles } = estimate
    const low = quantiles[0]!.value / changePeriod
    const high = quantiles.at(-1)!.value / changePeriod
    return [{ ...labelOf(row), value: estimate.bias.value, low, high }]
  })
  const title = 'How well the change period was known in the end'
  const subtitle = 'Mean estimate / true change period; whiskers hold nine pages of ten'
  const value = { title: 'estimate / truth' }
  return responsiveFigure(barChart, { title, subtitle, description: about, value, bars })
}

function barOf(row: StudyRow, { value, standardError }: Measured): Bar[] {
  if (value === null) return []
  if (standardError === null) return [{ ...labelOf(row), value }]
  const reach = 2 * standardError
  return [{ ...labelOf(row), value, low: Math.max(0, value - reach), high: value + reach }]
}

function labelOf({ spec }: StudyRow): { label: string; group: string } {
  return { label: spec.policy, group: spec.process }
}

/** The table of the terminal with its words in one column and each ± beside its value, to fit a page. */
function table(rows: readonly StudyRow[]): string {
  const titles = studyTitles.slice(3).filter((title) => title !== '±')
  const columns = [{ title: 'process, policy, learner' }, ...titles.map(rightAligned)]
  return htmlTable({ columns, rows: rows.map((row) => joinedCells(studyCells(row))) })
}

function rightAligned(title: string) {
  return { title, align: 'right' as const }
}

function joinedCells(cells: readonly string[]): string[] {
  const joined = [cells.slice(0, 3).join(', ')]
  cells.slice(3).forEach((cell, i) => {
    if (studyTitles[i + 3] !== '±') joined.push(cell)
    else if (cell !== '-') joined[joined.length - 1] += ` ± ${cell}`
  })
  return joined
}
