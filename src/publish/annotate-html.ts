import { charsetOf } from '../formats/charset.js'
import { OptionError } from '../model/errors.js'
import type { Declared } from '../model/hint.js'
import { type HeadScan, scanHead } from './head-scan.js'
import { attributeOf, type Token } from './html-tokens.js'
import { isTagContent, metaTag, tagContent } from './tag.js'

/** Encodings in which the bytes of `<` and `>` may be something else. */
const notAscii = /^(?:utf-16|iso-2022)/

/**
 * A page with one character for each byte, so that places in it are places in
 * the bytes: in all encodings that contain ASCII, markup reads the same. Null
 * for the others: UTF-16, and those that change their meaning by escapes.
 */
export function pageText(bytes: Uint8Array, contentType: string | undefined): string | null {
  if (notAscii.test(charsetOf(bytes, contentType))) return null
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  // UTF-16 without its mark has a zero beside every letter of a tag.
  return text.slice(0, 1024).includes('\0') || escapes(text) ? null : text
}

/** Whether characters are switched to others, as in ISO-2022. */
function escapes(text: string): boolean {
  return text.includes('\u001b$') || text.includes('\u001b(')
}

/** A page with its tag, or why it was left alone. */
export type Annotation =
  | {
      readonly outcome: 'inserted' | 'replaced' | 'unchanged'
      readonly bytes: Uint8Array
    }
  | {
      readonly outcome: 'refused'
      /** `encoding`: not readable as ASCII (UTF-16); `fragment`: a piece of a page. */
      readonly reason: 'encoding' | 'fragment'
    }

export interface AnnotateOptions {
  /** The Content-Type it is served with, where known: it may tell the encoding. */
  readonly contentType?: string | undefined
  /** Also take a text without doctype, html, head, title or body for a page; no by default. */
  readonly fragments?: boolean
}

/** A change to a text: from `start` up to `end` becomes `text`. */
interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Gives a page exactly one Change-Frequency tag in its head, and changes no
 * other byte: neither encoding, byte order mark, line ends nor anything a
 * careless writer left behind. A tag that is there keeps its place, quotes and
 * other attributes; further ones are taken out. Doing it twice changes nothing.
 * Works on the bytes, by the rules browsers read by. O(length of the page).
 */
export function annotateHtml(
  bytes: Uint8Array,
  tag: Declared | string,
  { contentType, fragments = false }: AnnotateOptions = {},
): Annotation {
  const content = typeof tag === 'string' ? tag : tagContent(tag)
  if (!isTagContent(content))
    throw new OptionError(
      'bad-tag',
      `"${content}" cannot be the content of a tag; give STATIC, PERIODIC=days or nonuniform=days`,
    )
  const text = pageText(bytes, contentType)
  if (text === null) return { outcome: 'refused', reason: 'encoding' }
  const head = scanHead(text)
  if (!head.whole && head.tags.length === 0 && !fragments)
    return { outcome: 'refused', reason: 'fragment' }
  const edits = editsFor(text, { head, content })
  if (edits.length === 0) return { outcome: 'unchanged', bytes }
  const outcome = head.tags.length === 0 ? 'inserted' : 'replaced'
  return { outcome, bytes: edited(bytes, edits) }
}

/** What a page's tag says now, as it is written; null where it has none. */
export function writtenTag(
  bytes: Uint8Array,
  { contentType }: AnnotateOptions = {},
): string | null {
  const text = pageText(bytes, contentType)
  const [first] = text === null ? [] : scanHead(text).tags
  const content = first === undefined ? undefined : attributeOf(first, 'content')
  return content === undefined ? null : text!.slice(content.start, content.end)
}

/** The page as it is without its tags: what counts when it is asked whether it changed. */
export function withoutTag(bytes: Uint8Array, { contentType }: AnnotateOptions = {}): Uint8Array {
  const text = pageText(bytes, contentType)
  const tags = text === null ? [] : scanHead(text).tags
  return edited(bytes, tags.map(removal))
}

function editsFor(text: string, { head, content }: { head: HeadScan; content: string }): Edit[] {
  const [first, ...others] = head.tags
  if (first === undefined) {
    const { insertAt, xhtml } = head
    return [{ start: insertAt, end: insertAt, text: metaTag(content, { closed: xhtml }) }]
  }
  return [...replacement(text, { tag: first, content }), ...others.map(removal)]
}

/** A content that is missing or empty has no place of its own: the whole tag is written anew. */
function replacement(text: string, { tag, content }: { tag: Token; content: string }): Edit[] {
  const old = attributeOf(tag, 'content')
  if (old === undefined || (old.quote === '' && old.start === old.end)) {
    const { start, end, closed } = tag
    return [{ start, end, text: metaTag(content, { closed }) }]
  }
  const { start, end, quote } = old
  if (text.slice(start, end) === content) return []
  return [{ start, end, text: quote === '' ? `"${content}"` : content }]
}

function removal({ start, end }: Token): Edit {
  return { start, end, text: '' }
}

function edited(bytes: Uint8Array, edits: readonly Edit[]): Uint8Array {
  if (edits.length === 0) return bytes
  const pieces: Uint8Array[] = []
  let from = 0
  for (const { start, end, text } of edits) {
    pieces.push(bytes.subarray(from, start), Buffer.from(text, 'latin1'))
    from = end
  }
  pieces.push(bytes.subarray(from))
  return new Uint8Array(Buffer.concat(pieces))
}
