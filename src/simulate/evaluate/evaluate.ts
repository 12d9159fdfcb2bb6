import type { Seconds } from '../../model/index.js'
import { Scores } from '../scores.js'
import type { ReplayCollection } from './collection.js'
import type { Contender } from './contender.js'
import { type PageScores, type RunOptions, visitsUsed } from './rule.js'
import { freshnessWithout, jackknifeError, scoresBySource } from './source-jackknife.js'

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
  /**
   * Freshness less that of the contender `equal` with the same budget, and its
   * error: far smaller than that of either, since both met the same changes.
   * Null where `equal` does not compete.
   */
  readonly overEqual: number | null
  readonly overEqualError: number | null
  /** Freshness from `warmUp` after each page appeared. */
  readonly lateFreshness: number
  readonly copyAge: Seconds
  /** Share of the changes that a visit noticed. */
  readonly caught: number
  /** Share of the visits that found nothing new. */
  readonly needless: number
  /** The multiplier chosen in hindsight, for rules that know no budget; null where none keeps it. */
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
    const outcomes: Competed[] = []
    for (const contender of options.contenders) {
      options.onRun?.({ contender: contender.name, perDay })
      const outcome = contender.compete({ collection, perDay, run: options.run })
      outcomes.push({ contender, perDay, ...outcome })
    }
    const equal = outcomes.find((each) => each.contender.name === 'equal')
    for (const each of outcomes) rows.push(rowOf(collection, each, equal))
  }
  return rows
}

interface Competed {
  readonly contender: Contender
  readonly perDay: number
  readonly scores: PageScores
  readonly stretch: number | null
}

function rowOf(
  collection: ReplayCollection,
  o: Competed,
  equal: Competed | undefined,
): EvaluationRow {
  const all = total(o.scores)
  const own = scoresBySource(collection, o.scores)
  const even = equal === undefined ? null : scoresBySource(collection, equal.scores)
  const revisits = visitsUsed(o.scores)
  return {
    contender: o.contender.name,
    kind: o.contender.kind,
    perDay: o.perDay,
    usedPerDay: (revisits / all.time) * 86_400,
    freshness: all.freshness,
    freshnessError: jackknifeError(own.length, (source) => freshnessWithout(own, source)),
    overEqual: equal === undefined ? null : all.freshness - total(equal.scores).freshness,
    overEqualError:
      even &&
      jackknifeError(
        own.length,
        (source) => freshnessWithout(own, source) - freshnessWithout(even, source),
      ),
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
