/** Stands before an address in a text that has its links in it. */
export const linkMark = '\u0001'

/**
 * What counts by words and links: the words with their counts, and the set of
 * hyperlinks; order does not matter. Singh's rule for when a page has changed.
 */
export function wordsAndLinks(text: string): string {
  const counts = new Map<string, number>()
  const links = new Set<string>()
  for (const token of text.split(/\s+/)) {
    if (token === '') continue
    if (token.startsWith(linkMark)) links.add(token)
    else counts.set(token, (counts.get(token) ?? 0) + 1)
  }
  const words = [...counts].map(([word, count]) => `${word} ${count}`).sort()
  return [...words, ...[...links].sort()].join('\n')
}
