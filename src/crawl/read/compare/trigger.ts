import { composed } from '../fingerprint.js'

/** Which of the words a trigger waits for are there: `1` and `0` in their order. */
export function presence(text: string, words: readonly string[]): string {
  const flat = plain(text)
  return words.map((word) => (flat.includes(plain(word)) ? '1' : '0')).join('')
}

/** Whether one of the words that count when they appear appeared, or one that counts when it goes went. */
export function triggered(before: string, after: string): boolean {
  const [wasThere = '', wasLeft = ''] = before.split('/')
  const [there = '', left = ''] = after.split('/')
  const appeared = [...there].some((bit, i) => bit === '1' && wasThere[i] === '0')
  const vanished = [...left].some((bit, i) => bit === '0' && wasLeft[i] === '1')
  return appeared || vanished
}

/** One space between words, one case, one Unicode form. */
function plain(text: string): string {
  return composed(text, 'NFKC').toLowerCase().replace(/\s+/g, ' ')
}
