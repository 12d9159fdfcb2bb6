import { QuantileSketch } from '../statistics/quantile-sketch.js'
import type { ReplayCollection } from './collection.js'
import { type Competed, competed, type PagesBySource } from './competed.js'
import type { Contender } from './contender.js'
import { type Measures, measuresOf } from './measures.js'
import type { RunOptions } from './rule.js'

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
export type PageFilter = (page: number) => boolean

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
