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
