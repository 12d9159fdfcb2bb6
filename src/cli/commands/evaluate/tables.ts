import { replayCollection } from '../../../lab/evaluate/collection.js'
import type { EvaluationRow, MeanRow, MeanSourceRow } from '../../../lab/evaluate/evaluate.js'
import type { CalibrationFound } from '../../../lab/evaluate/measures.js'
import { type PredictionRow, predictionScores } from '../../../lab/evaluate/prediction-scores.js'
import { humanDuration } from '../../../model/duration.js'
import { OptionError } from '../../../model/errors.js'
import { percent } from '../../../model/units.js'
import { counted } from '../../text/numbers.js'
import { columns, type Table, tableText } from '../../text/table.js'
import type { EvaluateSettings } from './options.js'
import type { EvaluatedPart, ObjectsFor } from './run.js'

/** What a part holds, in words. */
export function partWords({ pages, size }: EvaluatedPart): string {
  const which = pages === 'all' ? 'All pages' : 'Pages with exact change times'
  const same = pages === 'all' ? '' : '; of the same runs, so budgets and factors are those of all'
  return `${which}: ${size.pages} of ${counted(size.sources, 'source')}, with ${size.changes} changes${same}`
}

export function budgetWords(perDay: number): string {
  return `${counted(perDay, 'visit')} a page and day`
}

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

/** Freshness, its error and the delay of some policies, source by source. */
export function sourceTable(rows: readonly MeanRow[], shown: readonly string[]): Table {
  const chosen = shown.flatMap((name) => rows.filter((row) => row.contender === name))
  return {
    columns: columns(
      'source',
      '>pages',
      '>changes',
      ...chosen.flatMap(({ contender }) => [`>${contender}`, '>±', '>delay']),
    ),
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
export function calibrationTable(row: MeanRow): Table | null {
  const { calibration } = row
  if (calibration === null) return null
  const found = row.bySource.flatMap((each) =>
    each.calibration === null ? [] : [calibrationCells(each.source, each.calibration)],
  )
  return {
    columns: columns(
      row.contender,
      ...['>predicted', '>realised', '>difference', '>±'],
      ...calibration.bounds.flatMap(({ after }) => [`>in bounds, ${after}`, '>pages']),
    ),
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
      held === null ? '-' : percent(held, { digits: 1 }),
      String(Math.round(pages)),
    ]),
  ]
}

function signed(value: number): string {
  return `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(4)}`
}

/** The columns, for the terminal and the report. */
export const evaluateColumns = columns(
  'policy',
  ...['>fresh', '>±', '>over equal', '>±', '>after 30d', '>copy age', '>delay', '>90% by'],
  ...['>caught', '>needless', '>used', '>gaps x'],
)

/** What is written: the parts, and the policies whose figures are shown by source. */
interface WrittenEvaluation {
  readonly parts: readonly EvaluatedPart[]
  readonly seeds: readonly number[]
  readonly shown: readonly string[]
}

/** One table for each part and budget, then by source. */
export function evaluationText({ parts, seeds, shown }: WrittenEvaluation): string {
  const means = seeds.length > 1 ? `Means over the seeds ${seeds.join(', ')}\n` : ''
  const whole = parts.map((part, i) => {
    const tables = budgetTables(part, (rows) => [
      { columns: evaluateColumns, rows: rows.map(evaluationCells) },
    ])
    return `${partWords(part)}\n${i === 0 ? means : ''}${tables}`
  })
  const [all] = parts
  const knows = parts.some(({ rows }) => rows.some((row) => row.kind === 'knows'))
  return [
    ...whole,
    ...(shown.length > 0 ? [bySourceText(all!, shown)] : []),
    ...calibrationText(all!),
    ...(knows ? ['* knows what no crawler can\n'] : []),
  ].join('\n')
}

/** The rows of each budget. */
export function byBudget({ rows }: EvaluatedPart): [number, MeanRow[]][] {
  const budgets = [...new Set(rows.map((row) => row.perDay))]
  return budgets.map((perDay) => [perDay, rows.filter((row) => row.perDay === perDay)])
}

/** Tables under the words of their budget. */
function budgetTables(
  part: EvaluatedPart,
  tables: (rows: readonly MeanRow[]) => readonly Table[],
): string {
  return byBudget(part)
    .map(
      ([perDay, rows]) =>
        `\n${budgetWords(perDay)}\n${tables(rows)
          .map((each) => tableText(each))
          .join('')}`,
    )
    .join('')
}

function bySourceText(part: EvaluatedPart, shown: readonly string[]): string {
  const tables = budgetTables(part, (rows) => [sourceTable(rows, shown)])
  return `Freshness and delay by source; ± by leaving out one page at a time\n${tables}`
}

function calibrationText(part: EvaluatedPart): string[] {
  if (part.rows.every(({ calibration }) => calibration === null)) return []
  const tables = budgetTables(part, (rows) =>
    rows.map(calibrationTable).filter((each) => each !== null),
  )
  return [
    `Freshness predicted and realised; true mean change rates in the 90% bounds after so many observations\n${tables}`,
  ]
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
    percent(row.caught, { digits: 1 }),
    percent(row.needless, { digits: 1 }),
    String(Number(row.usedPerDay.toPrecision(4))),
    row.stretch === null ? '-' : String(Number(row.stretch.toPrecision(3))),
  ]
}

/** How well every estimator predicts the next visit, with each budget. */
export async function scoreRows(
  objectsFor: ObjectsFor,
  { length, seeds, budgets, lastModified }: EvaluateSettings,
): Promise<PredictionRow[]> {
  const runs: PredictionRow[][] = []
  for (const seed of seeds) {
    const collection = replayCollection(await objectsFor(seed), { length, seed })
    runs.push(
      budgets.flatMap((perDay) => predictionScores(collection, { perDay, seed, lastModified })),
    )
  }
  return runs[0]!.map((row, i) => {
    const mean = (figure: 'logLoss' | 'firstTen' | 'later') =>
      runs.reduce((sum, rows) => sum + rows[i]![figure], 0) / runs.length
    return { ...row, logLoss: mean('logLoss'), firstTen: mean('firstTen'), later: mean('later') }
  })
}

/** One table for each budget; the lower the better. */
export function scoresText(rows: readonly PredictionRow[]): string {
  const head =
    'Logarithmic loss of the chance given to each visit before it was made; lower is better\n'
  const titles = columns('estimator', '>all', '>first ten', '>later', '>observations')
  const tables = [...new Set(rows.map((row) => row.perDay))].map((perDay) => {
    const own = rows.filter((row) => row.perDay === perDay)
    const table = tableText({ columns: titles, rows: own.map(scoreCells) })
    return `\n${budgetWords(perDay)}, at even gaps, ${own[0]!.pages} pages\n${table}`
  })
  return `${head}${tables.join('')}`
}

function scoreCells(row: PredictionRow): string[] {
  const losses = [row.logLoss, row.firstTen, row.later].map((each) => each.toFixed(4))
  return [row.estimator, ...losses, String(row.observations)]
}
