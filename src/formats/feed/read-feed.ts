import { baseOf, type Feed, type FeedItem, feedPart, feedText, generatorOf } from './feed-part.js'
import { childrenOf, type NamedFeed, namedFeed, type XmlElement, xmlTree } from './xml-tree.js'

/**
 * Reads a feed in RSS (0.9 to 2.0, RDF among them) or Atom (0.3, 1.0) from its
 * text; null where it is neither. O(n).
 */
export function feedOf(text: string): Feed | null {
  for (const each of xmlTree(text).children) {
    const feed = namedFeed(each)
    if (feed?.kind === 'atom') return feedFrom({ ...feed, channel: feed.root, items: 'entry' })
    if (feed?.kind === 'rss')
      return feedFrom({
        ...feed,
        channel: childrenOf(feed.root, 'channel')[0] ?? feed.root,
        items: 'item',
      })
  }
  return null
}

interface Parts extends NamedFeed {
  /** Holds the items in RSS 2.0; in RDF they stand beside it. */
  readonly channel: XmlElement
  readonly items: 'entry' | 'item'
}

function feedFrom(parts: Parts): Feed {
  const { kind, root, channel, items } = parts
  const base = baseOf(root, undefined)
  const channelBase = channel === root ? base : baseOf(channel, base)
  const both = channel === root ? [root] : [channel, root]
  const all = (...names: string[]) => both.flatMap((each) => childrenOf(each, ...names))
  const part = feedPart(channel, channel === root ? undefined : base)
  return {
    ...part,
    kind,
    version: versionOf(parts),
    feedUrl: part.links.find((each) => each.rel === 'self')?.href ?? null,
    generator: generatorOf(channel),
    timeToLive: feedText(all('ttl')[0]),
    skipHours: all('skipHours').flatMap((each) =>
      childrenOf(each, 'hour').map((hour) => hour.text.trim()),
    ),
    imageLink: linkWithin(all('image')),
    searchLink: linkWithin(all('textInput', 'textinput')),
    items: both.flatMap((each) =>
      childrenOf(each, items).map((item) => itemOf(item, each === channel ? channelBase : base)),
    ),
  }
}

function versionOf({ kind, root, namespace }: Parts): string {
  const reported = root.attributes.version
  if (reported !== undefined) return reported
  if (kind === 'atom') return namespace === 'http://purl.org/atom/ns#' ? '0.3' : '1.0'
  return root.attributes.xmlns?.includes('netscape.com') ? '0.9' : '1.0'
}

function linkWithin(elements: readonly XmlElement[]): string | null {
  const links = elements.flatMap((each) => childrenOf(each, 'link'))
  return links.map((each) => feedText(each)).find((each) => each !== null) ?? null
}

function itemOf(element: XmlElement, inherited: string | undefined): FeedItem {
  const base = baseOf(element, inherited)
  const part = feedPart(element, inherited)
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
