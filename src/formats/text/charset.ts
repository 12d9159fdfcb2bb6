import { isUtf8 } from 'node:buffer'

/** How far into a page its encoding may be told. HTML Standard, 13.2.3.2. */
const scanned = 1024

/**
 * The encoding of a text, by the mark at its start, else by Content-Type, else
 * by what its first kilobyte says of itself (`<meta charset>`, XML declaration);
 * else UTF-8 if the bytes are that, and windows-1252 if not. A name nobody
 * knows counts as not given. HTML Standard, 13.2.3.
 */
export function charsetOf(bytes: Uint8Array, contentType = ''): string {
  const told = charsetOfHeader(contentType)
  return (
    markOf(bytes) ?? known(told) ?? ownCharset(bytes) ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')
  )
}

/** The charset of a Content-Type header; undefined where it tells none. */
export function charsetOfHeader(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?\s*([^\s"';]+)/i.exec(contentType)?.[1]
}

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined
}

function ownCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, scanned)).toString('latin1')
  const xml = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/i.exec(head)?.[1]
  const meta = /<meta\s[^>]*?charset\s*=\s*["']?\s*([^\s"'/>;]+)/i.exec(head)?.[1]
  const name = known(xml) ?? known(meta)
  // A page that can be read so far is not UTF-16, whatever it says of itself.
  return name?.startsWith('utf-16') ? 'utf-8' : name
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
