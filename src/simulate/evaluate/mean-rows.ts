import type { EvaluationRow, SourceRow } from './evaluate.js'
import type { CalibrationFound, Measures } from './measures.js'

/** The figures that are given as means over seeds. */
const figures = [
  'freshness',
  'freshnessError',
  'overEqual',
  'overEqualError',
  'lateFreshness',
  'copyAge',
  'delay',
  'delayError',
  'delay90',
  'caught',
  'needless',
  'requests',
  'usedPerDay',
] as const
type Figure = (typeof figures)[number]

/** Standard deviation of a figure over the seeds; null with one seed, and where a seed has no such figure. */
export type Spread = Readonly<Record<Figure, number | null>>

export interface MeanSourceRow extends SourceRow {
  readonly spread: Spread
}

/** Means over seeds of one contender and budget. */
export interface MeanRow extends EvaluationRow {
  readonly spread: Spread
  readonly bySource: readonly MeanSourceRow[]
}

/**
 * The same tables of several seeds as one: a mean for each figure, and how far
 * chance moved it. Standard errors are means of standard errors, since what
 * they tell of, which sources were at hand, is the same for every seed.
 */
export function meanRows(runs: readonly (readonly EvaluationRow[])[]): MeanRow[] {
  return runs[0]!.map((row, i) => {
    const same = runs.map((rows) => rows[i]!)
    const bySource = row.bySource.map((each, k) => {
      const ofSource = same.map((other) => other.bySource[k]!)
      const changes = meanOf(ofSource.map((other) => other.changes))!
      return { ...each, changes, ...meanMeasures(ofSource) }
    })
    const stretch = meanOf(same.map((each) => each.stretch))
    return { ...row, ...meanMeasures(same), stretch, bySource }
  })
}

function meanMeasures(same: readonly Measures[]): Measures & { spread: Spread } {
  const means: Partial<Record<Figure, number | null>> = {}
  const spread: Partial<Record<Figure, number | null>> = {}
  for (const figure of figures) {
    const values = same.map((each) => each[figure])
    means[figure] = meanOf(values)
    spread[figure] = deviation(values)
  }
  const calibration = meanCalibration(same.map((each) => each.calibration))
  return { ...same[0]!, ...(means as Measures), calibration, spread: spread as Spread }
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((each) => each !== null)
  if (known.length < values.length) return null
  return known.reduce((sum, each) => sum + each, 0) / known.length
}

function deviation(values: readonly (number | null)[]): number | null {
  const known = values.filter((each) => each !== null)
  if (known.length < values.length || known.length < 2) return null
  const mean = meanOf(known)!
  const squares = known.reduce((sum, each) => sum + (each - mean) ** 2, 0)
  return Math.sqrt(squares / (known.length - 1))
}

function meanCalibration(all: readonly (CalibrationFound | null)[]): CalibrationFound | null {
  const known = all.filter((each) => each !== null)
  const first = known[0]
  if (first === undefined || known.length < all.length) return null
  return {
    predicted: meanOf(known.map((each) => each.predicted))!,
    realised: meanOf(known.map((each) => each.realised))!,
    difference: meanOf(known.map((each) => each.difference))!,
    differenceError: meanOf(known.map((each) => each.differenceError)),
    bounds: first.bounds.map(({ after }, i) => {
      const same = known.map((each) => each.bounds[i]!)
      return {
        after,
        pages: meanOf(same.map((each) => each.pages))!,
        held: meanOf(same.map((each) => each.held)),
      }
    }),
  }
}
