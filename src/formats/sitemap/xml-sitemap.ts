import { quotedText } from '../bytes/shown.js'
import { scanMarkup } from '../markup/scan-markup.js'
import { type Refusal, refusal } from '../refusal.js'
import { looseDate } from '../time/loose-date.js'
import { Problems } from '../visits/problems.js'
import type { Sitemap, SitemapEntry } from './sitemap.js'

const fields = new Set(['loc', 'lastmod', 'changefreq', 'priority'])

/**
 * A sitemap or an index in XML; null where the text has neither's root element.
 * An address that the end of the file cuts, or that holds an entity nobody
 * declared, is no address, and told by its line.
 */
export function xmlSitemap(text: string): Sitemap | null {
  const reading = new XmlSitemapReading(text)
  scanMarkup(text, {
    xml: true,
    events: {
      open: (name, _, { after }) => reading.open(name, after),
      close: (name, { at }) => reading.close(name, at),
      text: (part) => reading.text(part),
    },
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
 * Entries are told apart by their elements, and by a second loc inside one
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
