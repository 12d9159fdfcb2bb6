import { humanDuration } from '../../model/index.js'
import type { EvaluationRow } from '../../simulate/index.js'
import { AlignedTable } from '../text/aligned-table.js'
import type { TextOutput } from '../world.js'
import { budgetWords, partWords } from './part-words.js'
import type { EvaluatedPart } from './run.js'

/** Titles of the columns, for the terminal and the report. */
export const evaluateTitles = [
  'policy',
  'fresh',
  '±',
  'over equal',
  '±',
  'after 30d',
  'copy age',
  'caught',
  'needless',
  'used',
  'gaps x',
] as const

/** One table for each part and budget. */
export function writeEvaluation(out: TextOutput, parts: readonly EvaluatedPart[]): void {
  parts.forEach((part, i) => {
    if (i > 0) out.write('\n')
    out.write(`${partWords(part)}\n`)
    for (const perDay of new Set(part.rows.map((row) => row.perDay))) {
      out.write(`\n${budgetWords(perDay)}\n`)
      writeTable(
        out,
        part.rows.filter((row) => row.perDay === perDay),
      )
    }
  })
  if (parts.some(({ rows }) => rows.some((row) => row.kind === 'knows')))
    out.write('\n* was told what no crawler knows\n')
}

function writeTable(out: TextOutput, rows: readonly EvaluationRow[]): void {
  const table = new AlignedTable(
    evaluateTitles.map((title, i) => ({ title, align: i === 0 ? 'left' : 'right' })),
    { write: (text) => out.write(text), room: undefined },
  )
  for (const row of rows) table.row(evaluationCells(row))
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
    `${(100 * row.caught).toFixed(1)}%`,
    `${(100 * row.needless).toFixed(1)}%`,
    String(Number(row.usedPerDay.toPrecision(4))),
    row.stretch === null ? '-' : String(Number(row.stretch.toPrecision(3))),
  ]
}

function signed(value: number): string {
  return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(4)}`
}
