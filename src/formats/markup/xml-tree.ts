import { type Attributes, scanMarkup } from './scan-markup.js'

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
  scanMarkup(text, {
    xml: true,
    events: {
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
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
