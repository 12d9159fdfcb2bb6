import type { Retention } from '../../model/store.js'
import type { Content, RecordResult, VisitReport } from '../../model/visit-record.js'
import { digestOf } from '../content.js'
import { recordAfter } from '../page-row.js'
import { prunedVersions } from '../rules.js'
import type { KeptPage, MemoryState } from './state.js'

/** Takes reports in, each whole or not at all, and the last record of each host that one of them was about. */
export function recordVisits(
  state: MemoryState,
  reports: readonly VisitReport[],
  retention: Retention,
): RecordResult[] {
  const results = reports.map((report) => recordVisit(state, report, retention))
  const recorded = reports.filter((_, at) => results[at] === 'recorded')
  const hosts = new Set(recorded.map(({ host }) => host?.host))
  for (const { host } of reports)
    if (host !== undefined && hosts.has(host.host)) state.putHost(host)
  return results
}

function recordVisit(state: MemoryState, report: VisitReport, retention: Retention): RecordResult {
  const { lease, visit } = report
  const held = state.leases.get(Number(lease.page.id))
  if (held === undefined || held.token !== lease.token) return 'lease-lost'
  const { page } = held
  const last = page.record.lastVisit
  if (last !== null && visit.at <= last.at) return 'not-forward'
  state.append(page, visit)
  page.lastToken = lease.token
  const { due } = held.dueSet === true ? page.record : report
  page.record = structuredClone(recordAfter(page.record, { ...report, due }))
  if (report.content !== undefined)
    keepContent(state, { page, content: report.content, at: visit.at, retention })
  if (report.keepLease !== true) state.leases.delete(page.number)
  return 'recorded'
}

/** Versions of a page that a rule no longer keeps, taken away; how many. */
export function pruneVersions(
  state: MemoryState,
  page: KeptPage,
  rule: { readonly retention: Retention; readonly now: number },
): number {
  const gone = new Set(prunedVersions([...page.versions].reverse(), rule))
  page.versions = page.versions.filter((version) => !gone.has(version))
  if (gone.size > 0) state.forgetContents()
  return gone.size
}

function keepContent(
  state: MemoryState,
  {
    page,
    content,
    at,
    retention,
  }: {
    readonly page: KeptPage
    readonly content: Content
    readonly at: number
    readonly retention: Retention
  },
): void {
  const digest = digestOf(content.body)
  if (page.versions.at(-1)?.digest === digest) return
  state.contents.set(digest, Uint8Array.from(content.body))
  const { body, mediaType = null, headers } = content
  page.versions.push({ at, digest, bytes: body.length, mediaType, headers: headers ?? null })
  pruneVersions(state, page, { retention, now: at })
}
