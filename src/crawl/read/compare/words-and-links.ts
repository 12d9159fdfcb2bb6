/** Stands before an address in a text that has its links in it. */
export const linkMark = '\u0001'

/** The words of a text with their counts, and the set of its links. */
export function countedWords(text: string): {
  readonly words: ReadonlyMap<string, number>
  readonly links: ReadonlySet<string>
} {
  const words = new Map<string, number>()
  const links = new Set<string>()
  for (const token of text.split(/\s+/)) {
    if (token === '') continue
    if (token.startsWith(linkMark)) links.add(token)
    else words.set(token, (words.get(token) ?? 0) + 1)
  }
  return { words, links }
}

/**
 * What counts by words and links: the words with their counts, and the set of
 * hyperlinks; order does not matter. Singh's rule for when a page has changed.
 */
export function wordsAndLinks(text: string): string {
  const { words, links } = countedWords(text)
  const counts = [...words].map(([word, count]) => `${word} ${count}`).sort()
  return [...counts, ...[...links].sort()].join('\n')
}
