import { type Bar, barChart } from '../../../lab/figures/bar-chart.js'
import { responsiveFigure } from '../../../lab/figures/figure-frame.js'
import { htmlTable } from '../../../lab/report/html-document.js'
import type { Measured } from '../../../lab/study/study-result.js'
import { reportDocument } from '../../text/report-document.js'
import { columns } from '../../text/table.js'
import { type StudyRow, studiesInCommon, studyCells, studyTitles } from './results.js'

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
  return htmlTable({
    columns: columns('process, policy, learner', ...titles.map((title) => `>${title}`)),
    rows: rows.map((row) => joinedCells(studyCells(row))),
  })
}

function joinedCells(cells: readonly string[]): string[] {
  const joined = [cells.slice(0, 3).join(', ')]
  cells.slice(3).forEach((cell, i) => {
    if (studyTitles[i + 3] !== '±') joined.push(cell)
    else if (cell !== '-') joined[joined.length - 1] += ` ± ${cell}`
  })
  return joined
}
