import { decodedEntities } from '../../formats/index.js'

const semicolon = 59
/** `&CounterClockwiseContourIntegral;` is longer, and is rare. */
const longest = 12
/** What pages use: a few dozen; a hostile one might use any number. */
const most = 500
const known = new Map<string, DataView>()
const encoder = new TextEncoder()

/** Where an entity that begins at a place and is written in full ends; -1 where none does. */
export function entityEnd(text: string, from: number): number {
  const last = Math.min(text.length, from + longest)
  for (let at = from + 1; at < last; at++) {
    const code = text.charCodeAt(at)
    if (code === semicolon) return at + 1
    if (!isOfEntity(code)) return -1
  }
  return -1
}

/** Letters, digits and `#`. */
function isOfEntity(code: number): boolean {
  const small = code | 32
  return (small >= 97 && small <= 122) || (code >= 48 && code <= 57) || code === 35
}

/** What an entity written in full stands for, in UTF-8; decoded once, as pages have the same few. */
export function entityBytes(entity: string): DataView {
  const before = known.get(entity)
  if (before !== undefined) return before
  const bytes = utf8View(decodedEntities(entity))
  if (known.size >= most) known.clear()
  known.set(entity, bytes)
  return bytes
}

/** In memory of its own: a small Buffer would hold the block it is cut from. */
export function utf8View(text: string): DataView {
  const { buffer, byteOffset, byteLength } = encoder.encode(text)
  return new DataView(buffer, byteOffset, byteLength)
}
