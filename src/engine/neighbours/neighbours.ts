import type { HostRecord, PageRecord, VisitReport } from '../../model/index.js'
import { newsAfter, type SiteNews, siteNewsFrom, siteNewsJson } from '../../planner/index.js'
import { staleByNow } from '../auto/page-belief.js'
import { hostHintsFrom, hostHintsJson } from '../hints/kept-hints.js'
import { type PlanParts, planAfter } from './plan-after.js'
import { callSiblings, type SiblingParts } from './siblings.js'

export interface NeighbourParts extends SiblingParts, PlanParts {}

interface Known {
  readonly page: PageRecord
  /** The host's record before the visit; asked for where the report does not have it. */
  readonly hostBefore: () => Promise<HostRecord | null>
}

/**
 * Visits pages of a site on each other's changes, where the site's own record
 * proves that this finds more changes than predicted. The record is kept with
 * the host, in the commit of the visit itself; where it is worth the price,
 * siblings become due.
 * That happens before the visit is recorded: killed in between, the visit is
 * made again and finds the same, and siblings that are due stay so.
 */
export class Neighbours {
  readonly #parts: NeighbourParts

  constructor(parts: NeighbourParts) {
    this.#parts = parts
  }

  /** The report to record of a visit; the same one where it tells nothing of others. */
  async take(report: VisitReport, { page, hostBefore }: Known): Promise<VisitReport> {
    const { host, settings } = page
    const saw = report.state !== undefined && settings.role !== 'list'
    if (!saw) return report
    const known = report.host?.hints === undefined ? await hostBefore() : report.host
    const hints = hostHintsFrom(known?.hints)
    const before = siteNewsFrom(hints.news)
    const { news, calls } = this.#after(before, { report, page })
    const due = planAfter(report, { page, news, parts: this.#parts })
    const planned = due === report.due ? report : { ...report, due }
    if (news === before) return planned
    const now = report.visit.at
    const after = await callSiblings(page, news, { now, calls, parts: this.#parts })
    const record = report.host ?? known ?? { host, state: null, blockedUntil: null }
    const told = hostHintsJson({ ...hints, news: siteNewsJson(after) })
    return { ...planned, host: { ...record, hints: told } }
  }

  /** What the visit tells; a first one has nothing to compare with. */
  #after(before: SiteNews, { report, page }: { report: VisitReport; page: PageRecord }) {
    const { at, gap, outcome } = report.visit
    const { lastSeen } = page
    if (gap === null || lastSeen === null) return { news: before, calls: 0 }
    const changed = outcome === 'changed'
    return newsAfter(before, { at, lastSeen, changed, chance: this.#chance(page, at) })
  }

  /** The chance of a change that was believed before the visit. */
  #chance(page: PageRecord, now: number): number | null {
    const { minds, follows } = this.#parts
    return follows(page) ? staleByNow(page, { minds, now }) : null
  }
}
