import type { EvaluationRow, MeanRow } from '../../../lab/evaluate/evaluate.js'
import { barChart } from '../../../lab/figures/bar-chart.js'
import { responsiveFigure } from '../../../lab/figures/figure-frame.js'
import { lineChart } from '../../../lab/figures/line-chart.js'
import { scatterPlot } from '../../../lab/figures/scatter-plot.js'
import { htmlTable } from '../../../lab/report/html-document.js'
import { reportDocument } from '../../text/report-document.js'
import type { EvaluatedPart } from './run.js'
import {
  budgetWords,
  byBudget,
  calibrationTable,
  evaluateColumns,
  evaluationCells,
  partWords,
  sourceTable,
} from './tables.js'

/** Those that a line is plotted for, if they competed: more would hide each other. */
const usualLines = ['equal', 'nutch', 'optimal-prior', 'lambda-crawl', 'auto', 'oracle']

interface About {
  readonly version: string
  readonly seeds: readonly number[]
  /** The policies that are shown by source. */
  readonly shown: readonly string[]
}

/** The evaluation as a page with figures. */
export function evaluateHtml(
  parts: readonly EvaluatedPart[],
  { version, seeds, shown }: About,
): string {
  const [all] = parts
  return reportDocument({
    title: 'Policies on recorded histories',
    intro:
      'Recorded changes of pages, replayed: each policy sees only whether a page had changed at its own visits, and may spend so many visits a page and day.',
    sections: [
      ...parts.flatMap((part) => partSections(part, shown)),
      ...(shown.length > 0 ? sourceSections(all!, shown) : []),
      ...calibrationSections(all!),
    ],
    foot: `revisit ${version} evaluate, seed ${seeds.join(', ')}; ± is one standard error, by source, in tables by source by page. * knows what no crawler can.`,
  })
}

interface Section {
  readonly title: string
  readonly parts: readonly string[]
}

function partSections(part: EvaluatedPart, shown: readonly string[]): Section[] {
  return [
    { title: partWords(part), parts: [budgetFigure(part.rows, shown)] },
    ...ascending(part).map(([perDay, rows]) => ({
      title: budgetWords(perDay),
      parts: [
        staleFigure(rows),
        delayFigure(rows),
        htmlTable({ columns: evaluateColumns, rows: rows.map(evaluationCells) }),
      ],
    })),
  ]
}

function sourceSections(part: EvaluatedPart, shown: readonly string[]): Section[] {
  return ascending(part).map(([perDay, rows]) => ({
    title: `By source, ${budgetWords(perDay)}`,
    parts: [...sourceFigure(rows, shown), htmlTable(sourceTable(rows, shown))],
  }))
}

function calibrationSections(part: EvaluatedPart): Section[] {
  return ascending(part).flatMap(([perDay, rows]) => {
    const found = rows.map(calibrationTable).filter((each) => each !== null)
    if (found.length === 0) return []
    return [
      {
        title: `Predicted and realised, ${budgetWords(perDay)}`,
        parts: [calibrationFigure(rows), ...found.map((each) => htmlTable(each))],
      },
    ]
  })
}

function ascending(part: EvaluatedPart): [number, MeanRow[]][] {
  return byBudget(part).sort(([a], [b]) => a - b)
}

function budgetFigure(rows: readonly EvaluationRow[], shown: readonly string[]): string {
  const names = [...new Set(rows.map((row) => row.contender))]
  const chosen = names.filter((name) => usualLines.includes(name) || shown.includes(name))
  const series = (chosen.length > 0 ? chosen : names).slice(0, 8).map((name) => ({
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
  return responsiveFigure(barChart, {
    title: 'How stale the copies were',
    subtitle: 'How much of the time the copies did not equal the pages; whiskers: 1 standard error',
    description: 'One bar for each policy; the same figures are in the table below.',
    value: { title: '% of the time' },
    bars: rows.map((row) =>
      bar(row, { value: 100 * (1 - row.freshness), error: row.freshnessError, times: 100 }),
    ),
  })
}

function delayFigure(rows: readonly EvaluationRow[]): string {
  return responsiveFigure(barChart, {
    title: 'How late changes were noticed',
    subtitle:
      "Mean time from a change to the visit that noticed it, or to the page's end; whiskers: 1 standard error",
    description: 'One bar for each policy; the same figures are in the table below.',
    value: { title: 'hours' },
    bars: rows.flatMap((row) =>
      row.delay === null
        ? []
        : [bar(row, { value: row.delay / 3600, error: row.delayError, times: 1 / 3600 })],
    ),
  })
}

function bar(
  row: EvaluationRow,
  { value, error, times }: { value: number; error: number | null; times: number },
) {
  const label = row.kind === 'knows' ? `${row.contender} *` : row.contender
  if (error === null) return { label, value }
  const reach = times * error
  return { label, value, low: Math.max(0, value - reach), high: value + reach }
}

/** Only where there is something to compare. */
function sourceFigure(rows: readonly MeanRow[], shown: readonly string[]): string[] {
  const equal = rows.find((row) => row.contender === 'equal')
  const others = rows.filter((row) => row !== equal && shown.includes(row.contender))
  if (equal === undefined || others.length === 0 || equal.bySource.length < 2) return []
  const stale = (row: MeanRow, i: number) => 100 * (1 - row.bySource[i]!.freshness)
  return [
    responsiveFigure(scatterPlot, {
      title: 'Source by source, against equal visits',
      subtitle: 'A point a source; below the line the policy kept fresher copies than equal visits',
      description: 'The same figures are in the table below.',
      x: { title: '% of the time stale with equal visits', margin: 0.03 },
      y: { title: '% of the time stale', margin: 0.03 },
      equalLine: true,
      groups: others.map((row) => ({
        name: row.contender,
        points: row.bySource.map((_, i) => ({ x: stale(equal, i), y: stale(row, i) })),
      })),
    }),
  ]
}

function calibrationFigure(rows: readonly MeanRow[]): string {
  return responsiveFigure(scatterPlot, {
    title: 'Predicted and realised freshness by source',
    subtitle: 'A point a source; on the line the prediction came true',
    description: 'The same figures are in the tables below.',
    x: { title: '% of the time fresh, predicted', margin: 0.03 },
    y: { title: '% of the time fresh, realised', margin: 0.03 },
    equalLine: true,
    groups: rows.flatMap((row) => {
      if (row.calibration === null) return []
      const points = row.bySource.flatMap(({ calibration }) =>
        calibration === null
          ? []
          : [{ x: 100 * calibration.predicted, y: 100 * calibration.realised }],
      )
      return [{ name: row.contender, points }]
    }),
  })
}
