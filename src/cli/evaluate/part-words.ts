import type { ReplayCollection } from '../../simulate/index.js'
import type { EvaluatedPart } from './run.js'

/** Pages, sources and changes of a collection. */
export function sizeOf({ ids, sources, times }: ReplayCollection) {
  return { pages: ids.length, sources: new Set(sources).size, changes: times.length }
}

/** What a part holds, in words. */
export function partWords({ pages, collection }: EvaluatedPart): string {
  const size = sizeOf(collection)
  const which = pages === 'all' ? 'All pages' : 'Pages with exact change times'
  return `${which}: ${size.pages} of ${size.sources} source${size.sources === 1 ? '' : 's'}, with ${size.changes} changes`
}

export function budgetWords(perDay: number): string {
  if (perDay === 1) return '1 visit a page and day'
  return `${perDay} visits a page and day`
}
