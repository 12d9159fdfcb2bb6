import { isUtf8 } from 'node:buffer'
import { childrenOf, type XmlElement } from '../markup/xml-tree.js'

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
export function resolved(url: string | null, base: string | undefined): string | null {
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
