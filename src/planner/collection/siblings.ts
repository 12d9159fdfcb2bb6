import type { HostRecord } from '../../model/lease.js'
import type { PageRecord } from '../../model/page.js'
import { isList } from '../../model/page.js'
import type { Due } from '../../model/policy.js'
import type { Store } from '../../model/store.js'
import { hostHintsFrom, hostHintsJson } from '../../model/stored-hints.js'
import type { RandomSource, UnixSeconds } from '../../model/units.js'
import type { VisitReport } from '../../model/visit-record.js'
import { type AllowedHours, nextAllowed } from '../../policies/allowed-hours.js'
import { type GapLimits, heldLimits } from '../../policies/limits.js'
import { ownClock } from '../posterior/posterior.js'
import { paysOnSignal } from '../value/best-gap.js'
import type { Objective } from '../value/objective.js'
import { importanceStep } from '../value/planned-page.js'
import { staleByNow } from './page-posterior.js'
import type { AutoPlanners } from './planners.js'
import {
  callsApart,
  mostCalled,
  type SiteSignal,
  scoutingGap,
  signalAfter,
  signalWeight,
  siteSignalFrom,
  siteSignalJson,
} from './site-signals.js'

export interface SiblingParts {
  readonly store: Store
  /** Whether a page follows the default policy; others keep to their own. */
  readonly follows: (page: PageRecord) => boolean
  /** The default's posteriors of pages. */
  readonly planners: AutoPlanners
  /** What a request costs now pages with an objective, in its unit. */
  readonly price: (objective: Objective) => number
  readonly limitsFor?: (page: PageRecord) => GapLimits
  readonly hoursFor?: (page: PageRecord) => AllowedHours | null
}

/** Rows read together, and how often at most: many may be gone, or follow policies of their own. */
const [slice, slices] = [25, 4]
/** Later than any page is due; a time to look from. */
const farAhead = 1e12

const called = 'a page of its site was found changed'

/** Whether a page is due because a neighbour changed. */
export function isCalled({ due }: Pick<PageRecord, 'due'>): boolean {
  return due.reason.startsWith(called)
}

/**
 * Makes siblings of a page due now, one after another, where what changes of
 * neighbours proved to tell has more value than the price: those with the longest time to
 * their own plan first, going on where the last call stopped. Reads 100 rows
 * at most, along an index, and writes as many as it calls.
 */
export async function callSiblings(
  page: PageRecord,
  changeSignal: SiteSignal,
  about: { readonly now: UnixSeconds; readonly calls: number; readonly parts: SiblingParts },
): Promise<SiteSignal> {
  const { now, calls, parts } = about
  if (calls === 0 || signalWeight(changeSignal) === 0) return changeSignal
  const { store } = parts
  let { reached, last } = changeSignal
  let left = calls
  for await (const sibling of latestDue(page, { store, from: reached ?? farAhead })) {
    const at = Math.max(now, last ?? now) + callsApart
    const dueAt = Number(sibling.due.at)
    if (left === 0 || dueAt <= at || at > now + mostCalled * callsApart) break
    reached = dueAt
    if (sibling.id === page.id || !pays(sibling, { changeSignal, at, parts })) continue
    await store.changePage(sibling, { due: dueOf(changeSignal, at) })
    last = at
    left--
  }
  return { ...changeSignal, reached, last }
}

async function* latestDue(
  { collection, host }: PageRecord,
  { store, from }: { readonly store: Store; readonly from: UnixSeconds },
): AsyncGenerator<PageRecord> {
  const order = { sort: 'due', descending: true, dueBy: from } as const
  let after: string | null | undefined
  for (let read = 0; read < slices && after !== null; read++) {
    const next = after === undefined ? {} : { after }
    const list = await store.listPages({ collection, host, ...order, limit: slice, ...next })
    yield* list.pages
    after = list.next
  }
}

interface Asked {
  readonly changeSignal: SiteSignal
  readonly at: UnixSeconds
  readonly parts: SiblingParts
}

