import type { UnixSeconds } from '../model/units.js'
import { unpackedText } from './charset.js'
import { type CsvRow, csvRows } from './csv-table.js'
import { feedOf } from './feed/read-feed.js'
import { scanXml } from './markup/scan-xml.js'
import { linesOf, quotedText } from './printable-text.js'
import { Problems, type Refusal, refusal } from './problems.js'
import { looseDate } from './time/web-dates.js'

/** One address of a sitemap, with what the publisher says of it, plausible or not. */
export interface SitemapEntry {
  readonly url: string
  readonly lastModified: UnixSeconds | null
  /** As written in changefreq, in lower case: `daily`. */
  readonly changeFrequency: string | null
  readonly priority: number | null
}

export interface Sitemap {
  /** An index lists other sitemaps; the rest list pages. */
  readonly kind: 'pages' | 'index'
  readonly form: 'xml' | 'text' | 'feed'
  readonly entries: readonly SitemapEntry[]
  /** Lines whose address is none, where there are any. */
  readonly problems?: Problems
}

/**
 * A list of addresses, one a line; lines that begin with # are remarks. Lines
 * that are no address are reported by number and reason. Null where none is one.
 */
function textSitemap(text: string): Sitemap | null {
  const lines = linesOf(text)
  return listed(lines.map((each, i) => ({ line: i + 1, text: each })))
}

/** The same for the addresses of one column. */
function listed(lines: Iterable<{ line: number; text: string }>): Sitemap | null {
  const entries: SitemapEntry[] = []
  const problems = new Problems()
  for (const { line, text } of lines) {
    const url = text.trim()
    if (url === '' || url.startsWith('#')) continue
    const refused = refusalOf(url)
    if (refused !== null) problems.add(line, refused)
    else entries.push({ url, lastModified: null, changeFrequency: null, priority: null })
  }
  if (entries.length === 0) return null
  return { kind: 'pages', form: 'text', entries, ...(problems.total > 0 && { problems }) }
}

function refusalOf(line: string): Refusal | null {
  if (!/^https?:/i.test(line))
    return refusal(
      'no-web-address',
      () => `${quotedText(line)} does not begin with https:// or http://; write the whole address`,
    )
  if (/\s/.test(line))
    return refusal(
      'space-in-address',
      () => `${quotedText(line)} has a space in it; write one address a line, and %20 for a space`,
    )
  if (/^https?:\/\/./i.test(line) && URL.canParse(line)) return null
  return refusal(
    'bad-address',
    () => `${quotedText(line)} is no address: what names the host is wrong`,
  )
}

const columnName = /^(?:url|address|loc|link|page)$/i
const webAddress = /^\s*https?:\/\//i

/**
 * Whether a text is a table with a column of addresses: it is called CSV, or its
 * first line names such a column beside others. A comma alone makes no table,
 * since addresses may have one.
 */
function isTable(text: string, contentType = ''): boolean {
  if (/^\s*text\/csv\b/i.test(contentType)) return true
  const end = text.search(/[\r\n]/)
  const names = text.slice(0, end === -1 ? undefined : end).split(',')
  if (names.length === 1 || names.some((each) => webAddress.test(each))) return false
  return names.some((each) => columnName.test(each.replaceAll('"', '').trim()))
}

/**
 * The addresses of a table in CSV: the column that is named url, address, loc,
 * link or page; without a header the one that has an address in the first line.
 * Null where there is no such column. Throws where a quote is not closed.
 */
function tableSitemap(text: string): Sitemap | null {
  const rows = [...csvRows(text)].filter(({ fields }) => !fields[0]!.startsWith('#'))
  const first = rows[0]?.fields ?? []
  const named = first.findIndex((each) => columnName.test(each.trim()))
  const column = named === -1 ? first.findIndex((each) => webAddress.test(each)) : named
  return column === -1 ? null : listed(cells(named === -1 ? rows : rows.slice(1), column))
}

function* cells(rows: readonly CsvRow[], column: number) {
  for (const { line, fields } of rows) yield { line, text: fields[column] ?? '' }
}

