import type {
  LoggedVisit,
  VisitList,
  VisitLogQuery,
  VisitQuery,
  VisitRange,
  VisitRecord,
} from '../../model/index.js'
import { readCursor, writeCursor } from '../list-cursor.js'
import type { MemoryState } from './memory-state.js'

export function visitsWithin(
  visits: readonly VisitRecord[],
  { from = -Infinity, until = Infinity, newest = Infinity }: VisitRange,
): VisitRecord[] {
  const within = visits.filter(({ at }) => at >= from && at < until)
  return within.slice(Math.max(0, within.length - newest))
}

export function listVisits(state: MemoryState, query: VisitQuery): VisitList {
  const { collection, from = -Infinity, until = Infinity, limit } = query
  const after = query.after === undefined ? 0 : readCursor(query.after).id
  const rest = state.log.filter(
    ({ number, page, visit }) =>
      number > after &&
      page.record.collection === collection &&
      visit.at >= from &&
      visit.at < until,
  )
  const stretch = rest.slice(0, limit)
  const last = rest.length > limit ? stretch[limit - 1] : undefined
  return {
    visits: stretch.map(({ page, visit }) => ({ ...visit, url: page.record.url })),
    next: last === undefined ? null : writeCursor({ value: null, id: last.number }),
  }
}

export function visitLog(state: MemoryState, query: VisitLogQuery): LoggedVisit[] {
  const { collection, after = 0, before = Infinity, limit } = query
  const found = state.log.filter(
    ({ number, page, visit }) =>
      number > after &&
      number < before &&
      page.record.collection === collection &&
      (query.changesOnly !== true || visit.outcome === 'changed'),
  )
  if (query.newestFirst === true) found.reverse()
  return found.slice(0, limit).map(({ number, page, visit }) => {
    const { id, url, group } = page.record
    return { ...visit, number, page: { id, url, ...(group === undefined ? {} : { group }) } }
  })
}
