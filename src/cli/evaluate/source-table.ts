import { humanDuration, OptionError } from '../../model/index.js'
import type { CalibrationFound, MeanRow, MeanSourceRow } from '../../simulate/index.js'
import type { TableColumn } from '../text/aligned-table.js'
import type { EvaluateSettings } from './settings.js'

/** Those that tables by source compare by default, beside the user's own. */
const usual = ['equal', 'lambda-crawl', 'auto']
/** Where none of them competes. */
const fewest = 3

/** The policies whose figures the tables by source show: as asked for, or the usual ones. */
export function shownBySource(
  { contenders, bySource }: Pick<EvaluateSettings, 'contenders' | 'bySource'>,
  { own }: { readonly own: readonly string[] },
): readonly string[] {
  const names = contenders.map(({ name }) => name)
  if (bySource === undefined) {
    const found = names.filter((name) => usual.includes(name) || own.includes(name))
    return found.length > 0 ? found : names.slice(0, fewest)
  }
  if (bySource.length === 1 && bySource[0] === 'none') return []
  if (bySource.length === 1 && bySource[0] === 'all') return names
  const stranger = bySource.find((name) => !names.includes(name))
  if (stranger === undefined) return bySource
  throw new OptionError(
    'unknown-policy',
    `--by-source takes policies that compete, all or none; "${stranger}" does not compete`,
  )
}

/** A table by source, for the terminal and the report. */
export interface SourceTable {
  readonly columns: readonly TableColumn[]
  readonly rows: readonly string[][]
}

/** Freshness, its error and the delay of some policies, source by source. */
export function sourceTable(rows: readonly MeanRow[], shown: readonly string[]): SourceTable {
  const chosen = shown.flatMap((name) => rows.filter((row) => row.contender === name))
  const number = (title: string): TableColumn => ({ title, align: 'right' })
  return {
    columns: [
      { title: 'source', align: 'left' },
      number('pages'),
      number('changes'),
      ...chosen.flatMap(({ contender }) => [number(contender), number('±'), number('delay')]),
    ],
    rows: rows[0]!.bySource.map(({ source, pages, changes }, i) => [
      source,
      String(pages),
      String(Math.round(changes)),
      ...chosen.flatMap((row) => sourceCells(row.bySource[i]!)),
    ]),
  }
}

function sourceCells({ freshness, freshnessError, delay }: MeanSourceRow): string[] {
  return [
    freshness.toFixed(4),
    freshnessError === null ? '-' : freshnessError.toFixed(4),
    delay === null ? '-' : humanDuration(delay),
  ]
}

/** What one policy predicted, in all and source by source; null where it predicts nothing. */
export function calibrationTable(row: MeanRow): SourceTable | null {
  const { calibration } = row
  if (calibration === null) return null
  const number = (title: string): TableColumn => ({ title, align: 'right' })
  const found = row.bySource.flatMap((each) =>
    each.calibration === null ? [] : [calibrationCells(each.source, each.calibration)],
  )
  return {
    columns: [
      { title: row.contender, align: 'left' },
      ...['predicted', 'realised', 'difference', '±'].map(number),
      ...calibration.bounds.flatMap(({ after }) => [
        number(`in bounds, ${after}`),
        number('pages'),
      ]),
    ],
    rows: [calibrationCells('all sources', calibration), ...found],
  }
}

function calibrationCells(name: string, found: CalibrationFound): string[] {
  const { predicted, realised, difference, differenceError, bounds } = found
  return [
    name,
    predicted.toFixed(4),
    realised.toFixed(4),
    signed(difference),
    differenceError === null ? '-' : differenceError.toFixed(4),
    ...bounds.flatMap(({ held, pages }) => [
      held === null ? '-' : `${(100 * held).toFixed(1)}%`,
      String(Math.round(pages)),
    ]),
  ]
}

export function signed(value: number): string {
  return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(4)}`
}
