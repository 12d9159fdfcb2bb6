/** Text from outside made safe to show, to put in markup and to quote. Runs in a browser. */
import type { ByteSlice } from './bytes/byte-slice.js'

/** Controls, and the marks that reorder, join or hide text. */
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Surrogate}|\p{Noncharacter_Code_Point}/gu

/**
 * A text from outside as it may be shown on a terminal or a page: what a reader
 * would not see, or what would reorder the text around it, is spelled out as
 * `\u202e`.
 */
export function shown(text: string): string {
  return text.replace(unsafe, (sign) => `\\u${sign.codePointAt(0)!.toString(16).padStart(4, '0')}`)
}

/** The beginning of a field in quotes, for a message. */
export function quoted(field: ByteSlice): string {
  return quotedText(field.text())
}

export function quotedText(text: string): string {
  const short = [...text.slice(0, 120)].slice(0, 40).join('')
  return `"${shown(short)}${short.length < text.length ? '...' : ''}"`
}

/** The beginning of a text, never half a letter. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most - 3).replace(/[\ud800-\udbff]$/, '')}...`
}

/** The lines of a text, however they end. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text made safe for HTML and XML, in elements and in quoted attributes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign]!)
}

/** The same of a text from outside, as it may be shown. */
export function escaped(text: string): string {
  return escapeMarkup(shown(text))
}
