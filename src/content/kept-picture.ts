/**
 * A screenshot is kept with the content that it shows, in one snapshot: as a
 * comment behind the last byte of the HTML, which no reader sees. So it lives
 * and goes with its version in every store, and two versions that look alike
 * share nothing that could be lost.
 */

const begin = '\n<!--revisit-screenshot:'
const end = '-->'

/** Among the headers of a version that has one. No server sets it: what it sends under this name is left out. */
export const pictureHeader = 'x-revisit-screenshot'

/** A content with its screenshot behind it. */
export function withPicture(body: Uint8Array, picture: Uint8Array): Uint8Array {
  return Buffer.concat([
    body,
    Buffer.from(`${begin}${Buffer.from(picture).toString('base64')}${end}`),
  ])
}

/** The screenshot behind a content; null where there is none. */
export function pictureIn(body: Uint8Array): Uint8Array | null {
  const at = pictureStart(body)
  if (at < 0) return null
  const text = bytesOf(body).toString('latin1', at + begin.length, body.length - end.length)
  const picture = Buffer.from(text, 'base64')
  return isPng(picture) ? picture : null
}

/** A content as it was received. */
export function withoutPicture(body: Uint8Array): Uint8Array {
  const at = pictureStart(body)
  return at < 0 ? body : body.subarray(0, at)
}

function pictureStart(body: Uint8Array): number {
  const bytes = bytesOf(body)
  if (bytes.length < begin.length || bytes.toString('latin1', bytes.length - end.length) !== end)
    return -1
  return bytes.lastIndexOf(begin)
}

/** PNG, 5.2: its first eight bytes. */
function isPng(bytes: Uint8Array): boolean {
  const first = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  return first.every((byte, i) => bytes[i] === byte)
}

function bytesOf(body: Uint8Array): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}
