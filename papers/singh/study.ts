import {
  consistentWindows,
  type ErrorMeasure,
  type EstimatorComparison,
  EstimatorTally,
  type UpdateSeries,
} from 'revisit/estimators'
import { contenders, paperWindows, printedWeibull, visitors } from './contenders.js'
import type { PageSet } from './page-set.js'
import { ReplayTotals } from './replay-totals.js'
import { SizeErrors } from './size-errors.js'

/** Windows shorter than this are no windows of the paper: section 5. */
export const fewestPoints = 4

/** Pages on which the readings beside the main one are tried, about. */
const mostBeside = 30_000

/** All that Tables 1 to 3 and Figure 1 need of one set of pages. */
export interface Study {
  readonly set: PageSet
  readonly updates: number
  readonly compared: Readonly<Record<ErrorMeasure, EstimatorComparison>>
  /** The same with the corrected lambda of section 3.2, which the paper's experiments use. */
  readonly asPrinted: Readonly<Record<ErrorMeasure, EstimatorComparison>>
  /** One step ahead, by the number of points in a window. */
  readonly bySize: SizeErrors
  /** In the order of `visitors`. */
  readonly replays: readonly ReplayTotals[]
}

/**
 * Runs both experiments of section 5 over a set, page by page, nothing kept.
 * O(updates x estimators).
 */
export function studyOf(set: PageSet, progress: (share: number) => void): Study {
  const ahead = new EstimatorTally({ estimators: contenders, measure: 'one-step-ahead' })
  const literal = new EstimatorTally({ estimators: contenders, measure: 'literal' })
  const estimators = [contenders[0]!, printedWeibull, contenders[2]!]
  const printedAhead = new EstimatorTally({ estimators, measure: 'one-step-ahead' })
  const printedLiteral = new EstimatorTally({ estimators, measure: 'literal' })
  const bySize = new SizeErrors(contenders.length)
  const replays = visitors.map((visitor) => new ReplayTotals(visitor))
  // Readings beside the main one need no hundreds of thousands of pages.
  const sparse = Math.max(1, Math.round(set.pages / mostBeside))
  let updates = 0
  let done = 0
  const add = (series: UpdateSeries) => {
    const beside = done % sparse === 0
    for (const window of consistentWindows(series, paperWindows)) {
      if (window.points.length < fewestPoints) continue
      bySize.add(window.points.length, ahead.add(window))
      literal.add(window)
      if (!beside) continue
      printedAhead.add(window)
      printedLiteral.add(window)
    }
    for (const each of replays) if (beside || each.visitor.nextDay !== true) each.add(series)
  }
  for (const series of set.series()) {
    updates += series.points.length
    add(series)
    if (++done % 256 === 0) progress(done / set.pages)
  }
  const compared = { 'one-step-ahead': ahead.result(), literal: literal.result() }
  const asPrinted = {
    'one-step-ahead': printedAhead.result(),
    literal: printedLiteral.result(),
  }
  return { set, updates, compared, asPrinted, bySize, replays }
}
