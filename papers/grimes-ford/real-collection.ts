import { logGrid, periodHistogram } from 'revisit/estimators'
import { HOUR, type RecordedChanges, type Seconds, YEAR } from 'revisit/model'
import type { Collection } from './collection.js'

/** Cells wide enough for a thousand pages. */
const grid = logGrid({ shortest: HOUR, longest: 20 * YEAR, nodes: 41 })

/**
 * The change periods of the real pages: length of the record over its
 * changes. Sources fall into two halves, and a page knows only the law of the
 * other half, so that nothing is judged where it was learned. Pages without a
 * change tell no period, and pages that changed at more than 80% of the
 * recorder's visits too little of theirs.
 */
export function realCollection(
  histories: readonly RecordedChanges[],
  { every = 1 }: { readonly every?: number } = {},
): Collection {
  const sources = [...new Set(histories.map(({ source }) => source))].sort()
  const halfOf = ({ source }: RecordedChanges) => sources.indexOf(source) % 2
  const reported = histories.filter(tellsPeriod)
  const laws = [1, 0].map((other) => {
    const learned = reported.filter((history) => halfOf(history) === other)
    return periodHistogram(learned.map(periodOf), { grid }).prior
  })
  const tried = reported.filter((_, i) => i % every === 0)
  return {
    name: 'real pages',
    about: `the change periods of ${tried.length.toLocaleString('en')} real pages, the law that of other sources`,
    changePeriods: Float64Array.from(tried, periodOf),
    laws,
    lawOf: (page) => halfOf(tried[page]!),
  }
}

function tellsPeriod({ from, until, changes, cadence }: RecordedChanges): boolean {
  return changes.length > 0 && changes.length * cadence <= 0.8 * (until - from)
}

function periodOf({ from, until, changes }: RecordedChanges): Seconds {
  return (until - from) / changes.length
}
