import { isUtf8 } from 'node:buffer'
import type { UnixSeconds } from '../../model/units.js'
import { looseDate } from '../time/web-dates.js'
import { childrenOf, type XmlElement } from './xml-tree.js'

export interface FeedLink {
  readonly href: string | null
  readonly rel: string
  readonly type: string | null
  readonly hreflang: string | null
  readonly title: string | null
  readonly length: string | null
}

export interface FeedPerson {
  readonly name: string | null
  readonly email: string | null
  readonly uri: string | null
}

export interface FeedCategory {
  readonly term: string | null
  readonly label: string | null
}

/** What a feed, an item, and the source an item was taken from all tell of themselves. */
export interface FeedPart {
  readonly id: string | null
  readonly title: string | null
  readonly subtitle: string | null
  /** Where a person reads it. */
  readonly link: string | null
  readonly links: readonly FeedLink[]
  readonly rights: string | null
  readonly logo: string | null
  readonly authors: readonly FeedPerson[]
  readonly contributors: readonly FeedPerson[]
  readonly categories: readonly FeedCategory[]
  /** Null where it is not given, or in no way we can read. */
  readonly updated: UnixSeconds | null
  readonly published: UnixSeconds | null
  /** The dates as written. */
  readonly written: { readonly updated: string | null; readonly published: string | null }
}

export interface FeedGenerator {
  readonly name: string | null
  readonly uri: string | null
  readonly version: string | null
}

export interface FeedItem extends FeedPart {
  /** RSS: whether the id is an address too; it is unless the feed says no. */
  readonly idIsLink: boolean
  readonly summary: string | null
  readonly content: { readonly type: string | null; readonly value: string } | null
  readonly source: (FeedPart & { readonly generator: FeedGenerator | null }) | null
}

export interface Feed extends FeedPart {
  readonly kind: 'rss' | 'atom'
  readonly version: string
  /** The feed's own address, if it tells one. */
  readonly feedUrl: string | null
  readonly generator: FeedGenerator | null
  /** RSS: minutes for which a copy is good, and hours (UTC) in which nothing changes; as written. */
  readonly timeToLive: string | null
  readonly skipHours: readonly string[]
  readonly imageLink: string | null
  readonly searchLink: string | null
  readonly items: readonly FeedItem[]
}

/**
 * The text of an element such as a title, by the ways feeds write it: plain,
 * escaped HTML, HTML as it is, HTML in a div, or base64. Null if it is empty.
 */
export function feedText(element: XmlElement | undefined, base?: string): string | null {
  if (element === undefined) return null
  const text = withBase(written(element), baseOf(element, base)).trim()
  return text === '' ? null : text
}

/** What addresses in an element are relative to: its own xml:base, itself relative to the one around it. */
export function baseOf(element: XmlElement, inherited: string | undefined): string | undefined {
  return resolved(element.attributes['xml:base'] ?? null, inherited) ?? inherited
}

function written(element: XmlElement): string {
  const packed = isBase64(element) ? unpacked(element.text) : null
  if (packed !== null) return packed
  if (element.children.length === 0) return element.text
  const [div, ...others] = childrenOf(element, 'div', 'xhtml:div')
  const wrapped = div !== undefined && others.length === 0 && element.text.trim() === ''
  return wrapped ? div.inner : element.inner
}

/** Atom 0.3 says `mode`; in Atom 1.0 a type that is neither text nor XML means base64. */
function isBase64({ attributes: { mode, type = '' } }: XmlElement): boolean {
  if (mode !== undefined) return mode === 'base64'
  return /^[^/;]+\/[^/;]+$/.test(type) && !/^text\/|[+/]xml$/i.test(type)
}

/** Text from base64; null where it is none: many say `application/...` of text that is plain. */
function unpacked(text: string): string | null {
  const letters = text.replace(/\s+/g, '')
  if (letters.length % 4 !== 0 || !/^[A-Za-z\d+/]+={0,2}$/.test(letters)) return null
  const bytes = Buffer.from(letters, 'base64')
  return isUtf8(bytes) ? bytes.toString('utf8') : null
}

