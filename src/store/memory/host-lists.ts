import type { HostList, HostQuery, HostSummary } from '../../model/index.js'
import { hostKey, type MemoryState } from './memory-state.js'
import { filteredPages } from './page-lists.js'

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
