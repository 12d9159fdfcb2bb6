import type { ByteSlice } from './bytes/byte-slice.js'

/** C0 and C1 controls, and the marks that reorder, join or hide text in a terminal. */
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Surrogate}/gu

/** A text from a file as it may be shown on a terminal: what is unsafe becomes `\u202e`. */
export function shown(text: string): string {
  return text.replace(unsafe, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The beginning of a field in quotes, for a message. */
export function quoted(field: ByteSlice): string {
  return quotedText(field.text())
}

export function quotedText(text: string): string {
  const short = [...text.slice(0, 120)].slice(0, 40).join('')
  return `"${shown(short)}${short.length < text.length ? '...' : ''}"`
}

/** Controls, and the marks that reorder, join or hide text. */
const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Surrogate}|\p{Noncharacter_Code_Point}/gu

/**
 * A text from outside as it may be shown: what a reader would not see, or what
 * would reorder the text around it, is spelled out as `\u202e`.
 */
export function shownText(text: string): string {
  return text.replace(unseen, (sign) => `\\u${sign.codePointAt(0)!.toString(16).padStart(4, '0')}`)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** The same, safe between tags and in quoted attributes of HTML and SVG. */
export function escaped(text: string): string {
  return shownText(text).replace(/[&<>"']/g, (sign) => entities[sign]!)
}

/** Text made safe for HTML and XML, in elements and in attributes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => entities[mark]!)
}
