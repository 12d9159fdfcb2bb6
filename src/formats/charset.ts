import { isUtf8 } from 'node:buffer'
import { gunzipSync } from 'node:zlib'
import { InputError } from '../model/errors.js'
import { scanHtmlPlaces } from './markup/scan-html.js'

/** How far into a page its encoding may be named. HTML Standard, 13.2.3.2. */
const scanned = 1024

/**
 * The encoding of a text, by the mark at its start, else by Content-Type, else
 * by what its first kilobyte says of itself (`<meta charset>`, XML declaration);
 * else UTF-8 if the bytes are that, and windows-1252 if not. A name nobody
 * knows counts as not given, and the search goes on. HTML Standard, 13.2.3.
 */
export function charsetOf(bytes: Uint8Array, contentType = ''): string {
  const given = charsetOfHeader(contentType)
  return (
    markOf(bytes) ??
    known(given) ??
    unmarkedWide(bytes) ??
    ownCharset(bytes) ??
    (isUtf8(bytes) ? 'utf-8' : 'windows-1252')
  )
}

/** The charset of a Content-Type header; undefined where it tells none. No two parts take the same letters: O(n). */
export function charsetOfHeader(contentType: string): string | undefined {
  return /;\s*charset\s*=[\s"']*([^\s"';]+)/i.exec(contentType)?.[1]
}

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined
}

/** Which of the two forms of UTF-16 a content shows itself to be in; undefined where in neither. */
export function wideCharset(bytes: Uint8Array): string | undefined {
  const marked = markOf(bytes)
  return marked === 'utf-8' ? undefined : (marked ?? unmarkedWide(bytes))
}

const spaces = new Set([0x09, 0x0a, 0x0d, 0x20])
/** What markup and JSON begin with: `<`, `{` and `[`. */
const beginnings = new Set([0x3c, 0x7b, 0x5b])
const mostSpaces = 64

/** UTF-16 without a mark, by what markup or JSON begins with and what follows that. XML 1.0, appendix F; RFC 4627, 3. */
function unmarkedWide(bytes: Uint8Array): string | undefined {
  for (const [name, low] of [
    ['utf-16le', 0],
    ['utf-16be', 1],
  ] as const) {
    const wide = (at: number) => (bytes[at + 1 - low] === 0 ? bytes[at + low] : undefined)
    let at = 0
    while (at < 2 * mostSpaces && spaces.has(wide(at) ?? 0)) at += 2
    if (beginnings.has(wide(at) ?? 0) && (wide(at + 2) ?? 0) !== 0) return name
  }
  return undefined
}

function ownCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, scanned)).toString('latin1')
  const declaration = /^\s*<\?xml(\s[^>]*)/i.exec(head)?.[1] ?? ''
  const xml = /\sencoding\s*=\s*["']([^"']+)["']/i.exec(declaration)?.[1]
  const name = known(xml) ?? charsetOfMeta(head)
  // A page that can be read so far is not UTF-16, whatever it says of itself.
  return name?.startsWith('utf-16') ? 'utf-8' : name
}

/** The first encoding that a meta element names and that there is; comments hold no elements. */
function charsetOfMeta(head: string): string | undefined {
  let found: string | undefined
  if (!/<meta/i.test(head)) return found
  scanHtmlPlaces(head, {
    wants: (name) => name === 'meta' && found === undefined,
    open(name, { charset, content = '', 'http-equiv': equiv = '' }) {
      if (name !== 'meta' || found !== undefined) return
      const isType = /^\s*content-type\s*$/i.test(equiv)
      const named = isType ? /charset\s*=[\s"']*([^\s"';]+)/i.exec(content)?.[1] : undefined
      found = known(charset?.trim()) ?? known(named)
    },
    close() {},
    span() {},
  })
  return found
}

/** By the names that pages gave; a decoder for each page costs more than to look it up. */
const encodings = new Map<string, string>()

function known(name: string | undefined): string | undefined {
  if (name === undefined || name.length > 40) return undefined
  const before = encodings.get(name)
  if (before !== undefined) return before
  try {
    const { encoding } = new TextDecoder(name)
    if (encodings.size < 1000) encodings.set(name, encoding)
    return encoding
  } catch {
    return undefined
  }
}

/** A text from its bytes; what is no text in its encoding becomes U+FFFD. Never throws. O(n). */
export function decodedText(bytes: Uint8Array, contentType?: string): string {
  return new TextDecoder(charsetOf(bytes, contentType)).decode(bytes)
}

/** No list of pages is larger: sitemaps.org limits a sitemap to 50 MB. */
const largest = 50 * 1024 * 1024

/**
 * The text of a file that may be packed with gzip, whatever it is called.
 * Throws where the gzip data are damaged or unpack to more than 50 MB.
 */
export function unpackedText(bytes: Uint8Array, contentType?: string): string {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return decodedText(bytes, contentType)
  try {
    return decodedText(gunzipSync(bytes, { maxOutputLength: largest }))
  } catch (error) {
    throw new InputError('bad-gzip', 'the gzip data are damaged, or unpack to more than 50 MB', {
      cause: error,
    })
  }
}
