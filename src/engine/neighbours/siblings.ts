import type { Due, PageRecord, Store, UnixSeconds } from '../../model/index.js'
import { callsApart, mostCalled, newsWeight, type SiteNews } from '../../planner/index.js'
import { type AllowedHours, nextAllowed } from '../../schedule/allowed-hours.js'
import {
  type GapLimits,
  heldLimits,
  importanceStep,
  isWorthOnNews,
  type Objective,
  ownClock,
} from '../../schedule/index.js'
import type { AutoMinds } from '../auto/auto-minds.js'

export interface SiblingParts {
  readonly store: Store
  /** Whether a page follows the default policy; others keep to their own. */
  readonly follows: (page: PageRecord) => boolean
  /** What the default believes of pages. */
  readonly minds: AutoMinds
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
 * Makes siblings of a page due now, one after another, where what news of
 * neighbours proved to add is worth the price: those with the longest time to
 * their own plan first, going on where the last call stopped. Reads 100 rows
 * at most, along an index, and writes as many as it calls.
 */
export async function callSiblings(
  page: PageRecord,
  news: SiteNews,
  about: { readonly now: UnixSeconds; readonly calls: number; readonly parts: SiblingParts },
): Promise<SiteNews> {
  const { now, calls, parts } = about
  if (calls === 0 || newsWeight(news) === 0) return news
  const { store } = parts
  let { reached, last } = news
  let left = calls
  for await (const sibling of latestDue(page, { store, from: reached ?? farAhead })) {
    const at = Math.max(now, last ?? now) + callsApart
    const dueAt = Number(sibling.due.at)
    if (left === 0 || dueAt <= at || at > now + mostCalled * callsApart) break
    reached = dueAt
    if (sibling.id === page.id || !isWorth(sibling, { news, at, parts })) continue
    await store.changePage(sibling, { due: dueOf(news, at) })
    last = at
    left--
  }
  return { ...news, reached, last }
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
  readonly news: SiteNews
  readonly at: UnixSeconds
  readonly parts: SiblingParts
}

/** Only pages that the default follows, that answered last, and that may be visited then. */
function isWorth(sibling: PageRecord, { news, at, parts }: Asked): boolean {
  const { lastSeen, failing, gone, settings, importance } = sibling
  if (lastSeen === null || lastSeen >= news.at! || failing > 0 || gone > 0) return false
  if (settings.role === 'list' || isCalled(sibling) || !parts.follows(sibling)) return false
  const { minGap } = heldLimits(parts.limitsFor?.(sibling) ?? {})
  const hours = parts.hoursFor?.(sibling) ?? null
  if (at - lastSeen < minGap || (hours !== null && nextAllowed(at, hours) !== at)) return false
  const belief = parts.minds.beliefOf(sibling)
  const { clock } = parts.minds.learnerFor(sibling).law
  const objective = parts.minds.objectiveOf(sibling)
  const price = parts.price(objective) / importanceStep(importance)
  const problem = { clock: ownClock(clock, belief), price, objective }
  const weight = newsWeight(news)
  return isWorthOnNews(belief, { at: lastSeen, elapsed: at - lastSeen, weight, problem })
}

function dueOf(news: SiteNews, at: UnixSeconds): Due {
  const when = new Date(news.at! * 1000).toISOString().slice(11, 16)
  const share = Math.round(100 * newsWeight(news))
  return {
    at,
    reason: `${called} at ${when} UTC; on this site ${share}% of the others have then too`,
  }
}
