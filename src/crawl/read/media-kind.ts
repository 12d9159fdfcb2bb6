/** How a content is read: as a page, as text, or not at all. */
export type MediaKind = 'html' | 'text' | 'binary'

const textual =
  /^text\/|^application\/(?:[\w.-]+\+)?(?:json|xml|javascript|ecmascript|x-ndjson|yaml|toml|rss|atom)\b|\+(?:xml|json)$/i

/**
 * What a content is, by its type and its first bytes. What calls itself text
 * and has a NUL there (and is not UTF-16, which says so at its start) is
 * binary; what has no type is a page if it begins like one.
 */
export function mediaKind(bytes: Uint8Array, contentType = ''): MediaKind {
  const head = bytes.subarray(0, 1024)
  const marked = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  if (head.includes(0) && !marked && !/charset\s*=\s*["']?utf-?(?:16|32)/i.test(contentType))
    return 'binary'
  const type = contentType.split(';')[0]!.trim()
  if (/^(?:text\/html|application\/xhtml\+xml)$/i.test(type)) return 'html'
  if (type !== '') return textual.test(type) ? 'text' : 'binary'
  const start = Buffer.from(head).toString('latin1').trimStart().toLowerCase()
  return /^<(?:!doctype html|html|head|body)\b/.test(start) ? 'html' : 'text'
}
