import { hash } from 'node:crypto'
import { mix32 } from '../model/hash.js'
import type { Likeness } from '../model/reader.js'

/** Text without any of these is in its normal form already; looked for in no time in Latin text. */
const composing = /[\u0300-\uffff]/
/** Marks in a row beyond what any writing needs (Unicode UAX 15, D3): to sort them takes quadratic time. */
const endlessMarks = /\p{M}{64}/u

/**
 * A digest by which two contents are compared: SHA-256, in hex. Text is
 * compared in one Unicode form and with one kind of line end.
 */
export function textFingerprint(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  return bytesFingerprint(composing.test(lines) ? composed(lines) : lines)
}

/** In one Unicode form; a text with marks without end stays as it is. */
export function composed(text: string, form: 'NFC' | 'NFKC' = 'NFC'): string {
  return endlessMarks.test(text) ? text : text.normalize(form)
}

export function bytesFingerprint(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'hex')
}

/** Words to a shingle: enough that order counts, few enough that one word touches few. */
const width = 3

/**
 * Charikar's 64-bit simhash over shingles of three words, in hex: texts that
 * share most shingles differ in few bits. Manku, Jain and Das Sarma 2007 take
 * web pages within 3 bits for near-duplicates. O(n).
 */
export function simhash(text: string): string {
  const words = text.toLowerCase().match(/\S+/g) ?? []
  const sums = new Int32Array(64)
  const last = Math.max(1, words.length - width + 1)
  for (let i = 0; i < last; i++) addTo(sums, words.slice(i, i + width).join(' '))
  let [low, high] = [0, 0]
  for (let bit = 0; bit < 32; bit++) {
    if (sums[bit]! > 0) low |= 1 << bit
    if (sums[bit + 32]! > 0) high |= 1 << bit
  }
  return hex(high) + hex(low)
}

/** How many bits two hashes differ in. */
export function bitsApart(a: string, b: string): number {
  return [0, 8].reduce((sum, from) => {
    const [x, y] = [a, b].map((each) => Number.parseInt(each.slice(from, from + 8), 16))
    return sum + ones(x! ^ y!)
  }, 0)
}

function addTo(sums: Int32Array, shingle: string): void {
  let [a, b] = [0x811c9dc5, 0x9747b28c]
  for (let i = 0; i < shingle.length; i++) {
    const code = shingle.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b)
    b ^= b >>> 13
  }
  a = mix32(a)
  b = mix32(b ^ a)
  for (let bit = 0; bit < 32; bit++) {
    sums[bit]! += ((a >>> bit) & 1) === 1 ? 1 : -1
    sums[bit + 32]! += ((b >>> bit) & 1) === 1 ? 1 : -1
  }
}

function ones(value: number): number {
  let count = 0
  for (let rest = value >>> 0; rest !== 0; rest = (rest & (rest - 1)) >>> 0) count++
  return count
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0')
}

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

/** Which of the words a trigger waits for are there: `1` and `0` in their order. */
export function presence(text: string, words: readonly string[]): string {
  const flat = plain(text)
  return words.map((word) => (flat.includes(plain(word)) ? '1' : '0')).join('')
}

/** Whether one of the words that count when they appear appeared, or one that counts when it goes went. */
function triggered(before: string, after: string): boolean {
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

/**
 * How two fingerprints compare. What stands before the colon says by which
 * rules one was made: those of other rules cannot be compared, so that a change
 * of rules is never taken for one of the page.
 *
 * Near-duplicates count as the same within a threshold, and the one kept stays
 * that of the last content that counted as a change: a page that drifts a bit
 * at a time is far enough from it in the end, and is seen.
 */
export function compareFingerprints(before: string, after: string): Likeness {
  if (before === after) return 'same'
  const [rules, value] = parted(before)
  const [otherRules, otherValue] = parted(after)
  if (rules !== otherRules) return 'incomparable'
  const bits = /^n(\d+)\./.exec(rules)?.[1]
  if (bits !== undefined && /^[\da-f]{16}$/.test(value) && /^[\da-f]{16}$/.test(otherValue))
    return bitsApart(value, otherValue) <= Number(bits) ? 'same' : 'different'
  if (rules.startsWith('w.')) return triggered(value, otherValue) ? 'different' : 'quiet'
  return 'different'
}

function parted(fingerprint: string): readonly [string, string] {
  const colon = fingerprint.indexOf(':')
  return [fingerprint.slice(0, Math.max(0, colon)), fingerprint.slice(colon + 1)]
}
