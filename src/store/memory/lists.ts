import { OptionError } from '../../model/errors.js'
import type { HostList, HostQuery, HostSummary } from '../../model/lease.js'
import {
  isOfGroup,
  type PageFilter,
  type PageList,
  type PageQuery,
  type PageRecord,
  type PageSort,
  pageSorts,
} from '../../model/page.js'
import type { StoreHealth, StoreTotals } from '../../model/store.js'
import type { UnixSeconds } from '../../model/units.js'
import type {
  LoggedVisit,
  VisitList,
  VisitLogQuery,
  VisitQuery,
  VisitRange,
  VisitRecord,
} from '../../model/visit-record.js'
import { type ListCursor, readCursor, writeCursor } from '../request-checks.js'
import { isInShare } from '../rules.js'
import { hostKey, type KeptPage, type MemoryState } from './state.js'

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
    (filter.group === undefined || isOfGroup(record, filter.group)) &&
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

export function listHosts(state: MemoryState, query: HostQuery): HostList {
  const { nameContains = '', restingAt, after = '', limit } = query
  const rest = summaries(state, query.collection)
    .filter(({ host }) => host > after && host.includes(nameContains))
    .filter(({ blockedUntil }) => restingAt === undefined || (blockedUntil ?? 0) > restingAt)
    .sort((a, b) => (a.host < b.host ? -1 : 1))
  const hosts = rest.slice(0, limit)
  return { hosts, next: rest.length > limit ? (hosts.at(-1)?.host ?? null) : null }
}

function summaries(state: MemoryState, collection: string): HostSummary[] {
  const byHost = new Map<string, number[]>()
  for (const { record } of filteredPages(state, { collection }))
    byHost.set(record.host, [...(byHost.get(record.host) ?? []), dueTime(record.due.at)])
  return [...byHost].map(([host, dues]) => ({
    host,
    pages: dues.length,
    firstDue: Math.min(...dues) === Infinity ? null : Math.min(...dues),
    blockedUntil: state.hosts.get(host)?.blockedUntil ?? null,
    lastVisit: state.served.get(hostKey({ collection, host })) ?? null,
  }))
}

function dueTime(at: number | 'never'): number {
  return at === 'never' ? Infinity : at
}

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
    const { id, url, group, tags } = page.record
    const place = {
      id,
      url,
      ...(group === undefined ? {} : { group }),
      ...(tags.length === 0 ? {} : { tags }),
    }
    return { ...visit, number, page: place }
  })
}

export function healthOf(
  state: MemoryState,
  { collection, now }: { readonly collection: string; readonly now: UnixSeconds },
): StoreHealth {
  const pages = filteredPages(state, { collection }).map(({ record }) => record)
  const dues = pages.flatMap(({ due }) => (due.at === 'never' ? [] : [due.at]))
  const inFlight = [...state.leases.values()].filter(
    ({ page, expires }) => page.record.collection === collection && expires > now,
  )
  return {
    pages: pages.length,
    hosts: new Set(pages.map(({ host }) => host)).size,
    dueNow: dues.filter((at) => at <= now).length,
    inFlight: inFlight.length,
    oldestDue: dues.length === 0 ? null : Math.min(...dues),
  }
}

/** Nothing is packed in memory. */
export function totalsOf({ pages, log, contents }: MemoryState): StoreTotals {
  const bytes = [...contents.values()].reduce((sum, body) => sum + body.length, 0)
  return {
    pages: pages.size,
    visits: log.length,
    versions: [...pages.values()].reduce((sum, page) => sum + page.versions.length, 0),
    snapshots: contents.size,
    contentBytes: bytes,
    packedBytes: bytes,
  }
}

/** What a page's record and its visits do not agree on. */
export function problemsOf({ pages }: MemoryState): string[] {
  return [...pages.values()]
    .filter(({ record, visits }) => record.visits !== visits.length)
    .map(({ record }) => `${record.url} has a wrong number of visits`)
}
