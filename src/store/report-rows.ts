import { outcomes } from '../model/history.js'
import { type HostRecord, mayReplace } from '../model/lease.js'
import type { Json } from '../model/units.js'
import type { VisitReport } from '../model/visit-record.js'
import { rowId } from './page-row.js'

/** A report as it is written: nothing in it but what a column can hold. */
export interface WrittenVisit {
  readonly page: number
  readonly token: number
  readonly at: number
  /** Place in `outcomes`. */
  readonly outcome: number
  readonly status: number | null
  readonly gap: number | null
  readonly contentAge: number | null
  readonly lastModified: number | null
  readonly unchangedFor: number | null
  readonly bytes: number
  readonly duration: number
  readonly fault: string | null
  readonly fingerprint: string | null
  /** Null for never. */
  readonly due: number | null
  readonly reason: string
  /** Null leaves what was there, here and in all that follows up to `movedTo`. */
  readonly learner: string | null
  readonly state: Float64Array | null
  /** 1 if the server told its validators: then they count, also where they are null. */
  readonly hasValidators: number
  readonly etag: string | null
  readonly modified: string | null
  readonly hints: string | null
  readonly noise: string | null
  /** Empty for a page that is at its own address again. */
  readonly movedTo: string | null
  /** 1 if the lease goes on. */
  readonly held: number
  /** Name of the host whose record goes with this visit. */
  readonly host: string | null
  readonly body: Uint8Array | null
  /** Of the body, where it is known already. */
  readonly digest: string | null
  readonly mediaType: string | null
  readonly headers: string | null
}

/** What politeness remembers of a host, as it is written. */
export interface WrittenHost {
  readonly host: string
  readonly state: string
  readonly until: number | null
  /** Null leaves what was there. */
  readonly hints: string | null
  /** Fence of the record; null where it has none. */
  readonly token: number | null
  readonly step: number | null
}

export interface WrittenReports {
  readonly visits: readonly WrittenVisit[]
  /** One record for each host that the visits name. */
  readonly hosts: readonly WrittenHost[]
}

/** What is known of hosts after visits to them, by name. */
export type HostRecords = Map<string, HostRecord>

export function writtenReports(reports: readonly VisitReport[]): WrittenReports {
  const hosts: HostRecords = new Map()
  const visits = reports.map((report) => {
    keepHost(hosts, report)
    return writtenVisit(report)
  })
  return { visits, hosts: writtenHosts(hosts) }
}

/**
 * Of a host that was visited several times the newest record counts: each of
 * them tells all that was known by then. A visit that took long to read may be
 * reported after one that came later. The hints of a record before stay where
 * the newer one has none: what is left out stays.
 */
export function keepHost(hosts: HostRecords, { host: record }: VisitReport): void {
  if (record === undefined) return
  const before = hosts.get(record.host)
  const hints = record.hints ?? before?.hints
  const newest = before === undefined || mayReplace(record, before.fence) ? record : before
  hosts.set(record.host, hints === undefined ? newest : { ...newest, hints })
}

export function writtenHosts(hosts: HostRecords): WrittenHost[] {
  return Array.from(hosts.values(), writtenHost)
}

export function writtenHost({ host, state, blockedUntil, hints, fence }: HostRecord): WrittenHost {
  const order = { token: fence?.token ?? null, step: fence?.step ?? null }
  return { host, state: JSON.stringify(state), until: blockedUntil, hints: textOf(hints), ...order }
}

export function writtenVisit(report: VisitReport): WrittenVisit {
  const { lease, visit, due, state, validators, content, host } = report
  return {
    page: rowId(lease.page.id),
    token: lease.token,
    at: visit.at,
    outcome: outcomes.indexOf(visit.outcome),
    status: visit.status,
    gap: visit.gap,
    contentAge: visit.contentAge,
    lastModified: visit.lastModified ?? null,
    unchangedFor: visit.unchangedFor ?? null,
    bytes: visit.bytes,
    duration: visit.duration,
    fault: visit.fault,
    fingerprint: visit.fingerprint,
    due: due.at === 'never' ? null : due.at,
    reason: due.reason,
    learner: state === undefined ? null : state.learner,
    state: state === undefined ? null : state.numbers,
    hasValidators: validators === undefined ? 0 : 1,
    etag: validators?.etag ?? null,
    modified: validators?.lastModified ?? null,
    hints: textOf(report.hints),
    noise: textOf(report.noise),
    movedTo: report.movedTo === null ? '' : (report.movedTo ?? null),
    held: report.keepLease === true ? 1 : 0,
    host: host === undefined ? null : host.host,
    body: content === undefined ? null : content.body,
    digest: content?.digest ?? null,
    mediaType: content?.mediaType ?? null,
    headers: content?.headers === undefined ? null : JSON.stringify(content.headers),
  }
}

/** JSON's null is the text `null`, and counts. */
function textOf(json: Json | undefined): string | null {
  return json === undefined ? null : JSON.stringify(json)
}
