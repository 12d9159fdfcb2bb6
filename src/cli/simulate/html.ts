import { type Bar, barChart, htmlTable, responsiveFigure } from '../../report/index.js'
import type { Measured } from '../../simulate/index.js'
import { reportDocument } from '../text/report-document.js'
import type { StudyRow } from './json.js'
import { studiesInCommon, studyCells, studyTitles } from './table.js'

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
    return barOf(row, { value: value === null ? null : 1 - value, standardError })
  })
  const title = 'How stale the copies were'
  const subtitle =
    'Share of the time in which the copy did not equal the page; whiskers: 2 standard errors'
  const value = { title: 'time stale', kind: 'share' as const }
  return responsiveFigure(barChart, { title, subtitle, description: about, value, bars })
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

function table(rows: readonly StudyRow[]): string {
  const columns = studyTitles.map((title, i) => ({
    title,
    align: i < 3 ? ('left' as const) : ('right' as const),
  }))
  return htmlTable({ columns, rows: rows.map(studyCells) })
}
