import type { Seconds } from '../../model/index.js'
import { Scores } from '../scores.js'
import type { ReplayCollection } from './collection.js'
import type { Contender } from './contender.js'
import { type PageScores, type RunOptions, visitsUsed } from './rule.js'

/** How one contender did with one budget. */
export interface EvaluationRow {
  readonly contender: string
  readonly kind: Contender['kind']
  /** Visits a page and day that were allowed, and that were used, beyond the first. */
  readonly perDay: number
  readonly usedPerDay: number
  /** Share of page time in which the copy equalled the page. */
  readonly freshness: number
  /** Standard error of the freshness, by leaving out one source at a time; null with a single source. */
  readonly freshnessError: number | null
  /** The same from `warmUp` after each page appeared. */
  readonly lateFreshness: number
  readonly copyAge: Seconds
  /** Share of the changes that a visit noticed. */
  readonly caught: number
  /** Share of the visits that found nothing new. */
  readonly needless: number
  /** The multiplier chosen in hindsight, for rules that know no budget. */
  readonly stretch: number | null
}

export interface EvaluateOptions {
  readonly contenders: readonly Contender[]
  /** Visits a page and day. */
  readonly budgets: readonly number[]
  readonly run: RunOptions
  /** Called before each run, for a progress bar. */
  readonly onRun?: (about: { contender: string; perDay: number }) => void
}

/** Every contender with every budget, on the same pages. */
export function evaluate(collection: ReplayCollection, options: EvaluateOptions): EvaluationRow[] {
  const rows: EvaluationRow[] = []
  for (const perDay of options.budgets) {
    for (const contender of options.contenders) {
      options.onRun?.({ contender: contender.name, perDay })
      const outcome = contender.compete({ collection, perDay, run: options.run })
      rows.push(rowOf(collection, { contender, perDay, ...outcome }))
    }
  }
  return rows
}

function rowOf(
  collection: ReplayCollection,
  o: { contender: Contender; perDay: number; scores: PageScores; stretch: number | null },
): EvaluationRow {
  const all = total(o.scores)
  const revisits = visitsUsed(o.scores)
  return {
    contender: o.contender.name,
    kind: o.contender.kind,
    perDay: o.perDay,
    usedPerDay: (revisits / all.time) * 86_400,
    freshness: all.freshness,
    freshnessError: errorBySource(collection, o.scores),
    lateFreshness: all.lateFreshness,
    copyAge: all.copyAge,
    caught: all.caughtShare,
    needless: revisits > 0 ? all.needless / revisits : 0,
    stretch: o.stretch,
  }
}

function total(scores: Iterable<Scores>): Scores {
  const sum = new Scores()
  for (const each of scores) sum.add(each)
  return sum
}

/**
 * Pages of one source are alike, so the error counts sources, not pages: the
 * jackknife over sources of the pooled freshness.
 */
function errorBySource(collection: ReplayCollection, scores: PageScores): number | null {
  const count = collection.sourceNames.length
  const bySource = Array.from({ length: count }, () => new Scores())
  scores.forEach((each, page) => {
    bySource[collection.sources[page]!]!.add(each)
  })
  const filled = bySource.filter((each) => each.time > 0)
  if (filled.length < 2) return null
  const all = total(filled)
  const without = filled.map((each) => (all.freshTime - each.freshTime) / (all.time - each.time))
  const centre = without.reduce((a, b) => a + b, 0) / without.length
  const squares = without.reduce((sum, each) => sum + (each - centre) ** 2, 0)
  return Math.sqrt((squares * (filled.length - 1)) / filled.length)
}
