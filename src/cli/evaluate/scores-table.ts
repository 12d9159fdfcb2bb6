import type { RecordedChanges } from '../../model/index.js'
import { type PredictionRow, predictionScores, replayCollection } from '../../simulate/index.js'
import { AlignedTable } from '../text/aligned-table.js'
import type { TextOutput } from '../world.js'
import { budgetWords } from './part-words.js'
import type { EvaluateSettings } from './settings.js'

/** How well every estimator foretells the next visit, with each budget. */
export function scoreRows(
  objects: readonly RecordedChanges[],
  { length, seed, budgets, lastModified }: EvaluateSettings,
): PredictionRow[] {
  const collection = replayCollection(objects, { length, seed })
  return budgets.flatMap((perDay) => predictionScores(collection, { perDay, seed, lastModified }))
}

/** One table for each budget; the lower the better. */
export function writeScores(out: TextOutput, rows: readonly PredictionRow[]): void {
  out.write(
    'Logarithmic loss of the chance given to each visit before it was made; lower is better\n',
  )
  for (const perDay of new Set(rows.map((row) => row.perDay))) {
    const own = rows.filter((row) => row.perDay === perDay)
    out.write(`\n${budgetWords(perDay)}, at even gaps, ${own[0]!.pages} pages\n`)
    const titles = ['estimator', 'all', 'first ten', 'later', 'observations']
    const table = new AlignedTable(
      titles.map((title, i) => ({ title, align: i === 0 ? 'left' : 'right' })),
      { write: (text) => out.write(text), room: undefined },
    )
    for (const row of own) table.row(scoreCells(row))
    table.end()
  }
}

function scoreCells(row: PredictionRow): string[] {
  const losses = [row.logLoss, row.firstTen, row.later].map((each) => each.toFixed(4))
  return [row.estimator, ...losses, String(row.observations)]
}
