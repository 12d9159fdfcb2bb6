/**
 * Whether an address fits a pattern in which `*` stands for any text. Goes
 * from star to star and takes the first fit of each piece, which is enough:
 * linear, where a regular expression could be made to run for ever.
 */
export function fitsPattern(url: string, pattern: string): boolean {
  const pieces = pattern.split('*')
  const [first = '', last = ''] = [pieces[0], pieces[pieces.length - 1]]
  if (pieces.length === 1) return url === pattern
  if (!url.startsWith(first)) return false
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = url.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return url.length - last.length >= at && url.endsWith(last)
}
