import type { Json, UnixSeconds } from '../../model/index.js'
import { heardNews, type NewsTally, noNews } from '../../schedule/auto/neighbour-news.js'

/** What is remembered of a site whose pages are told of each other's changes: six numbers. */
export interface HostNews {
  /** The visit that last brought news; null before there was any. */
  readonly at: UnixSeconds | null
  /** How visits soon after news went. */
  readonly tally: NewsTally
  /** Siblings that were due later than this have been asked already; null before any was. */
  readonly reached: UnixSeconds | null
  /** When the last visit that was called for is due; null where none was. */
  readonly last: UnixSeconds | null
}

export const noHostNews: HostNews = { at: null, tally: noNews, reached: null, last: null }

/** News of a neighbour is news for so long. */
export const newsTime = 6 * 3600
/** Siblings visited at first: they tell whether the news is the whole site's. */
const firstCalls = 10
/** Siblings visited for each that was found changed: news that go further spread, others die out. */
const callsEach = 2

/** A visit that compared a page of the site. */
export interface HeardVisit {
  readonly at: UnixSeconds
  /** The visit before. */
  readonly lastSeen: UnixSeconds
  readonly changed: boolean
  /** The chance of a change believed before the visit; null where another policy follows the page. */
  readonly chance: number | null
}

/**
 * What a visit adds: evidence, where it came soon after news and the page had
 * not been seen since, called for or not; and how many siblings it calls for,
 * if the evidence is worth their visits. A change is news where the page had
 * been seen since the last: otherwise it may be the same one, seen late, and
 * siblings that have seen it would be visited in vain. Pure.
 */
export function newsAfter(
  before: HostNews,
  { at, lastSeen, changed, chance }: HeardVisit,
): { readonly news: HostNews; readonly calls: number } {
  const since = before.at === null ? Infinity : at - before.at
  const seenSince = before.at === null || lastSeen >= before.at
  // A clock that was set back by hours is not waited for.
  if (since >= newsTime || since <= -newsTime) {
    const isNews = changed && (seenSince || since < 0)
    return isNews
      ? { news: { at, tally: before.tally, reached: null, last: null }, calls: firstCalls }
      : { news: before, calls: 0 }
  }
  if (chance === null || since <= 0 || seenSince) return { news: before, calls: 0 }
  const tally = heardNews(before.tally, { changed, chance })
  return { news: { ...before, tally }, calls: changed ? callsEach : 0 }
}

/** Reads what was stored; what is not ours counts as nothing known. */
export function hostNewsFrom(json: Json | undefined): HostNews {
  if (!Array.isArray(json) || json.length !== 6) return noHostNews
  const [at, visits, changed, expected, reached, last] = json as readonly Json[]
  const counts = [visits, changed, expected]
  if (!counts.every((each) => typeof each === 'number' && each >= 0 && each < 1e6))
    return noHostNews
  const [v, c, e] = counts as [number, number, number]
  const tally = { visits: v, changed: Math.min(v, c), expected: Math.min(v, e) }
  return { at: time(at), tally, reached: time(reached), last: time(last) }
}

export function hostNewsJson({ at, tally, reached, last }: HostNews): Json {
  const expected = Math.round(tally.expected * 1e6) / 1e6
  return [at, tally.visits, tally.changed, expected, reached, last]
}

function time(json: Json | undefined): UnixSeconds | null {
  return typeof json === 'number' && Number.isFinite(json) ? json : null
}
