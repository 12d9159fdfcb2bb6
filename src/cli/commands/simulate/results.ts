import type { StudySpec } from '../../../lab/study/study.js'
import type { Measured, StudyResult } from '../../../lab/study/study-result.js'
import { humanDuration } from '../../../model/duration.js'
import { DAY, percent } from '../../../model/units.js'
import { jsonArray } from '../../text/json.js'
import { counted } from '../../text/numbers.js'
import { columns, tableText } from '../../text/table.js'

/** One study with what it found. */
export interface StudyRow {
  readonly spec: StudySpec
  readonly learner: string | null
  readonly result: StudyResult
}

/** All studies as one JSON text; nothing in it depends on the machine or on threads. */
export function simulateJson(rows: readonly StudyRow[]): string {
  const studies = rows.map(({ spec, learner, result }) => ({ ...spec, learner, ...result }))
  return jsonArray(studies)
}

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
export function studiesText(rows: readonly StudyRow[]): string {
  const titles = studyTitles.map((title, i) => (i < 3 ? title : `>${title}`))
  const table = tableText({ columns: columns(...titles), rows: rows.map(studyCells) })
  return `${studiesInCommon(rows)}\n\n${table}`
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
    measuredPercent(caught),
    measuredPercent(needless),
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

function measuredPercent({ value }: Measured): string {
  return value === null ? '-' : percent(value, { digits: 1 })
}

function withSign(value: number | null): string {
  if (value === null) return '-'
  return value >= 1e4 ? `${value.toExponential(2)}%` : `${value.toFixed(1)}%`
}

function short(value: number | null): string {
  if (value === null) return '-'
  return value >= 1e6 ? value.toExponential(3) : String(Number(value.toFixed(value < 10 ? 2 : 1)))
}
