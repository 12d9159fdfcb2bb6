/**
 * Whether a pattern fits an address: `*` stands for anything, all else for
 * itself, and a pattern may fit any part, unless it begins with a scheme or `/`
 * (then from the start of the address or its path) or ends in `$`. Walks both
 * once for each star: no pattern can make it slow.
 */
export function fitsAddress(pattern: string, url: string): boolean {
  const { text, anchored } = compared(pattern, url)
  const closed = pattern.endsWith('$')
  const parts = (closed ? pattern.slice(0, -1) : pattern).split('*')
  let at = 0
  for (const [index, part] of parts.entries()) {
    const first = index === 0 && anchored
    const found = first ? (text.startsWith(part) ? 0 : -1) : text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  if (!closed || at === text.length) return true
  const last = parts[parts.length - 1]!
  return !(anchored && parts.length === 1) && at <= text.length && text.endsWith(last)
}

function compared(pattern: string, url: string): { text: string; anchored: boolean } {
  if (/^https?:/i.test(pattern)) return { text: url, anchored: true }
  if (!pattern.startsWith('/')) return { text: url, anchored: false }
  const { pathname, search } = new URL(url)
  return { text: pathname + search, anchored: true }
}
