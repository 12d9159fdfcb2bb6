import { scanMarkup } from '../markup/scan-markup.js'
import { looseDate } from '../time/loose-date.js'
import type { Sitemap, SitemapEntry } from './sitemap.js'

const fields = new Set(['loc', 'lastmod', 'changefreq', 'priority'])

/** A sitemap or an index in XML; null where the text has neither's root element. */
export function xmlSitemap(text: string): Sitemap | null {
  const reading = new XmlSitemapReading()
  scanMarkup(text, {
    xml: true,
    events: {
      open: (name) => reading.open(name),
      close: (name) => reading.close(name),
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
}

function blank(): Draft {
  return { loc: '', lastmod: '', changefreq: '', priority: '', bare: '' }
}

/**
 * Entries are told apart by their elements, and by a second loc inside one
 * entry. Elements of extensions (images, videos, news) have a loc of their own
 * and are passed over by their prefix.
 */
class XmlSitemapReading {
  #kind: Sitemap['kind'] | undefined
  #prefix = ''
  #draft: Draft | undefined
  #field: keyof Draft = 'bare'
  readonly #entries: SitemapEntry[] = []

  open(name: string): void {
    const local = name.slice(name.indexOf(':') + 1)
    if (this.#kind === undefined) this.#root(name, local)
    else if (name !== this.#prefix + local) this.#field = 'bare'
    else if (this.#field === 'loc') return
    else if (local === 'url' || local === 'sitemap') this.#begin()
    else if (fields.has(local) && this.#draft !== undefined) this.#enter(local as keyof Draft)
  }

  close(name: string): void {
    const local = name.slice(name.indexOf(':') + 1)
    if (name !== this.#prefix + local) return
    if (fields.has(local)) this.#field = 'bare'
    else if ((local === 'url' || local === 'sitemap') && this.#field !== 'loc') this.#finish()
  }

  text(part: string): void {
    if (this.#draft !== undefined && this.#draft[this.#field].length < longestField)
      this.#draft[this.#field] += part
  }

  end(): Sitemap | null {
    this.#finish()
    if (this.#kind === undefined) return null
    return { kind: this.#kind, form: 'xml', entries: this.#entries }
  }

  #root(name: string, local: string): void {
    if (local === 'urlset') this.#kind = 'pages'
    if (local === 'sitemapindex') this.#kind = 'index'
    if (this.#kind !== undefined) this.#prefix = name.slice(0, name.length - local.length)
  }

  #begin(): void {
    this.#finish()
    this.#draft = blank()
    this.#field = 'bare'
  }

  #enter(field: keyof Draft): void {
    if (field === 'loc' && this.#draft!.loc !== '') this.#begin()
    this.#field = field
  }

  #finish(): void {
    const draft = this.#draft
    this.#draft = undefined
    this.#field = 'bare'
    const url = (draft?.loc || draft?.bare || '').trim()
    if (draft === undefined || url === '' || /\s/.test(url)) return
    this.#entries.push({ url, ...hints(draft) })
  }
}

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
