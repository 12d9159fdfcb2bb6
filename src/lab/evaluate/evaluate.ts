import { QuantileSketch } from '../statistics/quantile-sketch.js'
import type { ReplayCollection } from './collection.js'
import type { Contender } from './contender.js'
import {
  type CalibrationFound,
  type Competed,
  competed,
  type Measures,
  measuresOf,
  type PagesBySource,
} from './measures.js'
import type { RunOptions } from './policy-replay.js'

/** How a contender did on the pages of one source; errors by leaving out one page at a time. */
export interface SourceRow extends Measures {
  readonly source: string
  readonly pages: number
  readonly changes: number
}

/** How a contender did with one budget; errors by leaving out one source at a time. */
export interface EvaluationRow extends Measures {
  readonly contender: string
  readonly kind: Contender['kind']
  /** Visits a page and day that were allowed, beyond the first. */
  readonly perDay: number
  /** The multiplier chosen in hindsight, for rules that know no budget; null where none keeps it. */
  readonly stretch: number | null
  readonly bySource: readonly SourceRow[]
}

export interface EvaluateOptions {
  readonly contenders: readonly Contender[]
  /** Visits a page and day. */
  readonly budgets: readonly number[]
  readonly run: RunOptions
  /** Called before each run, for a progress bar. */
  readonly onRun?: (about: { contender: string; perDay: number }) => void
}

/** Which pages a table is about. */
type PageFilter = (page: number) => boolean

/** Every contender with every budget, on the same pages. */
export function evaluate(collection: ReplayCollection, options: EvaluateOptions): EvaluationRow[] {
  return evaluateParts(collection, { ...options, parts: [() => true] })[0]!
}

/**
 * The same, separately for parts of the pages. All are of one run: budgets and
 * stretches are those of the whole collection, so a part may have had more or
 * less than its share of the visits (`usedPerDay`).
 */
export function evaluateParts(
  collection: ReplayCollection,
  { parts, ...options }: EvaluateOptions & { readonly parts: readonly PageFilter[] },
): EvaluationRow[][] {
  const groups = parts.map((part) => pagesBySource(collection, part))
  const rows: EvaluationRow[][] = parts.map(() => [])
  for (const perDay of options.budgets) {
    const all = options.contenders.map((contender) => {
      options.onRun?.({ contender: contender.name, perDay })
      return competed(contender, { collection, perDay, run: options.run }, groups.flat())
    })
    const equal = all.find((each) => each.contender.name === 'equal')
    groups.forEach((sources, part) => {
      for (const each of all) rows[part]!.push(rowOf(each, { collection, sources, equal }))
    })
  }
  return rows
}

/** The sources that have any of these pages, in the collection's order. */
function pagesBySource(
  { sourceNames, sources }: ReplayCollection,
  keep: PageFilter,
): PagesBySource[] {
  const found = sourceNames.map((source) => ({ source, pages: [] as number[] }))
  sources.forEach((source, page) => {
    if (keep(page)) found[source]!.pages.push(page)
  })
  return found.filter(({ pages }) => pages.length > 0)
}

interface RowAbout {
  readonly collection: ReplayCollection
  readonly sources: readonly PagesBySource[]
  readonly equal: Competed | undefined
}

function rowOf(own: Competed, about: RowAbout): EvaluationRow {
  const { sources, equal } = about
  const { contender, perDay, stretch } = own
  return {
    contender: contender.name,
    kind: contender.kind,
    perDay,
    ...measuresOf(own, {
      units: sources.map(({ pages }) => pages),
      equal,
      sketch: merged(sources.map((each) => own.sketches.get(each)!)),
    }),
    stretch,
    bySource: sources.map((each) => sourceRow(own, each, about)),
  }
}

function sourceRow(
  own: Competed,
  group: PagesBySource,
  { collection: { offsets }, equal }: RowAbout,
): SourceRow {
  const { source, pages } = group
  return {
    source,
    pages: pages.length,
    changes: pages.reduce((sum, page) => sum + offsets[page + 1]! - offsets[page]!, 0),
    ...measuresOf(own, {
      units: pages.map((page) => [page]),
      equal,
      sketch: own.sketches.get(group)!,
    }),
  }
}

function merged(sketches: readonly (QuantileSketch | null)[]): QuantileSketch | null {
  const all = new QuantileSketch()
  for (const each of sketches) {
    if (each === null) return null
    all.merge(each)
  }
  return all
}

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
