import { wideCharset } from '../../formats/index.js'

/** How a content is read: as a page, as text, or not at all. */
export type MediaKind = 'html' | 'text' | 'binary'

const textual =
  /^text\/|^application\/(?:[\w.-]+\+)?(?:json|xml|javascript|ecmascript|x-ndjson|yaml|toml|rss|atom)\b|\+(?:xml|json)$/i

/**
 * What a content is, by its type and its first bytes. What calls itself text
 * and has a NUL there (and is not UTF-16, which shows at its start) is binary;
 * what has no type is a page if it begins like one.
 */
export function mediaKind(bytes: Uint8Array, contentType = ''): MediaKind {
  const head = bytes.subarray(0, 1024)
  const wide = wideCharset(head)
  const isWide = wide !== undefined || /charset\s*=\s*["']?utf-?(?:16|32)/i.test(contentType)
  if (head.includes(0) && !isWide) return 'binary'
  const type = contentType.split(';')[0]!.trim()
  if (/^(?:text\/html|application\/xhtml\+xml)$/i.test(type)) return 'html'
  if (type !== '') return textual.test(type) ? 'text' : 'binary'
  const start = new TextDecoder(wide ?? 'latin1').decode(head).trimStart().toLowerCase()
  return /^<(?:!doctype html|html|head|body)\b/.test(start) ? 'html' : 'text'
}
