import { evidenceOf } from '../../estimators/rate/evidence.js'
import type { Bounds, Estimate, Evidence, Verdict } from '../../model/estimate.js'
import type { History } from '../../model/history.js'
import type { PageRecord } from '../../model/page.js'
import { HOUR, type Seconds, type UnixSeconds } from '../../model/units.js'
import { freshGivenHints } from '../evidence/hint-forecast.js'
import { stateSummary } from '../learned-step.js'
import { estimateIn, memoryOf } from '../posterior/learner.js'
import { sampledAt } from '../posterior/likelihoods.js'
import { chanceOfChange, changeLawShape, posteriorBounds } from '../posterior/posterior.js'
import { freshShare } from '../value/planned-page.js'
import type { AutoPlanners } from './planners.js'
import { runningGap } from './statistics.js'

/**
 * How often a page changes by the numbers in its row; null where another
 * policy follows it, or it was not compared yet. They know all that lists reported,
 * the dates of changes among it; the log of visits only until when they reported
 * none, and, of visits from before that was kept, not even that.
 */
export function ownEstimate(
  page: PageRecord,
  {
    planners,
    history,
    level,
  }: { readonly planners: AutoPlanners; readonly history: History | null; readonly level: number },
): Estimate | null {
  const memory = planners.memoryOf(page)
  if (history === null || memory === null) return null
  const evidence = evidenceIn(page, { recorded: evidenceOf(history), memory })
  if (evidence.observations === 0) return null
  const estimate = estimateIn(planners.posteriorAt(page), { evidence, level })
  return { ...estimate, verdict: verdictOn(estimate.verdict, { page, planners }) }
}

/**
 * The recorded visits, or all that were learned from where these are more, as of a
 * page whose past was folded: how much of the time before was unchanged is not kept.
 */
function evidenceIn(
  { state }: PageRecord,
  { recorded, memory }: { readonly recorded: Evidence; readonly memory: Float64Array },
): Evidence {
  const learned = stateSummary(state)
  if (learned === null || learned.visits <= recorded.visits) return recorded
  const { visits, changes } = learned
  const samplingPeriod = memory[sampledAt]!
  return { ...recorded, visits, observations: visits - 1, changes, samplingPeriod }
}

/** Changed at every visit is no riddle where a list tells when, and when not; older logs do not say so. */
function verdictOn(
  verdict: Verdict,
  { page, planners }: { readonly page: PageRecord; readonly planners: AutoPlanners },
): Verdict {
  if (verdict !== 'always-changed') return verdict
  const { reported } = planners.hintsOf(page)
  const listed = reported.some(
    ({ kind, trusted }) => trusted && (kind === 'sitemap' || kind === 'feed'),
  )
  return listed ? 'ok' : verdict
}

/** The default's posterior of a page that was compared at least once. */
export interface PagePosterior {
  /** The kind of law, in words; how often it changes in all is the estimate's to say. */
  readonly law: string
  /** Chance that the page has changed since it was last seen. */
  readonly changedByNow: number
  /** Of the change rate, at level 0.95. */
  readonly bounds: Bounds
}

/**
 * From the numbers in the page's row, or from its visits where another policy
 * follows it; null where it was not compared yet.
 */
export async function pagePosterior(
  page: PageRecord,
  about: {
    readonly planners: AutoPlanners
    /** Asked for where the row does not tell. */
    readonly history: () => Promise<History | null>
    readonly now: UnixSeconds
  },
): Promise<PagePosterior | null> {
  const { planners, history, now } = about
  const { lastSeen, state } = page
  const visits = Math.max(page.visits, stateSummary(state)?.visits ?? 0)
  if (lastSeen === null || visits < 2) return null
  const learner = planners.learnerFor(page)
  const memory = planners.memoryOf(page) ?? memoryIn(await history(), learner)
  if (memory === null) return null
  const changedByNow = chanceStale({ page, memory }, { planners, now })
  const { reported } = planners.hintsOf(page)
  const posterior = learner.posteriorGiven(memory, reported)
  const bounds = posteriorBounds(posterior, 0.95, page)
  return { law: changeLawShape(posterior), changedByNow, bounds }
}

/** Chance that the copy of a page is stale by now; null where there is none, or another policy follows the page. */
export function staleByNow(
  page: PageRecord,
  { planners, now }: { readonly planners: AutoPlanners; readonly now: UnixSeconds },
): number | null {
  const memory = page.lastSeen === null ? null : planners.memoryOf(page)
  if (memory === null) return null
  return chanceStale({ page, memory }, { planners, now })
}

/** By what is known of the page, and by what lists reported of it since, or did not. */
function chanceStale(
  { page, memory }: { page: PageRecord; memory: Float64Array },
  { planners, now }: { planners: AutoPlanners; now: UnixSeconds },
): number {
  const learner = planners.learnerFor(page)
  const at = page.lastSeen!
  const elapsed = Math.max(0, now - at)
  const hints = planners.hintsOf(page)
  const clockGap = learner.clockGap(memory, { at: now, gap: elapsed })
  const posterior = learner.posteriorGiven(memory, hints.reported)
  const plain = 1 - chanceOfChange(posterior, clockGap)
  return 1 - freshGivenHints({ hints, at }, { elapsed, plain, gap: runningGap(page) ?? elapsed })
}

/** Hours of a week at which a fixed schedule may come; among them every third hour of the day. */
const anyHour = Array.from({ length: 8 }, (_, step) => step * 21 * HOUR)

/**
 * Share of the time in which the copy of a page would be fresh with one gap for
 * all, by its posterior. Such a schedule comes at any hour of the week,
 * also where the default comes at the right one: the mean of eight. Null where
 * there is no copy, or another policy follows the page.
 */
export function freshWithFixedGap(
  page: PageRecord,
  {
    planners,
    now,
    gap,
  }: { readonly planners: AutoPlanners; readonly now: UnixSeconds; readonly gap: Seconds },
): number | null {
  if (page.lastSeen === null || planners.memoryOf(page) === null) return null
  const { clock } = planners.learnerFor(page).law
  const posterior = planners.posteriorAt(page)
  const fresh = (after: Seconds) => freshShare(posterior, { at: now + after, gap, clock })
  return anyHour.reduce((sum, after) => sum + fresh(after), 0) / anyHour.length
}

function memoryIn(
  history: History | null,
  learner: ReturnType<AutoPlanners['learnerFor']>,
): Float64Array | null {
  if (history === null || history.observations.length === 0) return null
  return memoryOf(history, learner)
}
