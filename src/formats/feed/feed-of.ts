import { childrenOf, localName, type XmlElement, xmlTree } from '../markup/xml-tree.js'
import type { Feed, FeedItem } from './feed.js'
import { feedPart, generatorOf } from './feed-part.js'
import { feedText } from './feed-text.js'

/**
 * Reads a feed in RSS (0.9 to 2.0, RDF among them) or Atom (0.3, 1.0) from its
 * text; null where it is neither. O(n).
 */
export function feedOf(text: string): Feed | null {
  for (const root of xmlTree(text).children) {
    const kind = localName(root.name).toLowerCase()
    if (kind === 'feed') return readFeed({ kind: 'atom', root, channel: root, items: 'entry' })
    if (kind === 'rss' || kind === 'rdf') {
      const channel = childrenOf(root, 'channel')[0] ?? root
      return readFeed({ kind: 'rss', root, channel, items: 'item' })
    }
  }
  return null
}

interface Parts {
  readonly kind: Feed['kind']
  readonly root: XmlElement
  /** Holds the items in RSS 2.0; in RDF they stand beside it. */
  readonly channel: XmlElement
  readonly items: 'entry' | 'item'
}

function readFeed({ kind, root, channel, items }: Parts): Feed {
  const base = root.attributes['xml:base']
  const both = channel === root ? [root] : [channel, root]
  const all = (...names: string[]) => both.flatMap((each) => childrenOf(each, ...names))
  const part = feedPart(channel, base)
  return {
    ...part,
    kind,
    version: versionOf(kind, root),
    feedUrl: part.links.find((each) => each.rel === 'self')?.href ?? null,
    generator: generatorOf(channel),
    timeToLive: feedText(all('ttl')[0]),
    skipHours: all('skipHours').flatMap((each) =>
      childrenOf(each, 'hour').map((hour) => hour.text.trim()),
    ),
    imageLink: linkWithin(all('image')),
    searchLink: linkWithin(all('textInput', 'textinput')),
    items: all(items).map((each) => itemOf(each, base)),
  }
}

function versionOf(kind: Feed['kind'], { attributes }: XmlElement): string {
  const told = attributes.version
  if (told !== undefined) return told
  if (kind === 'atom') return attributes.xmlns === 'http://purl.org/atom/ns#' ? '0.3' : '1.0'
  return attributes.xmlns?.includes('netscape.com') ? '0.9' : '1.0'
}

function linkWithin(elements: readonly XmlElement[]): string | null {
  const links = elements.flatMap((each) => childrenOf(each, 'link'))
  return links.map((each) => feedText(each)).find((each) => each !== null) ?? null
}

function itemOf(element: XmlElement, inherited: string | undefined): FeedItem {
  const base = element.attributes['xml:base'] ?? inherited
  const part = feedPart(element, base)
  const [guid] = childrenOf(element, 'guid')
  const [content] = childrenOf(element, 'content', 'content:encoded')
  const [source] = childrenOf(element, 'source')
  const value = feedText(content, base)
  return {
    ...part,
    idIsLink: guid?.attributes.isPermaLink !== 'false',
    summary: feedText(childrenOf(element, 'summary', 'description')[0], base),
    content: value === null ? null : { type: content!.attributes.type ?? null, value },
    source:
      source === undefined ? null : { ...feedPart(source, base), generator: generatorOf(source) },
  }
}
