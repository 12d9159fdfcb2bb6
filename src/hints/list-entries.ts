import type { ContentAnswer } from '../content/read-content.js'
import { readSitemap, type SitemapEntry } from '../formats/sitemap.js'
import { type NormalUrlOptions, normalUrl, webHostOf } from '../formats/url.js'
import { RevisitError } from '../model/errors.js'
import type { Claim, Declared, Hint } from '../model/hint.js'
import { DAY, HOUR, type Seconds, YEAR } from '../model/units.js'

/** sitemaps.org/protocol.html, changefreq; `always` is as often as anybody looks. */
const rateCount: ReadonlyMap<string, Seconds> = new Map([
  ['always', HOUR],
  ['hourly', HOUR],
  ['daily', DAY],
  ['weekly', 7 * DAY],
  ['monthly', 30 * DAY],
  ['yearly', 365 * DAY],
])

/** What the changefreq of a sitemap declares; null for words that it does not have. */
export function namedFrequency(word: string): Declared | null {
  const name = word.slice(0, 100).trim().toLowerCase()
  if (name === 'never') return { kind: 'static' }
  const period = rateCount.get(name)
  return period === undefined ? null : { kind: 'periodic', period }
}

/** sitemaps.org: a sitemap has 50,000 addresses at most. */
const most = 50_000
/** Dates of the web, generously: outside of them a date is a slip. */
const earliest = Date.UTC(1985, 0, 1) / 1000
const ahead = 100 * YEAR

/** A page that a list names, with what it says of it. */
export interface ListEntry {
  readonly url: string
  readonly hints: readonly Hint[]
}

export interface PageList {
  /** An index names other lists. */
  readonly kind: 'sitemap' | 'index' | 'feed'
  readonly entries: readonly ListEntry[]
}

/**
 * The entries of a sitemap in XML or text, a sitemap index or a feed, gzipped or not, each
 * address once and in normal form, those of the list's own host only: no other
 * may be spoken for (sitemaps.org, "Sitemap file location"). Null where the
 * content is none of these. At most 50,000 entries, whatever it holds.
 */
export function listEntries(
  answer: ContentAnswer,
  options: Omit<NormalUrlOptions, 'base'> & { readonly anyHost?: boolean } = {},
): PageList | null {
  const list = readable(answer)
  if (list === null) return null
  const { anyHost = false, ...normal } = options
  const host = webHostOf(answer.url)
  const entries = new Map<string, ListEntry>()
  for (const entry of list.entries.slice(0, most)) {
    const url = normalUrl(entry.url, { ...normal, base: answer.url })
    if (url === undefined || (!anyHost && webHostOf(url) !== host)) continue
    if (!entries.has(url)) entries.set(url, { url, hints: entryHints(entry, list.form) })
  }
  const kind = list.kind === 'index' ? 'index' : list.form === 'feed' ? 'feed' : 'sitemap'
  return { kind, entries: [...entries.values()] }
}

/** A list that is damaged tells nothing. */
function readable({ body, headers }: ContentAnswer) {
  try {
    return readSitemap(body, headers['content-type'])
  } catch (error) {
    if (error instanceof RevisitError) return null
    throw error
  }
}

/** What a list says of one page. */
export function entryHints(entry: SitemapEntry, form: 'xml' | 'feed' | 'text'): readonly Hint[] {
  const hints: Hint[] = []
  const date = dated(entry.lastModified)
  if (date !== null) hints.push({ kind: form === 'feed' ? 'feed' : 'sitemap', claim: date })
  const declared = entry.changeFrequency === null ? null : namedFrequency(entry.changeFrequency)
  if (declared !== null) hints.push({ kind: 'changefreq', claim: { says: 'declared', declared } })
  return hints
}

/** Dates in the future are kept: they count against whoever writes them. */
function dated(at: number | null): Claim | null {
  if (at === null || !(at > earliest && at < 4e9 + ahead)) return null
  return { says: 'changed-at', at }
}
