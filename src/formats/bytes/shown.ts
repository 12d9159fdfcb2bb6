import type { ByteSlice } from './byte-slice.js'

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
