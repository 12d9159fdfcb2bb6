import type { UnixSeconds } from '../../model/index.js'
import { childrenOf, type XmlElement } from '../markup/xml-tree.js'
import { looseDate } from '../time/loose-date.js'
import type { FeedCategory, FeedGenerator, FeedLink, FeedPart, FeedPerson } from './feed.js'
import { baseOf, feedText, resolved } from './feed-text.js'

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
