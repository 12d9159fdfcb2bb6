import { DAY, type Seconds } from '../../model/index.js'
import { Random } from '../../numeric/index.js'
import type { ReplayCollection } from './collection.js'
import { type ForecasterKind, forecasterKinds } from './forecaster-kinds.js'
import { type EvenLog, type Forecast, groupForecasts, pageForecasts } from './forecasts.js'
import { type LogLosses, logLosses } from './log-losses.js'

/** How well one estimator foretells whether the next visit sees a change. */
export interface PredictionRow extends LogLosses {
  readonly estimator: string
  /** Visits a page and day: all estimators look at the same visits, at even gaps. */
  readonly perDay: number
  /** Pages that were scored: all, or a seeded choice where there would be too many observations. */
  readonly pages: number
}

/** Beyond so many observations only some of the pages are scored: the same for everyone. */
const mostObservations = 1_500_000

/**
 * Logarithmic loss of every estimator on one shared log: each page visited at
 * the budget's even gap, whatever anyone believes. Priors and laws are those
 * that the other sources taught; where a row learns from its own group, from
 * visits before the day of the forecast. An estimator that has no number yet
 * gives 1/2, one that saw no change the time sampled. Estimators that need
 * Last-Modified are in it only where pages tell it.
 */
export function predictionScores(
  collection: ReplayCollection,
  options: {
    readonly perDay: number
    readonly seed: number
    /** Whether pages tell when they last changed. */
    readonly lastModified?: boolean
  },
): PredictionRow[] {
  const { perDay, seed, lastModified = false } = options
  const gap = DAY / perDay
  const pages = somePages(collection, { gap, seed })
  return forecasterKinds(collection, options).map((kind) => ({
    estimator: kind.name,
    perDay,
    ...logLosses(forecasts(collection, { kind, pages, gap, lastModified })),
    pages: pages.length,
  }))
}

/** All pages, or a seeded choice of so many as the observations allow. */
function somePages(
  { ids, from, until }: ReplayCollection,
  { gap, seed }: { gap: Seconds; seed: number },
): number[] {
  const pages = ids.map((_, page) => page)
  const all = pages.reduce((sum, page) => sum + (until[page]! - from[page]!) / gap, 0)
  if (all <= mostObservations) return pages
  const random = new Random(seed)
  const share = mostObservations / all
  const kept = pages.filter(() => random.uniform() < share)
  return kept.length > 0 ? kept : pages.slice(0, 1)
}

/** The forecasts of one kind, source by source. */
function* forecasts(
  collection: ReplayCollection,
  { kind, pages, ...log }: EvenLog & { kind: ForecasterKind; pages: readonly number[] },
): Generator<Forecast> {
  for (let source = 0; source < collection.sourceNames.length; source++) {
    const own = pages.filter((page) => collection.sources[page] === source)
    if (own.length === 0) continue
    if (kind.grouped) {
      yield* groupForecasts(collection, { ...log, pages: own, forecaster: kind.forSource(source) })
      continue
    }
    const forecaster = kind.forSource(source)
    for (const page of own) yield* pageForecasts(collection, { ...log, page, forecaster })
  }
}
