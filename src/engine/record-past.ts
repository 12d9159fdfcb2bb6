import type {
  Lease,
  LeaseTerms,
  PageRecord,
  RandomSource,
  Store,
  Visit,
  VisitReport,
} from '../model/index.js'
import { succeeded } from '../model/index.js'
import { recordedReport } from './recorded-report.js'
import type { Mind } from './step.js'

/** Visits in one commit. */
const batch = 500

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
  readonly mindFor: (page: PageRecord) => Mind
  readonly random: RandomSource
  readonly terms: LeaseTerms
}

/** Records visits of one page, in order of time, as if they had been made here. */
export async function recordPast(
  page: PageRecord,
  visits: readonly Visit[],
  { store, mindFor, random, terms }: PastParts,
): Promise<RecordedPast> {
  const result: RecordedPast = { recorded: 0, late: 0, busy: false }
  const [lease] = await store.leasePages({ ...terms, pages: [page] })
  if (lease === undefined) return { ...result, busy: true }
  const chain = new ReportChain(lease, { mind: mindFor(page), random })
  const fresh = visits.filter(({ at }) => chain.takes(at))
  result.late = visits.length - fresh.length
  try {
    for (let i = 0; i < fresh.length; i += batch) {
      const reports = fresh.slice(i, i + batch).flatMap((visit) => chain.report(visit) ?? [])
      const fates = await store.recordVisits(reports)
      result.recorded += fates.filter((fate) => fate === 'recorded').length
    }
  } finally {
    await store.releaseLeases([lease])
  }
  result.late = visits.length - result.recorded
  return result
}

/** The page as it is after each report, without asking the store in between. */
class ReportChain {
  readonly #lease: Lease
  readonly #with: { mind: Mind; random: RandomSource }
  readonly #after: number
  #page: PageRecord

  constructor(lease: Lease, parts: { mind: Mind; random: RandomSource }) {
    this.#lease = lease
    this.#with = parts
    this.#page = lease.page
    this.#after = lease.page.lastVisit?.at ?? -Infinity
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
