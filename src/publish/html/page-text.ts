import { charsetOf } from '../../formats/index.js'

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
