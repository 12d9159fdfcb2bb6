import { Scores } from '../scores.js'
import type { ReplayCollection } from './collection.js'
import type { PageScores } from './rule.js'

/** The scores of each source that has any time, in order of source. */
export function scoresBySource(collection: ReplayCollection, scores: PageScores): Scores[] {
  const bySource = collection.sourceNames.map(() => new Scores())
  scores.forEach((each, page) => {
    bySource[collection.sources[page]!]!.add(each)
  })
  return bySource.filter((each) => each.time > 0)
}

/**
 * Standard error of a pooled figure, by leaving out one source at a time: pages
 * of one source are alike, so only sources count as independent. `without(i)`
 * is the figure on all sources but i. Null with a single source.
 */
export function jackknifeError(
  sources: number,
  without: (source: number) => number,
): number | null {
  if (sources < 2) return null
  const values = Array.from({ length: sources }, (_, source) => without(source))
  const centre = values.reduce((a, b) => a + b, 0) / sources
  const squares = values.reduce((sum, each) => sum + (each - centre) ** 2, 0)
  return Math.sqrt((squares * (sources - 1)) / sources)
}

/** Pooled freshness of all sources but one. */
export function freshnessWithout(bySource: readonly Scores[], source: number): number {
  let [fresh, time] = [0, 0]
  bySource.forEach((each, i) => {
    if (i === source) return
    fresh += each.freshTime
    time += each.time
  })
  return fresh / time
}
