/** Signs of a text; wide ones count as one. */
export function textWidth(text: string): number {
  return isPlain(text) ? text.length : [...text].length
}

/** A text that fits a width: the middle gives way, since a URL is told by both of its ends. */
export function shortened(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  const signs = [...text]
  const kept = Math.max(0, width - 1)
  const head = Math.ceil(kept / 2)
  return `${signs.slice(0, head).join('')}…${signs.slice(signs.length - (kept - head)).join('')}`
}

function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0xd800) return false
  return true
}
