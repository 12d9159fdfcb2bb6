import type { ChangeBetween } from '../content/bounded/diff-jobs.js'
import {
  type KeptContent,
  type VersionDiffs,
  whyIncomparable,
} from '../content/bounded/version-diffs.js'
import type { Offer } from '../content/offer.js'
import { succeeded } from '../model/history.js'
import { hostOf, isList, isOfGroup } from '../model/page.js'
import type { Store, Version } from '../model/store.js'
import type { Json, Seconds, UnixSeconds } from '../model/units.js'
import type { LoggedVisit } from '../model/visit-record.js'
import type { Conditions, PriceCondition } from './channel.js'
import type { Notice, NoticeType } from './notice.js'

/**
 * Whether an address fits a pattern in which `*` stands for any text. Goes
 * from star to star and takes the first fit of each piece, which is enough:
 * linear, where a regular expression could be made to run for ever.
 */
export function fitsPattern(url: string, pattern: string): boolean {
  const pieces = pattern.split('*')
  const [first = '', last = ''] = [pieces[0], pieces[pieces.length - 1]]
  if (pieces.length === 1) return url === pattern
  if (!url.startsWith(first)) return false
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = url.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return url.length - last.length >= at && url.endsWith(last)
}

/** Whether a channel is about a page at all. */
function concerns(
  { group, exceptGroups = [], host, url }: Conditions,
  page: LoggedVisit['page'],
): boolean {
  if (exceptGroups.some((each) => isOfGroup(page, each))) return false
  if (group !== undefined && !isOfGroup(page, group)) return false
  if (host !== undefined && hostOf(page.url) !== host.toLowerCase()) return false
  return url === undefined || fitsPattern(page.url, url)
}

/** Whether a visit was made to a sitemap or a feed that is followed for the pages it names: their changes are the news. */
export async function isOfList(
  { page }: Pick<LoggedVisit, 'page'>,
  { store }: { readonly store: Store },
): Promise<boolean> {
  const settings = (await store.getPage(page))?.settings
  return settings !== undefined && isList(settings)
}

/** Whether nobody is notified of a page: until taken back, or until a time. */
function isMuted(mute: Json | undefined, at: UnixSeconds): boolean {
  return mute === true || (typeof mute === 'number' && at < mute)
}

/** Whether it is to be notified of this kind of thing. */
function asksFor({ on, silentFor }: Conditions, type: NoticeType): boolean {
  if (type === 'silent') return silentFor !== undefined && (on?.includes('silent') ?? true)
  return on?.includes(type) ?? true
}

/** A change as a visit saw it, as far as the contents it lies between are kept. */
export interface SeenChange {
  readonly title: string | null
  /** When the content before was first seen. */
  readonly previous: UnixSeconds | null
  /** What is compared of the two, by the page's rules and masks. */
  readonly change: Extract<ChangeBetween, { kind: 'change' }> | null
  /** In words, why there is no change to show, or why what is shown is the same. */
  readonly note: string | null
}

interface ChangeAsked {
  readonly page: { readonly id: string }
  /** When the visit that found it was made. */
  readonly at: UnixSeconds
  /** Words to look for in both texts. */
  readonly words?: readonly string[]
}

const notKept = {
  title: null,
  previous: null,
  change: null,
  note: 'the contents of this change are not kept',
}
const sameNow =
  'what is compared of this page is the same in both copies: its rules or masks have changed since'
const spacesOnly = 'white space alone is different'

/**
 * What a visit that found a change saw, against what was there before. Contents
 * may have been let go, or never been kept, as where an outside fetcher
 * reported a digest alone.
 */
export async function seenChange(
  { page: { id }, at, words = [] }: ChangeAsked,
  { store, diffs }: { readonly store: Store; readonly diffs: VersionDiffs },
): Promise<SeenChange> {
  const page = await store.getPage({ id })
  if (page === null) return notKept
  const versions = await store.versionsOf(page)
  const place = versions.findIndex((each) => each.at === at)
  const after = await kept(versions[place], store)
  if (after === null) return notKept
  const earlier = versions[place - 1]
  const before = await kept(earlier, store)
  const previous = earlier?.at ?? null
  if (before === null)
    return {
      ...notKept,
      previous,
      title: page.settings.title ?? (await diffs.change({ page, before: after, after })).title,
    }
  const change = await diffs.change({ page, before, after }, words)
  const title = page.settings.title ?? change.title
  if (change.kind !== 'change')
    return { title, previous, change: null, note: whyIncomparable(change) }
  const same = change.share === 0 ? sameNow : spacesOnly
  return { title, previous, change, note: change.diff === '' ? same : null }
}

async function kept(version: Version | undefined, store: Store): Promise<KeptContent | null> {
  const body = version === undefined ? null : await store.snapshot(version.digest)
  return body === null ? null : { version: version!, body }
}

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
  const isNotified = ['changed', 'gone', 'unchanged'].includes(visit.outcome)
  const { settings } = (isNotified ? await store.getPage(visit.page) : null) ?? {}
  if (!isNotified || isMuted(settings?.mute, visit.at)) return null
  if (visit.outcome === 'changed' && asksFor(when, 'changed')) {
    // The pages that it names are the news; that it is gone or silent is, too.
    if (settings !== undefined && isList(settings)) return null
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
  if (when.price !== undefined && change !== null && !meets(when.price, change.offers)) return null
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
    ...(change === null ? {} : change.excerpt),
    ...(change?.offers.after == null ? {} : { offers: change.offers }),
    note,
    appeared,
    disappeared,
  }
}

/** Whether an offer is as asked for now; a price must be another than it was. */
function meets(
  { below, above, changedBy, stock }: PriceCondition,
  { before, after }: { readonly before: Offer | null; readonly after: Offer | null },
): boolean {
  const [old, now] = [before?.price ?? null, after?.price ?? null]
  const asksPrice = [below, above, changedBy].some((each) => each !== undefined)
  if (asksPrice && (now === null || now === old)) return false
  if (below !== undefined && !(now! < below)) return false
  if (above !== undefined && !(now! > above)) return false
  if (changedBy !== undefined && (old === null || !(Math.abs(now! - old) > changedBy * old)))
    return false
  if (stock === undefined) return true
  const wanted = stock === 'in'
  return after?.inStock === wanted && before?.inStock !== wanted
}

/** Whether this visit is the first that found the page gone since it was last seen. */
async function justGone(store: Store, { page, at }: LoggedVisit): Promise<boolean> {
  const earlier = await store.visitsOf(page, { until: at, newest: lookBack })
  const before = earlier.findLast(({ outcome }) => outcome === 'gone' || succeeded(outcome))
  return before?.outcome !== 'gone'
}

/**
 * How long the page has not changed, at the first visit at which that is too
 * long; null at all others, so that each silence is sent once.
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
    page: {
      id: page.id,
      url: page.url,
      group: page.group ?? null,
      ...(page.tags === undefined ? {} : { tags: page.tags }),
      title: null,
    },
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