/** Only pages that the default follows, that answered last, and that may be visited then. */
function pays(sibling: PageRecord, { changeSignal, at, parts }: Asked): boolean {
  const { lastSeen, failing, gone, settings, importance } = sibling
  if (lastSeen === null || lastSeen >= changeSignal.at! || failing > 0 || gone > 0) return false
  if (isList(settings) || isCalled(sibling) || !parts.follows(sibling)) return false
  const { minGap } = heldLimits(parts.limitsFor?.(sibling) ?? {})
  const hours = parts.hoursFor?.(sibling) ?? null
  if (at - lastSeen < minGap || (hours !== null && nextAllowed(at, hours) !== at)) return false
  const posterior = parts.planners.posteriorAt(sibling)
  const { clock } = parts.planners.learnerFor(sibling).law
  const objective = parts.planners.objectiveOf(sibling)
  const price = parts.price(objective) / importanceStep(importance)
  const problem = { clock: ownClock(clock, posterior), price, objective }
  const weight = signalWeight(changeSignal)
  return paysOnSignal(posterior, { at: lastSeen, elapsed: at - lastSeen, weight, problem })
}

function dueOf(changeSignal: SiteSignal, at: UnixSeconds): Due {
  const when = new Date(changeSignal.at! * 1000).toISOString().slice(11, 16)
  const share = Math.round(100 * signalWeight(changeSignal))
  return {
    at,
    reason: `${called} at ${when} UTC; on this site ${share}% of the others have then too`,
  }
}

export interface PlanParts {
  readonly follows: (page: PageRecord) => boolean
  readonly limitsFor?: (page: PageRecord) => GapLimits
  readonly random: RandomSource
}

/**
 * When a page of a site is due after a visit that saw it: where the site's
 * signals are followed, plans are spread and some pages come early to see the next
 * change (`scoutingGap`). Otherwise as it was.
 */
function planAfter(
  { visit, due }: VisitReport,
  {
    page,
    changeSignal,
    parts,
  }: { readonly page: PageRecord; readonly changeSignal: SiteSignal; readonly parts: PlanParts },
): Due {
  const weight = signalWeight(changeSignal)
  if (due.at === 'never' || weight === 0 || !parts.follows(page)) return due
  const gap = due.at - visit.at
  const limits = heldLimits(parts.limitsFor?.(page) ?? {})
  const moved = scoutingGap(gap, { weight, limits, random: parts.random })
  if (moved === gap) return due
  const reason = `${due.reason}; moved, so that pages of its site take turns`
  return { at: visit.at + moved, reason }
}

export interface NeighbourParts extends SiblingParts, PlanParts {}

interface Known {
  readonly page: PageRecord
  /** The host's record before the visit; asked for where the report does not have it. */
  readonly hostBefore: () => Promise<HostRecord | null>
}

/**
 * Visits pages of a site on each other's changes, where the site's own record
 * proves that this finds more changes than predicted. The record is kept with
 * the host, in the commit of the visit itself; where its value exceeds the price,
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
    const saw = report.state !== undefined && !isList(settings)
    if (!saw) return report
    const known = report.host?.hints === undefined ? await hostBefore() : report.host
    const hints = hostHintsFrom(known?.hints)
    const before = siteSignalFrom(hints.changeSignal)
    const { changeSignal, calls } = this.#after(before, { report, page })
    const due = planAfter(report, { page, changeSignal, parts: this.#parts })
    const planned = due === report.due ? report : { ...report, due }
    if (changeSignal === before) return planned
    const now = report.visit.at
    const after = await callSiblings(page, changeSignal, { now, calls, parts: this.#parts })
    const record = report.host ?? known ?? { host, state: null, blockedUntil: null }
    const hostHints = hostHintsJson({ ...hints, changeSignal: siteSignalJson(after) })
    return { ...planned, host: { ...record, hints: hostHints } }
  }

  /** What the visit tells; a first one has nothing to compare with. */
  #after(before: SiteSignal, { report, page }: { report: VisitReport; page: PageRecord }) {
    const { at, gap, outcome } = report.visit
    const { lastSeen } = page
    if (gap === null || lastSeen === null) return { changeSignal: before, calls: 0 }
    const changed = outcome === 'changed'
    return signalAfter(before, { at, lastSeen, changed, chance: this.#chance(page, at) })
  }

  /** The chance of a change that was predicted before the visit. */
  #chance(page: PageRecord, now: number): number | null {
    const { planners, follows } = this.#parts
    return follows(page) ? staleByNow(page, { planners, now }) : null
  }
}
