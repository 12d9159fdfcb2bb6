import { InputError } from '../../model/errors.js'
import { succeeded, type Visit } from '../../model/history.js'
import type { Lease } from '../../model/lease.js'
import { type LearnerState, type PageRecord, pageUrl, unvisitedPage } from '../../model/page.js'
import type { Due } from '../../model/policy.js'
import type { UnixSeconds } from '../../model/units.js'
import type { VisitRecord, VisitReport } from '../../model/visit-record.js'
import type { Planner } from '../../planner/step.js'
import { batch, type Imported, type ImportParts, ReportChain, randomOf } from './import-visits.js'

/**
 * A page after all of its visits: what was learned from them, the last visit
 * that saw it, and those after it that did not. As much as a store needs to go
 * on, whatever the length of the log.
 */
export interface FoldedPage {
  readonly url: string
  /** Null where no visit saw the page. */
  readonly seen: {
    readonly visit: VisitRecord
    readonly state: LearnerState | null
    readonly due: Due
  } | null
  readonly unseen: readonly Visit[]
}

/** Learns from the visits of a page that nothing is known of, in order of time, without a store. Pure. */
export function foldVisits(
  { url, visits }: { readonly url: string; readonly visits: readonly Visit[] },
  parts: {
    readonly collection: string
    readonly plannerFor: (page: PageRecord) => Planner
    readonly now: UnixSeconds
  },
): FoldedPage {
  const page = unvisitedPage({ url, ...parts })
  const lease: Lease = { ...page, page, token: 0, worker: 'fold', expiresAt: parts.now }
  const chain = new ReportChain(lease, { planner: parts.plannerFor(page), random: randomOf(url) })
  let seen: FoldedPage['seen'] = null
  let unseen: Visit[] = []
  for (const visit of visits) {
    const report = chain.report(visit)
    if (report === undefined) continue
    if (succeeded(report.visit.outcome)) {
      seen = { visit: report.visit, state: chain.page.state, due: report.due }
      unseen = []
    } else unseen.push({ at: visit.at, outcome: visit.outcome })
  }
  return { url, seen, unseen }
}

/** How pages are written: lines of JSON, or rows `url, state` as PostgreSQL's COPY takes them. */
export type FoldedFormat = 'jsonl' | 'copy'

/** One line; the numbers of a state as the base64 of their bytes, which keeps every bit. */
export function foldedLine({ url, seen, unseen }: FoldedPage, format: FoldedFormat): string {
  const state = seen?.state && {
    learner: seen.state.learner,
    numbers: Buffer.from(Float64Array.from(seen.state.numbers).buffer).toString('base64'),
  }
  const json = JSON.stringify({ url, seen: seen && { ...seen, state }, unseen })
  return format === 'jsonl' ? json : `${escaped(url)}\t${escaped(json)}`
}

/** COPY's text format: a backslash begins an escape; JSON has no tab and no end of line in it. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\')
}

/** The page that such a line of either format holds; refused where it is none. */
export function foldedPage(line: string, where: string): FoldedPage {
  const fault = () =>
    new InputError(
      'bad-state',
      `${where}: this is no line that revisit fold wrote, or it was cut short`,
    )
  let value: { url?: unknown; seen?: FoldedPage['seen']; unseen?: unknown }
  const tab = line.startsWith('{') ? -1 : line.indexOf('\t')
  try {
    value = JSON.parse(tab < 0 ? line : line.slice(tab + 1).replaceAll('\\\\', '\\'))
  } catch {
    throw fault()
  }
  const { url, seen = null, unseen } = value
  if (typeof url !== 'string' || !Array.isArray(unseen)) throw fault()
  if (seen === null) return { url, seen, unseen }
  if (typeof seen.visit?.at !== 'number' || typeof seen.due?.reason !== 'string') throw fault()
  const state = seen.state && {
    learner: seen.state.learner,
    numbers: doubles(String(seen.state.numbers)),
  }
  return { url, seen: { ...seen, state }, unseen }
}

function doubles(base64: string): Float64Array {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'))
  return new Float64Array(bytes.buffer, 0, Math.floor(bytes.length / 8))
}

/** Records folded pages; one that the store has seen since its last visit is left as it is. */
export async function importFolded(
  pages: AsyncIterable<FoldedPage> | Iterable<FoldedPage>,
  parts: ImportParts,
): Promise<Imported> {
  const result: Imported = { pages: 0, newPages: 0, visits: 0, late: 0, busy: 0 }
  let some: FoldedPage[] = []
  for await (const page of pages) {
    some.push(page)
    if (some.length === batch) {
      await importSome(some, { parts, result })
      some = []
    }
  }
  await importSome(some, { parts, result })
  return result
}

async function importSome(
  some: readonly FoldedPage[],
  { parts, result }: { parts: ImportParts; result: Imported },
): Promise<void> {
  const { store, collection, terms } = parts
  if (some.length === 0) return
  const added = some.map(({ url }) => ({ url }))
  result.newPages += (await store.addPages({ collection, pages: added, now: terms.now })).added
  const pages = some.map(({ url }) => ({ collection, url }))
  const leases = await store.leasePages({ ...terms, pages })
  const taken = new Set<string>()
  const leaseOf = new Map(leases.map((lease) => [lease.page.url, lease]))
  const reports: VisitReport[] = []
  for (const folded of some) {
    const url = pageUrl(folded.url)
    const lease = leaseOf.get(url)
    result.pages++
    if (taken.has(url)) {
      result.late++
      continue
    }
    if (lease === undefined) {
      result.busy++
      continue
    }
    taken.add(url)
    const known = lease.page.lastVisit?.at ?? -Infinity
    const all = reportsOf(folded, { lease, parts })
    const fresh = all.filter(({ visit }) => visit.at > known)
    result.late += all.length - fresh.length
    if (fresh.length === all.length) reports.push(...all)
  }
  const fates = await store.recordVisits(reports)
  result.visits += fates.filter((fate) => fate === 'recorded').length
  await store.releaseLeases(leases)
}

function reportsOf(
  { seen, unseen }: FoldedPage,
  { lease, parts }: { lease: Lease; parts: ImportParts },
): VisitReport[] {
  const reports: VisitReport[] = []
  let { page } = lease
  if (seen !== null) {
    const { visit, due, state } = seen
    const { at, outcome, status } = visit
    reports.push({ lease, visit, due, ...(state === null ? {} : { state }), keepLease: true })
    page = {
      ...page,
      due,
      state,
      lastVisit: { at, outcome, status },
      lastSeen: at,
      failing: 0,
      gone: 0,
    }
  }
  const planner = parts.plannerFor(page)
  const chain = new ReportChain({ ...lease, page }, { planner, random: randomOf(page.url) })
  for (const visit of unseen) reports.push(...[chain.report(visit) ?? []].flat())
  return reports
}