const link = /(\s(?:href|src)\s*=\s*")([^"]*)(")/gi

/** Links in the text made whole, where the feed tells what they are relative to. */
function withBase(text: string, base: string | undefined): string {
  if (base === undefined || !text.includes('<')) return text
  return text.replace(link, (_, before, url, after) => before + (resolved(url, base) ?? '') + after)
}

/** An address made whole, as far as the base is; as written where it cannot be. */
function resolved(url: string | null, base: string | undefined): string | null {
  const trimmed = url?.trim() ?? ''
  if (trimmed === '') return null
  if (base === undefined || URL.canParse(trimmed)) return trimmed
  if (URL.canParse(base)) return URL.canParse(trimmed, base) ? new URL(trimmed, base).href : trimmed
  return joined(trimmed, base)
}

/** A relative address after a relative base: who knows where the feed is makes the rest of it whole. */
function joined(url: string, base: string): string {
  if (url.startsWith('//') || !URL.canParse(base, nowhere)) return url
  const { href } = new URL(base, nowhere)
  if (!URL.canParse(url, href)) return url
  const whole = new URL(url, href).href.slice(nowhere.length)
  return base.startsWith('/') || url.startsWith('/') ? `/${whole}` : whole
}

const nowhere = 'http://nowhere.invalid/'

const updatedNames = [
  'updated',
  'modified',
  'atom:updated',
  'lastBuildDate',
  'dcterms:modified',
  'dc:date',
]
const publishedNames = [
  'published',
  'issued',
  'created',
  'pubDate',
  'atom:published',
  'dcterms:issued',
  'dcterms:created',
]

/** Reads what feeds, items and sources have in common. */
export function feedPart(element: XmlElement, inherited?: string): FeedPart {
  const base = baseOf(element, inherited)
  const text = (...names: string[]) => feedText(childrenOf(element, ...names)[0], base)
  const links = childrenOf(element, 'link', 'atom:link').map((each) => linkOf(each, base))
  const written = { updated: text(...updatedNames), published: text(...publishedNames) }
  return {
    // RSS 1.0 says of each part what it is about.
    id: resolved(text('id', 'guid') ?? element.attributes['rdf:about'] ?? null, base),
    title: text('title'),
    subtitle: text('subtitle', 'tagline', 'description', 'itunes:subtitle'),
    link: readable(links),
    links,
    rights: text('rights', 'copyright'),
    logo: resolved(text('logo'), base),
    authors: childrenOf(element, 'author').map((each) => personOf(each, base)),
    contributors: childrenOf(element, 'contributor').map((each) => personOf(each, base)),
    categories: childrenOf(element, 'category').map(categoryOf),
    updated: timeOf(written.updated),
    published: timeOf(written.published),
    written,
  }
}

/**
 * Where a person reads it, of all alternates: a page, or what has no type,
 * before a PDF or the like, and that before a feed, which may be this one.
 */
function readable(links: readonly FeedLink[]): string | null {
  const self = new Set(links.filter(({ rel }) => rel === 'self').map(({ href }) => href))
  let best: { readonly href: string | null; readonly rank: number } = { href: null, rank: 3 }
  for (const { rel, href, type } of links) {
    if (rel !== 'alternate' || href === null) continue
    const isFeed = self.has(href) || feedType.test(type ?? '')
    const rank = isFeed ? 2 : type === null || pageType.test(type) ? 0 : 1
    // Of several as good the last counts, as in other readers.
    if (rank <= best.rank) best = { href, rank }
  }
  return best.href
}

const pageType = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i
const feedType = /^\s*application\/(?:atom|rss|rdf)\+xml\b/i

/** RSS writes the address as text, Atom as an attribute. */
function linkOf(element: XmlElement, base: string | undefined): FeedLink {
  const { href, rel, type, hreflang, title, length } = element.attributes
  return {
    href: resolved(href ?? element.text, baseOf(element, base)),
    rel: rel ?? 'alternate',
    type: type ?? null,
    hreflang: hreflang ?? null,
    title: title ?? null,
    length: length ?? null,
  }
}

function personOf(element: XmlElement, base: string | undefined): FeedPerson {
  const text = (...names: string[]) => feedText(childrenOf(element, ...names)[0])
  return {
    name: text('name') ?? (element.children.length === 0 ? feedText(element) : null),
    email: text('email'),
    uri: resolved(text('uri', 'url', 'homepage'), base),
  }
}

function categoryOf(element: XmlElement): FeedCategory {
  const { term, label } = element.attributes
  return { term: term ?? feedText(element), label: label ?? null }
}

export function generatorOf(element: XmlElement): FeedGenerator | null {
  const found = childrenOf(element, 'generator')[0]
  if (found === undefined) return null
  const { uri, url, version } = found.attributes
  return { name: feedText(found), uri: uri ?? url ?? null, version: version ?? null }
}

function timeOf(text: string | null): UnixSeconds | null {
  const at = text === null ? Number.NaN : looseDate(text)
  return Number.isNaN(at) ? null : at
}
