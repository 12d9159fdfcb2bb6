import type { Attributes } from '../markup/html-tag.js'
import { scanXml } from '../markup/scan-xml.js'

/** An element with what is in it. `inner` is its markup as written. */
export interface XmlElement {
  /** As written: `atom:link`. */
  readonly name: string
  readonly attributes: Attributes
  readonly children: XmlElement[]
  /** Its own text, decoded. */
  text: string
  inner: string
}

/** Nothing of use is deeper; what is deeper is left out, so that no reader needs a deep stack. */
const deepest = 100

interface Open {
  readonly element: XmlElement
  readonly from: number
}

/**
 * Reads XML leniently into a tree: a closing tag closes the nearest element of
 * its name, and is ignored where none is open. The root is an element without a
 * name. Never throws. O(n).
 */
export function xmlTree(text: string): XmlElement {
  const root = elementOf('', {})
  const open: Open[] = [{ element: root, from: 0 }]
  let tooDeep = 0
  const finish = (at: number) => {
    const { element, from } = open.pop()!
    element.inner = text.slice(from, Math.max(from, at))
  }
  scanXml(text, {
    open(name, attributes, { after }) {
      if (open.length > deepest || tooDeep > 0) tooDeep++
      else {
        const element = elementOf(name, attributes)
        open.at(-1)!.element.children.push(element)
        open.push({ element, from: after })
      }
    },
    close(name, { at }) {
      if (tooDeep > 0) tooDeep--
      else {
        const place = open.findLastIndex((each) => each.element.name === name)
        while (place > 0 && open.length > place) finish(at)
      }
    },
    text(part) {
      if (tooDeep === 0) open.at(-1)!.element.text += part
    },
  })
  while (open.length > 0) finish(text.length)
  return root
}

function elementOf(name: string, attributes: Attributes): XmlElement {
  return { name, attributes, children: [], text: '', inner: '' }
}

/** The children of one of these names. */
export function childrenOf(element: XmlElement, ...names: string[]): XmlElement[] {
  return element.children.filter((each) => names.includes(each.name))
}

/** The name without its prefix. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

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
