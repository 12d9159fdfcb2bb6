import { type Outcome, outcomes } from '../../model/index.js'
import type { ByteSlice } from '../bytes/byte-slice.js'

const words = new Map<string, Outcome>([
  ['true', 'changed'],
  ['1', 'changed'],
  ['yes', 'changed'],
  ['false', 'unchanged'],
  ['0', 'unchanged'],
  ['no', 'unchanged'],
  ...outcomes.map((outcome) => [outcome, outcome] as const),
])

const longest = Math.max(...[...words.keys()].map((word) => word.length))

/**
 * What the `changed` column says: true or false, 1 or 0, yes or no, or an
 * outcome by name, in any case. Undefined if it is none of these. The two
 * commonest spellings are read without making a text.
 */
export function outcomeWord(field: ByteSlice): Outcome | undefined {
  const { bytes, start, end } = field
  if (end - start === 1) {
    if (bytes[start] === 0x30) return 'unchanged'
    if (bytes[start] === 0x31) return 'changed'
  }
  if (isWord(field, trueBytes)) return 'changed'
  if (isWord(field, falseBytes)) return 'unchanged'
  if (end - start > longest) return undefined
  return words.get(field.text().toLowerCase())
}

const trueBytes = new TextEncoder().encode('true')
const falseBytes = new TextEncoder().encode('false')

function isWord({ bytes, start, end }: ByteSlice, word: Uint8Array): boolean {
  if (end - start !== word.length) return false
  for (let i = 0; i < word.length; i++) if (bytes[start + i] !== word[i]) return false
  return true
}
