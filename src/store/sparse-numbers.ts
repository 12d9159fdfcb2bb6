/**
 * A learner's numbers as bytes, to the bit, without its zeros: most bins of a
 * page's state are empty, and a million pages keep one each. A bit map tells
 * which numbers follow, eight bytes each; O(n).
 */
export function packNumbers(numbers: Float64Array): Uint8Array {
  const map = new Uint8Array(Math.ceil(numbers.length / 8))
  let kept = 0
  for (let at = 0; at < numbers.length; at++) {
    if (Object.is(numbers[at], 0)) continue
    map[at >> 3]! |= 1 << (at & 7)
    kept++
  }
  const bytes = new Uint8Array(headerLength + map.length + 8 * kept)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, numbers.length, true)
  bytes.set(map, headerLength)
  let offset = headerLength + map.length
  for (const number of numbers) {
    if (Object.is(number, 0)) continue
    view.setFloat64(offset, number, true)
    offset += 8
  }
  return bytes
}

/** What `packNumbers` packed. */
export function unpackNumbers(bytes: Uint8Array): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const numbers = new Float64Array(view.getUint32(0, true))
  let offset = headerLength + Math.ceil(numbers.length / 8)
  for (let at = 0; at < numbers.length; at++) {
    if ((bytes[headerLength + (at >> 3)]! & (1 << (at & 7))) === 0) continue
    numbers[at] = view.getFloat64(offset, true)
    offset += 8
  }
  return numbers
}

const headerLength = 4
