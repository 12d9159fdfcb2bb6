import {
  OptionError,
  type PageFilter,
  type PageList,
  type PageQuery,
  type PageRecord,
  type PageSort,
  pageSorts,
} from '../../model/index.js'
import { isInShare } from '../even-share.js'
import { type ListCursor, readCursor, writeCursor } from '../list-cursor.js'
import type { KeptPage, MemoryState } from './memory-state.js'

type SortValue = ListCursor['value']

/** What each order goes by. */
const sortValue: Record<PageSort, (page: KeptPage) => SortValue> = {
  added: ({ number }) => number,
  url: ({ record }) => record.url,
  due: ({ record }) => (record.due.at === 'never' ? null : record.due.at),
  importance: ({ record }) => record.importance,
  lastVisit: ({ record }) => record.lastVisit?.at ?? null,
  lastChange: ({ record }) => record.lastChange,
}

export function filteredPages(state: MemoryState, filter: PageFilter): KeptPage[] {
  const { share = 1 } = filter
  return [...state.pages.values()].filter(
    ({ record, number }) => isInShare(number, share) && passes(record, filter),
  )
}

export function listPages(state: MemoryState, query: PageQuery): PageList {
  const { sort = 'added', descending = false, limit, after } = query
  if (!pageSorts.includes(sort))
    throw new OptionError('bad-sort', `pages can be sorted by ${pageSorts.join(', ')}`)
  const cursors = filteredPages(state, query)
    .map((page) => ({ page, value: sortValue[sort](page), id: page.number }))
    .sort((a, b) => compare(a, b, descending))
  const start = after === undefined ? undefined : readCursor(after)
  const rest =
    start === undefined ? cursors : cursors.filter((each) => compare(each, start, descending) > 0)
  const stretch = rest.slice(0, limit)
  const last = rest.length > limit ? stretch[limit - 1] : undefined
  return {
    pages: stretch.map(({ page }) => structuredClone(page.record)),
    next: last === undefined ? null : writeCursor({ value: last.value, id: last.id }),
  }
}

function passes(record: PageRecord, filter: PageFilter): boolean {
  return (
    record.collection === filter.collection &&
    (filter.host === undefined || record.host === filter.host) &&
    (filter.group === undefined || record.group === filter.group) &&
    (filter.outcome === undefined || record.lastVisit?.outcome === filter.outcome) &&
    (filter.urlContains === undefined || record.url.includes(filter.urlContains)) &&
    (filter.dueBy === undefined || (record.due.at !== 'never' && record.due.at <= filter.dueBy))
  )
}

function compare(a: ListCursor, b: ListCursor, descending: boolean): number {
  if (a.value === null || b.value === null)
    return Number(a.value === null) - Number(b.value === null) || a.id - b.id
  const way = a.value < b.value ? -1 : a.value > b.value ? 1 : 0
  return (descending ? -way : way) || a.id - b.id
}
