import { type PredictionRow, predictionScores, replayCollection } from '../../simulate/index.js'
import { AlignedTable } from '../text/aligned-table.js'
import type { TextOutput } from '../world.js'
import { budgetWords } from './part-words.js'
import type { ObjectsFor } from './run.js'
import type { EvaluateSettings } from './settings.js'

/** How well every estimator foretells the next visit, with each budget. */
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
