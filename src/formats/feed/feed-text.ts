import { childrenOf, type XmlElement } from '../markup/xml-tree.js'

/**
 * The text of an element such as a title, by the ways feeds write it: plain,
 * escaped HTML, HTML as it is, HTML in a div, or base64. Null if it is empty.
 */
export function feedText(element: XmlElement | undefined, base?: string): string | null {
  if (element === undefined) return null
  const text = withBase(written(element), element.attributes['xml:base'] ?? base).trim()
  return text === '' ? null : text
}

function written(element: XmlElement): string {
  if (isBase64(element)) return Buffer.from(element.text, 'base64').toString('utf8')
  if (element.children.length === 0) return element.text
  const [div, ...others] = childrenOf(element, 'div', 'xhtml:div')
  const wrapped = div !== undefined && others.length === 0 && element.text.trim() === ''
  return wrapped ? div.inner : element.inner
}

/** Atom 0.3 says `mode`; in Atom 1.0 a type that is neither text nor XML means base64. */
function isBase64({ attributes: { mode, type = '' } }: XmlElement): boolean {
  if (mode !== undefined) return mode === 'base64'
  return /^[^/]+\/[^/]+$/.test(type) && !/^text\/|[+/]xml$/i.test(type)
}

const link = /(\s(?:href|src)\s*=\s*")([^"]*)(")/gi

/** Links in the text made whole, where the feed tells what they are relative to. */
function withBase(text: string, base: string | undefined): string {
  if (base === undefined || !text.includes('<')) return text
  return text.replace(link, (_, before, url, after) => before + (resolved(url, base) ?? '') + after)
}

/** An address made whole; as written where it cannot be. */
export function resolved(url: string | null, base: string | undefined): string | null {
  const trimmed = url?.trim() ?? ''
  if (trimmed === '') return null
  if (base === undefined || URL.canParse(trimmed)) return trimmed
  return URL.canParse(trimmed, base) ? new URL(trimmed, base).href : trimmed
}
