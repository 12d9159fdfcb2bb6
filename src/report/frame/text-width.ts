/** Width of a mean sign beside the font size in a sans-serif font, a little generous. */
const meanSign = 0.56

/**
 * About how wide a text will be, in px: there is no font to measure here. Signs
 * of East Asian scripts count double.
 */
export function textWidth(text: string, { fontSize = 12 }: { readonly fontSize?: number } = {}) {
  let signs = 0
  for (const sign of text) signs += sign.codePointAt(0)! >= 0x1100 ? 1.8 : 1
  return signs * fontSize * meanSign
}

/** Lines no wider than the room, broken between words; a longer word is cut off with an ellipsis. */
export function wrapped(
  text: string,
  { room, fontSize = 12 }: { readonly room: number; readonly fontSize?: number },
): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const longer = lines.length === 0 ? word : `${lines[lines.length - 1]} ${word}`
    if (lines.length > 0 && textWidth(longer, { fontSize }) <= room)
      lines[lines.length - 1] = longer
    else lines.push(cutOff(word, { room, fontSize }))
  }
  return lines
}

/** A text that fits the room: its middle gives way, since a URL is told by both of its ends. */
export function cutOff(
  text: string,
  { room, fontSize = 12 }: { readonly room: number; readonly fontSize?: number },
): string {
  if (textWidth(text, { fontSize }) <= room) return text
  const signs = [...text]
  let kept = signs.length
  const short = () =>
    `${signs.slice(0, Math.ceil(kept / 2)).join('')}…${signs.slice(signs.length - Math.floor(kept / 2)).join('')}`
  while (kept > 2 && textWidth(short(), { fontSize }) > room)
    kept = Math.min(kept - 1, Math.floor(kept * 0.95))
  return short()
}
