import type { HostRecord, PageRecord, VisitReport } from '../../model/index.js'
import { staleByNow } from '../auto/page-belief.js'
import { hostHintsFrom, hostHintsJson } from '../hints/kept-hints.js'
import { type HostNews, hostNewsFrom, hostNewsJson, newsAfter } from './host-news.js'
import { type PlanParts, planAfter } from './plan-after.js'
import { callSiblings, type SiblingParts } from './siblings.js'

export interface NeighbourParts extends SiblingParts, PlanParts {
  /** Whether the option is on for a site. */
  readonly isOn: (host: string) => boolean
}

interface Known {
  readonly page: PageRecord
  /** The host's record before the visit; asked for where the report does not have it. */
  readonly hostBefore: () => Promise<HostRecord | null>
}

/**
 * Tells the pages of a site of each other's changes, where a person asked for
 * it: how often that told right is learned and kept with the host, in the
 * commit of the visit itself; where it is worth the price, siblings become due.
 * That happens before the visit is recorded: killed in between, the visit is
 * made again and finds the same, and siblings that are due stay so.
 */
export class Neighbours {
  readonly #parts: NeighbourParts

  constructor(parts: NeighbourParts) {
    this.#parts = parts
  }

  isOn(host: string): boolean {
    return this.#parts.isOn(host)
  }

  /** The report to record of a visit; the same one where it tells nothing of others. */
  async take(report: VisitReport, { page, hostBefore }: Known): Promise<VisitReport> {
    const { host, settings } = page
    const saw = report.state !== undefined && settings.role !== 'list'
    if (!saw || !this.isOn(host)) return report
    const known = report.host?.hints === undefined ? await hostBefore() : report.host
    const hints = hostHintsFrom(known?.hints)
    const before = hostNewsFrom(hints.news)
    const { news, calls } = this.#after(before, { report, page })
    const due = planAfter(report, { page, news, parts: this.#parts })
    const planned = due === report.due ? report : { ...report, due }
    if (news === before) return planned
    const now = report.visit.at
    const after = await callSiblings(page, news, { now, calls, parts: this.#parts })
    const record = report.host ?? known ?? { host, state: null, blockedUntil: null }
    const told = hostHintsJson({ ...hints, news: hostNewsJson(after) })
    return { ...planned, host: { ...record, hints: told } }
  }

  /** What the visit tells; a first one has nothing to compare with. */
  #after(before: HostNews, { report, page }: { report: VisitReport; page: PageRecord }) {
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
