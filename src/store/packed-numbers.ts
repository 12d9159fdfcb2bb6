/**
 * A learner's numbers as bytes, to the bit, without its zeros: most bins of a
 * page's state are empty, and a million pages keep one each. A bit map tells
 * which numbers follow, eight bytes each, lowest byte first; O(n).
 */
export function packNumbers(numbers: Float64Array): Uint8Array {
  let kept = 0
  for (let at = 0; at < numbers.length; at++) if (!Object.is(numbers[at], 0)) kept++
  let offset = headerLength + Math.ceil(numbers.length / 8)
  // From Node's pool where they are few: an array with memory of its own costs more than filling it.
  const bytes = Buffer.allocUnsafe(offset + 8 * kept)
  bytes.writeUInt32LE(numbers.length, 0)
  bytes.fill(0, headerLength, offset)
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at]!
    if (Object.is(number, 0)) continue
    bytes[headerLength + (at >> 3)]! |= 1 << (at & 7)
    offset = bytes.writeDoubleLE(number, offset)
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
