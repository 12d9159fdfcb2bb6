import type { VersionDiffs } from '../../crawl/index.js'
import type { LoggedVisit, Seconds, Store } from '../../model/index.js'
import { succeeded } from '../../model/index.js'
import type { Conditions } from '../channel.js'
import { asksFor, concerns } from '../condition/concerns.js'
import type { Notice, NoticeType } from '../notice.js'
import { type SeenChange, seenChange } from './seen-change.js'

/** How far back to look for how a page was before it was gone. */
const lookBack = 100

/** What there is to tell of a visit under these conditions; null if nothing. */
export async function noticeOf(
  visit: LoggedVisit,
  {
    store,
    diffs,
    collection,
    when,
  }: { store: Store; diffs: VersionDiffs; collection: string; when: Conditions },
): Promise<Notice | null> {
  if (!concerns(when, visit.page)) return null
  const bare = (type: NoticeType) => bareNotice(type, visit, collection)
  if (visit.outcome === 'changed' && asksFor(when, 'changed')) {
    const { appear = [], disappear = [] } = when
    const { page, at } = visit
    const seen = await seenChange({ page, at, words: [...appear, ...disappear] }, { store, diffs })
    return changeNotice(bare('changed'), { seen, when })
  }
  if (visit.outcome === 'gone' && asksFor(when, 'gone'))
    return (await justGone(store, visit)) ? bare('gone') : null
  if (visit.outcome === 'unchanged' && asksFor(when, 'silent')) {
    const unchangedFor = await silence(store, { visit, longest: when.silentFor! })
    return unchangedFor === null ? null : { ...bare('silent'), unchangedFor }
  }
  return null
}

/** A condition that cannot be judged, since the texts are not kept, holds nothing back. */
function changeNotice(
  bare: Notice,
  { seen, when }: { readonly seen: SeenChange; readonly when: Conditions },
): Notice | null {
  const { title, previous, change, note } = seen
  if (change !== null && change.share < (when.changedShare ?? 0)) return null
  const { appear = [], disappear = [] } = when
  const { before = '', after = '' } = change?.words ?? {}
  const is = (text: string, i: number) => text[i] === '1'
  const appeared = appear.filter((_, i) => !is(before, i) && is(after, i))
  const place = (i: number) => appear.length + i
  const disappeared = disappear.filter((_, i) => is(before, place(i)) && !is(after, place(i)))
  const asked = appear.length + disappear.length > 0
  if (asked && change !== null && appeared.length + disappeared.length === 0) return null
  return {
    ...bare,
    page: { ...bare.page, title },
    previous,
    changedShare: change?.share ?? null,
    diff: change?.diff ?? null,
    note,
    appeared,
    disappeared,
  }
}

/** Whether this visit is the first that found the page gone since it was last seen. */
async function justGone(store: Store, { page, at }: LoggedVisit): Promise<boolean> {
  const earlier = await store.visitsOf(page, { until: at, newest: lookBack })
  const before = earlier.findLast(({ outcome }) => outcome === 'gone' || succeeded(outcome))
  return before?.outcome !== 'gone'
}

/**
 * How long the page has not changed, at the first visit at which that is too
 * long; null at all others, so that each silence is told once.
 */
async function silence(
  store: Store,
  { visit, longest }: { readonly visit: LoggedVisit; readonly longest: Seconds },
): Promise<Seconds | null> {
  const record = await store.getPage(visit.page)
  if (record === null || visit.gap === null) return null
  const since = record.lastChange ?? record.addedAt
  const now = visit.at - since
  return now >= longest && now - visit.gap < longest ? now : null
}

function bareNotice(type: NoticeType, visit: LoggedVisit, collection: string): Notice {
  const { number, at, outcome, status, page } = visit
  return {
    type,
    collection,
    page: { id: page.id, url: page.url, group: page.group ?? null, title: null },
    visit: { number, at, outcome, status },
    previous: null,
    changedShare: null,
    diff: null,
    note: null,
    appeared: [],
    disappeared: [],
    unchangedFor: null,
  }
}
