import { humanDuration } from '../../model/index.js'
import type { EvaluationRow, MeanRow } from '../../simulate/index.js'
import { AlignedTable } from '../text/aligned-table.js'
import type { TextOutput } from '../world.js'
import { budgetWords, partWords } from './part-words.js'
import type { EvaluatedPart } from './run.js'
import { calibrationTable, type SourceTable, signed, sourceTable } from './source-table.js'

/** Titles of the columns, for the terminal and the report. */
export const evaluateTitles = [
  'policy',
  'fresh',
  '±',
  'over equal',
  '±',
  'after 30d',
  'copy age',
  'delay',
  '90% by',
  'caught',
  'needless',
  'used',
  'gaps x',
] as const

/** What is written: the parts, and the policies whose figures are shown by source. */
export interface WrittenEvaluation {
  readonly parts: readonly EvaluatedPart[]
  readonly seeds: readonly number[]
  readonly shown: readonly string[]
}

/** One table for each part and budget, then by source. */
export function writeEvaluation(out: TextOutput, { parts, seeds, shown }: WrittenEvaluation): void {
  parts.forEach((part, i) => {
    if (i > 0) out.write('\n')
    out.write(`${partWords(part)}\n`)
    if (i === 0 && seeds.length > 1) out.write(`Means over the seeds ${seeds.join(', ')}\n`)
    for (const [perDay, rows] of byBudget(part)) {
      out.write(`\n${budgetWords(perDay)}\n`)
      writeTable(out, { columns: evaluateColumns, rows: rows.map(evaluationCells) })
    }
  })
  const [all] = parts
  if (shown.length > 0) writeBySource(out, { part: all!, shown })
  writeCalibration(out, all!)
  if (parts.some(({ rows }) => rows.some((row) => row.kind === 'knows')))
    out.write('\n* knows what no crawler can\n')
}

/** The rows of each budget. */
export function byBudget({ rows }: EvaluatedPart): [number, MeanRow[]][] {
  const budgets = [...new Set(rows.map((row) => row.perDay))]
  return budgets.map((perDay) => [perDay, rows.filter((row) => row.perDay === perDay)])
}

export const evaluateColumns = evaluateTitles.map((title, i) => ({
  title,
  align: i === 0 ? ('left' as const) : ('right' as const),
}))

function writeBySource(
  out: TextOutput,
  { part, shown }: { part: EvaluatedPart; shown: readonly string[] },
): void {
  out.write('\nFreshness and delay by source; ± by leaving out one page at a time\n')
  for (const [perDay, rows] of byBudget(part)) {
    out.write(`\n${budgetWords(perDay)}\n`)
    writeTable(out, sourceTable(rows, shown))
  }
}

function writeCalibration(out: TextOutput, part: EvaluatedPart): void {
  if (part.rows.every(({ calibration }) => calibration === null)) return
  out.write(
    '\nFreshness predicted and realised; true mean change rates in the 90% bounds after so many observations\n',
  )
  for (const [perDay, rows] of byBudget(part)) {
    out.write(`\n${budgetWords(perDay)}\n`)
    for (const table of rows.map(calibrationTable)) if (table !== null) writeTable(out, table)
  }
}

function writeTable(out: TextOutput, { columns, rows }: SourceTable): void {
  const table = new AlignedTable(columns, { write: (text) => out.write(text), room: undefined })
  for (const row of rows) table.row([...row])
  table.end()
}

/** The cells of one row, as a person reads them. */
export function evaluationCells(row: EvaluationRow): string[] {
  return [
    row.kind === 'knows' ? `${row.contender} *` : row.contender,
    row.freshness.toFixed(4),
    row.freshnessError === null ? '-' : row.freshnessError.toFixed(4),
    row.overEqual === null ? '-' : signed(row.overEqual),
    row.overEqualError === null ? '-' : row.overEqualError.toFixed(4),
    row.lateFreshness.toFixed(4),
    humanDuration(row.copyAge),
    row.delay === null ? '-' : humanDuration(row.delay),
    row.delay90 === null ? '-' : humanDuration(row.delay90),
    `${(100 * row.caught).toFixed(1)}%`,
    `${(100 * row.needless).toFixed(1)}%`,
    String(Number(row.usedPerDay.toPrecision(4))),
    row.stretch === null ? '-' : String(Number(row.stretch.toPrecision(3))),
  ]
}