/** A feed as a sitemap: its items' addresses. Null where it is no feed. */
function feedSitemap(text: string): Sitemap | null {
  const feed = feedOf(text)
  if (feed === null) return null
  const entries = feed.items.flatMap((item): SitemapEntry[] => {
    const url = item.link ?? (/^https?:\/\//.test(item.id ?? '') ? item.id : null)
    if (url === null) return []
    const lastModified = item.updated ?? item.published
    return [{ url, lastModified, changeFrequency: null, priority: null }]
  })
  return { kind: 'pages', form: 'feed', entries }
}

const fields = new Set(['loc', 'lastmod', 'changefreq', 'priority'])

/**
 * A sitemap or an index in XML; null where the text has neither's root element.
 * An address that the end of the file cuts, or that holds an entity nobody
 * declared, is no address, and reported by its line.
 */
function xmlSitemap(text: string): Sitemap | null {
  const reading = new XmlSitemapReading(text)
  scanXml(text, {
    open: (name, _, { after }) => reading.open(name, after),
    close: (name, { at }) => reading.close(name, at),
    text: (part) => reading.text(part),
  })
  return reading.end()
}

interface Draft {
  loc: string
  lastmod: string
  changefreq: string
  priority: string
  /** Text that stands in the entry itself: some files leave out the loc. */
  bare: string
  /** Where the address was written, entities and all. */
  from: number
  to: number
}

type Field = Exclude<keyof Draft, 'from' | 'to'>

/**
 * Entries are distinguished by their elements, and by a second loc inside one
 * entry. Elements of extensions (images, videos, news) have a loc of their own
 * and are passed over by their prefix.
 */
class XmlSitemapReading {
  readonly #text: string
  #kind: Sitemap['kind'] | undefined
  #prefix = ''
  #draft: Draft | undefined
  #field: Field = 'bare'
  /** Where the last tag ended that opened an element. */
  #opened = 0
  readonly #entries: SitemapEntry[] = []
  readonly #problems = new Problems()
  /** How many lines end before a place; places come in order. */
  #lines = { ended: 0, before: 0 }

  constructor(text: string) {
    this.#text = text
  }

  open(name: string, after: number): void {
    this.#opened = after
    const local = name.slice(name.indexOf(':') + 1)
    if (this.#kind === undefined) this.#root(name, local)
    else if (name !== this.#prefix + local) this.#field = 'bare'
    else if (this.#field === 'loc') return
    else if (local === 'url' || local === 'sitemap') this.#begin()
    else if (fields.has(local) && this.#draft !== undefined) this.#enter(local as Field)
  }

  close(name: string, at: number): void {
    const local = name.slice(name.indexOf(':') + 1)
    if (name !== this.#prefix + local) return
    if (local === 'loc' && this.#field === 'loc' && this.#draft !== undefined) this.#draft.to = at
    if (fields.has(local)) this.#field = 'bare'
    else if ((local === 'url' || local === 'sitemap') && this.#field !== 'loc') this.#finish(at)
  }

  text(part: string): void {
    if (this.#draft !== undefined && this.#draft[this.#field].length < longestField)
      this.#draft[this.#field] += part
  }

  end(): Sitemap | null {
    // What no closing tag follows, not even the first letter of one, may be the half of itself.
    const closing = this.#text.indexOf('</', this.#opened)
    const cut = closing === -1 || closing === this.#text.length - 2
    if (this.#draft !== undefined && cut) {
      if (this.#field === 'loc') this.#refuse(this.#draft.from, cutAddress)
      this.#draft[this.#field] = ''
    }
    this.#finish(this.#text.length)
    if (this.#kind === undefined) return null
    const problems = this.#problems
    const found = { kind: this.#kind, form: 'xml' as const, entries: this.#entries }
    return problems.total > 0 ? { ...found, problems } : found
  }

  #root(name: string, local: string): void {
    if (local === 'urlset') this.#kind = 'pages'
    if (local === 'sitemapindex') this.#kind = 'index'
    if (this.#kind !== undefined) this.#prefix = name.slice(0, name.length - local.length)
  }

  #begin(): void {
    this.#finish(this.#opened)
    const from = this.#opened
    this.#draft = { loc: '', lastmod: '', changefreq: '', priority: '', bare: '', from, to: 0 }
    this.#field = 'bare'
  }

  #enter(field: Field): void {
    if (field === 'loc' && this.#draft!.loc !== '') this.#begin()
    if (field === 'loc') this.#draft!.from = this.#opened
    this.#field = field
  }

  #finish(at: number): void {
    const draft = this.#draft
    if (draft === undefined) return
    this.#field = 'bare'
    this.#draft = undefined
    const url = (draft.loc || draft.bare).trim()
    if (url === '') return
    const to = Math.min(draft.to || at, draft.from + 2 * longestField)
    const written = this.#text.slice(draft.from, to).replace(cdata, '')
    if (undeclaredEntity.test(written)) this.#refuse(draft.from, badEntity(url))
    else if (!/\s/.test(url)) this.#entries.push({ url, ...hints(draft) })
  }

  #refuse(from: number, reason: Refusal): void {
    let { ended, before } = this.#lines
    for (let at = this.#text.indexOf('\n', before); at !== -1 && at < from; ) {
      ended++
      before = at + 1
      at = this.#text.indexOf('\n', before)
    }
    this.#lines = { ended, before }
    this.#problems.add(ended + 1, reason)
  }
}

/** XML knows five by itself, and no sitemap declares others. */
const undeclaredEntity = /&(?!(?:amp|lt|gt|quot|apos);)[a-z_][\w.-]*;/i
const cdata = /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)/g

function badEntity(url: string): Refusal {
  return refusal(
    'undeclared-entity',
    () => `${quotedText(url)} has an entity that XML does not know; write & as &amp;`,
  )
}

const cutAddress = refusal('cut-address', () => 'the file ends within an address')

/** sitemaps.org: an address is shorter than 2,048 characters; the rest is far shorter. */
const longestField = 4096

function hints(draft: Draft): Omit<SitemapEntry, 'url'> {
  const lastModified = looseDate(draft.lastmod)
  const priority = draft.priority.trim() === '' ? Number.NaN : Number(draft.priority)
  return {
    lastModified: Number.isNaN(lastModified) ? null : lastModified,
    changeFrequency: draft.changefreq.trim().toLowerCase() || null,
    priority: priority >= 0 && priority <= 1 ? priority : null,
  }
}

/**
 * Reads a sitemap in any of its forms: XML, an index, a feed, or addresses, one
 * a line or in a column of CSV, packed with gzip or not. As lenient as crawlers
 * must be: a file cut short gives what it holds whole, and prefixes and
 * namespaces do not matter.
 * Addresses are as written; whether a sitemap may speak for them is the
 * caller's to decide. Null where it is no sitemap.
 *
 * sitemaps.org/protocol.html. O(n).
 */
export function readSitemap(bytes: Uint8Array, contentType?: string): Sitemap | null {
  const text = unpackedText(bytes, contentType)
  if (/^\s*</.test(text)) return xmlSitemap(text) ?? feedSitemap(text)
  return isTable(text, contentType) ? tableSitemap(text) : textSitemap(text)
}
