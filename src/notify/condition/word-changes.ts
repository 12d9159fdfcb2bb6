import { composed } from '../../crawl/index.js'

/** Texts as they are compared: small letters, one space between words. */
export function plainWords(text: string): string {
  return composed(text, 'NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** Those of the words that are in the second text and not in the first. */
export function newWords(
  words: readonly string[],
  { before, after }: { readonly before: string; readonly after: string },
): string[] {
  if (words.length === 0) return []
  const [old, young] = [plainWords(before), plainWords(after)]
  return words.filter((word) => {
    const plain = plainWords(word)
    return young.includes(plain) && !old.includes(plain)
  })
}
