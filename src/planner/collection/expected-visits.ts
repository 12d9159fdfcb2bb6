import { humanDuration } from '../../model/duration.js'
import type { PageRecord } from '../../model/page.js'
import type { RandomSource, Seconds, UnixSeconds } from '../../model/units.js'
import { type AllowedHours, dueWithin } from '../../policies/allowed-hours.js'
import { noChance } from '../learned-step.js'
import { firstStep, type Planner } from '../step.js'

/** When pages that were just added are visited. */
export interface ExpectedVisits {
  /** The first visit, where the host may be asked then. */
  readonly first: UnixSeconds
  /** From the first visit to the second: of all these pages at least and at most; null where none is planned. */
  readonly againAfter: Seconds | null
  readonly againWithin: Seconds | null
  /** In words: both, and why then; and the second visit alone. */
  readonly text: string
  readonly again: string
}

/** Gaps are moved a little at random: the latest that may come of it. */
const latest: RandomSource = { ...noChance, uniform: () => 1 }

interface Expecting {
  readonly plannerFor: (page: PageRecord) => Planner
  readonly hoursFor: (page: PageRecord) => AllowedHours | null
  /** Whether a page follows the default. */
  readonly follows: (page: PageRecord) => boolean
  readonly now: UnixSeconds
}

/** When these pages, which nobody visited yet, are seen first and again, and why; null where none is planned. */
export function expectedVisits(
  pages: readonly PageRecord[],
  parts: Expecting,
): ExpectedVisits | null {
  const plans = pages.flatMap((page) => planOf(page, parts) ?? [])
  if (plans.length === 0) return null
  const first = Math.min(...plans.map((plan) => plan.first))
  const gaps = plans.flatMap(({ gap }) => gap ?? []).sort((a, b) => a - b)
  const [againAfter, againWithin] = [gaps[0] ?? null, gaps.at(-1) ?? null]
  const reasons = new Set(plans.map(({ reason }) => reason))
  const why = reasons.size === 1 ? [...reasons][0]! : ''
  const start = first <= parts.now ? 'now' : `in ${humanDuration(first - parts.now)}`
  const again = againWithin === null ? `none after it is planned${why}` : againWords(gaps) + why
  return { first, againAfter, againWithin, text: `first visit ${start}; ${again}`, again }
}

function againWords(gaps: readonly Seconds[]): string {
  const [least, most] = [humanDuration(gaps[0]!), humanDuration(gaps.at(-1)!)]
  return least === most
    ? `again within about ${most}`
    : `again within about ${least} to ${most}, by page`
}

interface FirstPlan {
  readonly first: UnixSeconds
  readonly gap: Seconds | null
  /** As it goes on after the time. */
  readonly reason: string
}

function planOf(page: PageRecord, parts: Expecting): FirstPlan | null {
  const { plannerFor, hoursFor, follows, now } = parts
  if (page.due.at === 'never') return null
  const first = Math.max(now, page.due.at)
  const planner = plannerFor(page)
  const { due } = firstStep(planner, { at: first }, latest)
  const { at } = dueWithin(due, hoursFor(page))
  const gap = at === 'never' ? null : at - first
  if (!follows(page)) {
    // What a policy that learns assumes of a page never seen is for people to know; a fixed gap says all.
    const why = planner.learner === null ? '' : `: ${due.reason.replace(/^new[:,] /, '')}`
    return { first, gap, reason: `, by its policy ${planner.policy.name}${why}` }
  }
  return {
    first,
    gap,
    reason: reasonOf(page, { gap, early: due.reason.startsWith('new; visited') }),
  }
}

function reasonOf(
  { settings }: PageRecord,
  { gap, early }: { readonly gap: Seconds | null; readonly early: boolean },
): string {
  const { longest, shortest } = settings
  if (typeof longest === 'number' && gap !== null && gap >= 0.98 * longest)
    return ', its longest gap'
  if (typeof shortest === 'number' && gap !== null && gap <= 1.02 * shortest)
    return ', its shortest gap'
  if (early) return ', to learn how often it changes'
  return ', when its value exceeds the price of a request, by what similar pages do'
}
