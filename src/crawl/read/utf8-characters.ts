const space = 32

/** How many bytes the white space at a place of a text in UTF-8 takes; 0 where there is none. As `\s`. */
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

/**
 * Whether the character that begins at a place may have another Unicode normal
 * form, alone or with the one before it: some from U+0300 on do, but no Cyrillic
 * letter (U+0400 to U+047F), none from U+4000 to U+9FFF (Chinese), and of U+2000
 * to U+203F (quotes and dashes) white space only.
 */
export function mayCompose(bytes: DataView, at: number): boolean {
  const first = bytes.getUint8(at)
  if (first < 0xcc) return false
  if (first === 0xd0 || first === 0xd1 || (first >= 0xe4 && first <= 0xe9)) return false
  return first !== 0xe2 || bytes.getUint8(at + 1) !== 0x80
}
