const space = 32

/**
 * Copies words with single spaces between them, up to other white space; where
 * that begins. Four bytes are looked at in the time of one while they are ASCII.
 * What it copies may end with a space.
 */
export function copyEven({
  bytes,
  from,
  to,
  out,
  end,
}: {
  readonly bytes: DataView
  readonly from: number
  readonly to: number
  readonly out: DataView
  readonly end: number
}): number {
  const shift = end - from
  const last = to - 4
  let at = from
  /** Whether the byte before is a space, as the high bit of a byte. */
  let before = 0
  for (; at <= last; at += 4) {
    const four = bytes.getInt32(at, true)
    // High bits of the bytes that are spaces, and of those that are controls or not ASCII.
    const spaces = ~((four ^ 0x20202020) + 0x7f7f7f7f)
    const others = (four - 0x20202020) | four
    if (((others | (spaces & ((spaces << 8) | before))) & 0x80808080) !== 0) break
    before = (spaces >>> 24) & 0x80
    out.setInt32(at + shift, four, true)
  }
  for (; at < to && spaceAt(bytes, at) === 0; at++) out.setUint8(at + shift, bytes.getUint8(at))
  return at
}

/** How many bytes the white space at a place takes, of a text in UTF-8; 0 where there is none. As `\s`. */
export function spaceAt(bytes: DataView, at: number): number {
  const byte = bytes.getUint8(at)
  if (byte < 0x80) return byte === space || (byte >= 9 && byte <= 13) ? 1 : 0
  return byte === 0xc2 || byte >= 0xe1 ? wideSpaceAt(bytes, at) : 0
}

/** U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000, U+FEFF. */
function wideSpaceAt(bytes: DataView, at: number): number {
  const first = bytes.getUint8(at)
  if (first === 0xc2) return bytes.getUint8(at + 1) === 0xa0 ? 2 : 0
  if (first !== 0xe1 && first !== 0xe2 && first !== 0xe3 && first !== 0xef) return 0
  const rest = bytes.getUint16(at + 1)
  if (first === 0xe2) return isGeneralSpace(rest) ? 3 : 0
  return rest === (first === 0xe1 ? 0x9a80 : first === 0xe3 ? 0x8080 : 0xbbbf) ? 3 : 0
}

function isGeneralSpace(rest: number): boolean {
  if (rest >= 0x8080 && rest <= 0x808a) return true
  return rest === 0x80a8 || rest === 0x80a9 || rest === 0x80af || rest === 0x819f
}
