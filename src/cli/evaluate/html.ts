import { barChart, htmlTable, lineChart, responsiveFigure } from '../../report/index.js'
import type { EvaluationRow } from '../../simulate/index.js'
import { reportDocument } from '../text/report-document.js'
import { budgetWords, partWords } from './part-words.js'
import type { EvaluatedPart } from './run.js'
import { evaluateTitles, evaluationCells } from './table.js'

/** Those that a line is drawn for, if they competed: more would hide each other. */
const drawn = ['equal', 'nutch', 'optimal-plug-in', 'optimal-prior', 'lambda-crawl', 'oracle']

/** The evaluation as a page with figures. */
export function evaluateHtml(
  parts: readonly EvaluatedPart[],
  { version, seed }: { readonly version: string; readonly seed: number },
): string {
  return reportDocument({
    title: 'Policies on recorded histories',
    intro:
      'Recorded changes of pages, replayed: each policy sees only whether a page had changed at its own visits, and may spend so many visits a page and day.',
    sections: parts.flatMap((part) => [
      { title: partWords(part), parts: [budgetFigure(part.rows)] },
      ...budgetsOf(part).map((perDay) => {
        const rows = part.rows.filter((row) => row.perDay === perDay)
        return { title: budgetWords(perDay), parts: [staleFigure(rows), table(rows)] }
      }),
    ]),
    foot: `revisit ${version} evaluate, seed ${seed}; ± is one standard error, by source. * was told what no crawler knows.`,
  })
}

function budgetsOf({ rows }: EvaluatedPart): number[] {
  return [...new Set(rows.map((row) => row.perDay))].sort((a, b) => a - b)
}

function budgetFigure(rows: readonly EvaluationRow[]): string {
  const names = [...new Set(rows.map((row) => row.contender))]
  const chosen = names.filter((name) => drawn.includes(name))
  const series = (chosen.length > 0 ? chosen : names.slice(0, 6)).map((name) => ({
    name,
    points: rows
      .filter((row) => row.contender === name)
      .map((row) => ({ x: row.perDay, y: 100 * (1 - row.freshness) }))
      .sort((a, b) => a.x - b.x),
  }))
  return responsiveFigure(lineChart, {
    title: 'What a larger budget buys',
    description: 'Share of the time in which the copies were stale, by visits a page and day.',
    x: { title: 'visits a page and day', scale: 'log' },
    y: { title: '% of the time stale', scale: 'log' },
    series,
  })
}

function staleFigure(rows: readonly EvaluationRow[]): string {
  const bars = rows.map((row) => {
    const value = 100 * (1 - row.freshness)
    const label = row.kind === 'knows' ? `${row.contender} *` : row.contender
    if (row.freshnessError === null) return { label, value }
    const reach = 100 * row.freshnessError
    return { label, value, low: Math.max(0, value - reach), high: value + reach }
  })
  return responsiveFigure(barChart, {
    title: 'How stale the copies were',
    subtitle: 'How much of the time the copies did not equal the pages; whiskers: 1 standard error',
    description: 'One bar for each policy; the same figures are in the table below.',
    value: { title: '% of the time' },
    bars,
  })
}

function table(rows: readonly EvaluationRow[]): string {
  const columns = evaluateTitles.map((title, i) => ({
    title,
    align: i === 0 ? ('left' as const) : ('right' as const),
  }))
  return htmlTable({ columns, rows: rows.map(evaluationCells) })
}
