import { DAY, humanDuration } from '../../model/index.js'
import type { Measured } from '../../simulate/index.js'
import { AlignedTable } from '../text/aligned-table.js'
import type { TextOutput } from '../world.js'
import type { StudyRow } from './json.js'

const titles = [
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
]

/** The studies as a table; what all have in common stands above it. */
export function writeStudies(out: TextOutput, rows: readonly StudyRow[]): void {
  const { pages, length, seed, lastModified } = rows[0]!.spec
  out.write(
    `${pages} page${pages === 1 ? '' : 's'} of each process, visited for ${Number((length / DAY).toPrecision(6))} days; Last-Modified ${lastModified}; seed ${seed}\n\n`,
  )
  const table = new AlignedTable(
    [
      { title: 'process', align: 'left' },
      { title: 'policy', align: 'left' },
      { title: 'learner', align: 'left' },
      ...titles.map((title) => ({ title, align: 'right' as const })),
    ],
    { write: (text) => out.write(text), room: undefined },
  )
  for (const row of rows) table.row(studyCells(row))
  table.end()
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
