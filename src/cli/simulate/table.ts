import { DAY, humanDuration } from '../../model/index.js'
import type { Measured } from '../../simulate/index.js'
import { AlignedTable } from '../text/aligned-table.js'
import { counted } from '../text/counted.js'
import type { TextOutput } from '../world.js'
import type { StudyRow } from './json.js'

/** Titles of the columns, for the terminal and the report; the first three are words. */
export const studyTitles = [
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
export function studiesInCommon(rows: readonly StudyRow[]): string {
  const { pages, length, seed, lastModified } = rows[0]!.spec
  const days = Number((length / DAY).toPrecision(6))
  return `${counted(pages, 'page')} of each process, visited for ${counted(days, 'day')}; Last-Modified ${lastModified}; seed ${seed}`
}

/** The cells of one study, as a person reads them. */
export function studyCells({ spec, learner, result }: StudyRow): string[] {
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
