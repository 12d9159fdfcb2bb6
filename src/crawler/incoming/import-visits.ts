import { sliceOf } from '../../formats/bytes/byte-slice.js'
import { hashBytes } from '../../formats/histories/digest.js'
import { observe, succeeded, type Visit } from '../../model/history.js'
import type { Lease, LeaseTerms } from '../../model/lease.js'
import type { PageRecord } from '../../model/page.js'
import type { Due, Policy } from '../../model/policy.js'
import type { Store } from '../../model/store.js'
import type { RandomSource } from '../../model/units.js'
import type { VisitReport } from '../../model/visit-record.js'
import { Random } from '../../numeric/random.js'
import { learned } from '../../planner/learned-step.js'
import type { Planner } from '../../planner/step.js'
import { afterFailure, afterGone, afterRefusal } from '../../visit/backoff.js'

/**
 * The report of a visit that was made elsewhere and reported by a log: no answer
 * and no content, but outcome, observation, state and due time as if it had
 * been made here. The page is as it was after the visit before; a first
 * success is recorded as one, whatever the log compared it with. Pure.
 */
function recordedReport(recorded: {
  readonly lease: Lease
  readonly page: PageRecord
  readonly visit: Visit
  readonly planner: Planner
  readonly random: RandomSource
}): VisitReport {
  const { lease, page, planner, random } = recorded
  const { at, lastModified, unchangedFor } = recorded.visit
  const seen = succeeded(recorded.visit.outcome)
  const outcome = seen && page.lastSeen === null ? 'first' : recorded.visit.outcome
  const visit = { at, outcome, ...(lastModified === undefined ? {} : { lastModified }) }
  const record = { ...visit, status: null, fingerprint: null, bytes: 0, duration: 0, fault: null }
  if (!seen)
    return {
      lease,
      visit: { ...record, gap: null, contentAge: null },
      due: dueAfterUnseen(page, recorded.visit, planner.policy),
      keepLease: true,
    }
  const compared = unchangedFor === undefined ? visit : { ...visit, unchangedFor }
  const observation = outcome === 'first' ? null : observe({ at: page.lastSeen! }, compared)
  const { due, state, contentAge } = learned({ planner, random }, { page, observation, visit })
  const gap = observation?.gap ?? null
  const known =
    observation?.unchangedFor === undefined ? {} : { unchangedFor: observation.unchangedFor }
  return { lease, visit: { ...record, ...known, gap, contentAge }, due, state, keepLease: true }
}

/** A page that was gone, refused or failing elsewhere is left alone for as long as if that had been met here. */
function dueAfterUnseen(
  { failing, gone }: PageRecord,
  { at, outcome }: Visit,
  { minGap }: Policy,
): Due {
  // A log tells no fault, so a failure waits as the plainest does.
  const source = 'reported by a log'
  if (outcome === 'gone') return afterGone(at, { gone, minGap })
  if (outcome === 'refused') return afterRefusal(at, { failing, why: source, minGap })
  return afterFailure(at, { failing, fault: source, minGap })
}

/**
 * Chance for what is learned of a page from the past: by its address, so that
 * the same visits leave the same state whoever reads them, and in which order.
 */
export function randomOf(url: string): Random {
  return new Random(hashBytes(sliceOf(url), 0) >>> 0)
}

/** Visits in one commit. */
export const batch = 500

/** What became of a page's visits. */
export interface RecordedPast {
  recorded: number
  /** Not after the visits that are there. */
  late: number
  /** Another process is visiting the page. */
  busy: boolean
}

export interface PastParts {
  readonly store: Store
  readonly plannerFor: (page: PageRecord) => Planner
  readonly terms: LeaseTerms
}

/** Records visits of one page, in order of time, as if they had been made here. */
async function recordPast(
  page: PageRecord,
  visits: readonly Visit[],
  { store, plannerFor, random, terms }: PastParts & { readonly random: RandomSource },
): Promise<RecordedPast> {
  const result: RecordedPast = { recorded: 0, late: 0, busy: false }
  const [lease] = await store.leasePages({ ...terms, pages: [page] })
  if (lease === undefined) return { ...result, busy: true }
  const chain = new ReportChain(lease, { planner: plannerFor(page), random })
  const fresh = visits.filter(({ at }) => chain.takes(at))
  result.late = visits.length - fresh.length
  try {
    for (let i = 0; i < fresh.length; i += batch) {
      const reports = fresh.slice(i, i + batch).flatMap((visit) => chain.report(visit) ?? [])
      const results = await store.recordVisits(reports)
      result.recorded += results.filter((fate) => fate === 'recorded').length
    }
  } finally {
    await store.releaseLeases([lease])
  }
  result.late = visits.length - result.recorded
  return result
}

/** The page as it is after each report, without asking the store in between. */
export class ReportChain {
  readonly #lease: Lease
  readonly #with: { planner: Planner; random: RandomSource }
  readonly #after: number
  #page: PageRecord

  constructor(lease: Lease, parts: { planner: Planner; random: RandomSource }) {
    this.#lease = lease
    this.#with = parts
    this.#page = lease.page
    this.#after = lease.page.lastVisit?.at ?? -Infinity
  }

  /** The page after the last report. */
  get page(): PageRecord {
    return this.#page
  }

  takes(at: number): boolean {
    return at > this.#after
  }

  /** Undefined for a visit at the time of the one before: which came first cannot be known. */
  report(visit: Visit): VisitReport | undefined {
    if (visit.at <= (this.#page.lastVisit?.at ?? -Infinity)) return undefined
    const page = this.#page
    const report = recordedReport({ lease: this.#lease, page, visit, ...this.#with })
    const { at, outcome, status } = report.visit
    const seen = succeeded(outcome)
    this.#page = {
      ...page,
      due: report.due,
      state: report.state ?? page.state,
      lastVisit: { at, outcome, status },
      lastSeen: seen ? at : page.lastSeen,
      // As the store counts them: how long to wait after the next one depends on it.
      failing: seen || outcome === 'gone' ? 0 : page.failing + 1,
      gone: seen ? 0 : page.gone + (outcome === 'gone' ? 1 : 0),
    }
    return report
  }
}

export interface ImportParts extends PastParts {
  readonly store: Store
  readonly collection: string
}

/** What became of visits that were made elsewhere. */
export interface Imported {
  pages: number
  newPages: number
  visits: number
  /** Not after the visits that are there already, or at the time of another. */
  late: number
  /** Pages that another process was visiting. */
  busy: number
}

/** Records the visits of many pages, each in order of time; pages not yet followed are from now on. */
export async function importVisits(
  all: Iterable<{ readonly url: string; readonly visits: readonly Visit[] }>,
  parts: ImportParts,
): Promise<Imported> {
  const { store, collection, terms } = parts
  const result: Imported = { pages: 0, newPages: 0, visits: 0, late: 0, busy: 0 }
  const list = [...all]
  for (let i = 0; i < list.length; i += batch) {
    const some = list.slice(i, i + batch)
    const pages = some.map(({ url }) => ({ url }))
    result.newPages += (await store.addPages({ collection, pages, now: terms.now })).added
    for (const each of some) await importPage(each, { parts, result })
  }
  return result
}

async function importPage(
  { url, visits }: { readonly url: string; readonly visits: readonly Visit[] },
  { parts, result }: { parts: ImportParts; result: Imported },
): Promise<void> {
  const page = await parts.store.getPage({ collection: parts.collection, url })
  if (page === null) return
  const done = await recordPast(page, visits, { ...parts, random: randomOf(url) })
  result.pages++
  result.visits += done.recorded
  result.late += done.late
  if (done.busy) result.busy++
}
