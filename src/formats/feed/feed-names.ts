import { localName, type XmlElement } from '../markup/xml-tree.js'

const atom = 'atom'
const rss = 'rss'

/** The names that readers know namespaces by, whatever prefix a feed gives them. */
const vocabularies: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/2005/Atom', atom],
  ['http://purl.org/atom/ns#', atom],
  ['http://purl.org/rss/1.0/', rss],
  ['http://my.netscape.com/rdf/simple/0.9/', rss],
  ['http://channel.netscape.com/rdf/simple/0.9/', rss],
  ['http://www.w3.org/1999/02/22-rdf-syntax-ns#', 'rdf'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://purl.org/dc/terms/', 'dcterms'],
  ['http://purl.org/rss/1.0/modules/content/', 'content'],
  ['http://www.itunes.com/dtds/podcast-1.0.dtd', 'itunes'],
  ['http://www.w3.org/1999/xhtml', 'xhtml'],
])

/** A feed's root with its elements under one name each. */
export interface NamedFeed {
  readonly kind: 'rss' | 'atom'
  readonly root: XmlElement
  /** The namespace of the root; null where it has none. */
  readonly namespace: string | null
}

/**
 * The root of a feed, known by its name under any prefix, and all below it named
 * alike: the feed's own elements without a prefix, those of other vocabularies
 * with the usual one. Null where the element is no feed, such as OPML. O(n).
 */
export function namedFeed(root: XmlElement): NamedFeed | null {
  const local = localName(root.name).toLowerCase()
  const kind = local === 'feed' ? atom : local === 'rss' || local === 'rdf' ? rss : null
  if (kind === null) return null
  const scope = scopeOf(root, new Map())
  const namespace = scope.get(prefixOf(root.name)) ?? null
  return { kind, root: named(root, { kind, scope: new Map() }), namespace }
}

type Scope = ReadonlyMap<string, string>

function named(
  element: XmlElement,
  { kind, scope: outer }: { readonly kind: string; readonly scope: Scope },
): XmlElement {
  const scope = scopeOf(element, outer)
  const under = (name: string) => nameUnder(name, { kind, scope })
  const attributes = Object.entries(element.attributes).map(([name, value]) => [
    name.includes(':') ? under(name) : name,
    value,
  ])
  return {
    ...element,
    name: under(element.name),
    attributes: Object.fromEntries(attributes),
    children: element.children.map((each) => named(each, { kind, scope })),
  }
}

/** A prefix that nobody declared stands for what it usually does. */
function nameUnder(
  name: string,
  { kind, scope }: { readonly kind: string; readonly scope: Scope },
): string {
  const prefix = prefixOf(name)
  const vocabulary = vocabularies.get(scope.get(prefix) ?? '') ?? prefix
  return vocabulary === kind || vocabulary === ''
    ? localName(name)
    : `${vocabulary}:${localName(name)}`
}

function prefixOf(name: string): string {
  return name.includes(':') ? name.slice(0, name.indexOf(':')) : ''
}

/** What the prefixes stand for within an element. */
function scopeOf({ attributes }: XmlElement, outer: Scope): Scope {
  const declared = Object.entries(attributes).filter(([name]) => /^xmlns(?::|$)/.test(name))
  if (declared.length === 0) return outer
  return new Map([
    ...outer,
    ...declared.map(([name, value]) => [name.slice('xmlns:'.length), value.trim()] as const),
  ])
}
