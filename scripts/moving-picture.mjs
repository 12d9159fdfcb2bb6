import { crc32, deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'

/**
 * Screenshots of one size as one moving PNG (APNG; https://www.w3.org/TR/png-3/,
 * 11.3.6), which browsers and code hosts show without a player. Each picture
 * after the first is stored as the rectangle that differs from the one before,
 * with what is the same in it transparent, so that a page of which little moves
 * stays small.
 */
export function movingPicture(pictures, { seconds }) {
  const frames = pictures.map((picture) => PNG.sync.read(picture))
  const [{ width, height }] = frames
  if (frames.some((frame) => frame.width !== width || frame.height !== height))
    throw new Error('the pictures are not of one size')
  const chunks = [
    chunk('IHDR', [u32(width), u32(height), Buffer.of(8, 6, 0, 0, 0)]),
    chunk('acTL', [u32(frames.length), u32(0)]),
  ]
  let sequence = 0
  for (const [i, frame] of frames.entries()) {
    const part =
      i === 0 ? { x: 0, y: 0, width, height, data: frame.data } : difference(frames[i - 1], frame)
    const control = [sequence++, part.width, part.height, part.x, part.y].map(u32)
    // Kept afterwards (0), laid over what was there (1).
    chunks.push(
      chunk('fcTL', [...control, u16(Math.round(seconds * 1000)), u16(1000), Buffer.of(0, 1)]),
    )
    const lines = deflateSync(withFilter(part), { level: 9 })
    chunks.push(i === 0 ? chunk('IDAT', [lines]) : chunk('fdAT', [u32(sequence++), lines]))
  }
  const signature = Buffer.of(137, 80, 78, 71, 13, 10, 26, 10)
  return Buffer.concat([signature, ...chunks, chunk('IEND', [])])
}

/** The smallest rectangle with all that changed, of one pixel at least; what did not change in it is transparent. */
function difference(before, { width, height, data }) {
  let [left, top, right, bottom] = [width, height, 0, 0]
  const isSame = (at) => before.data.readUInt32BE(at) === data.readUInt32BE(at)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (!isSame(4 * (y * width + x))) {
        left = Math.min(left, x)
        right = Math.max(right, x + 1)
        top = Math.min(top, y)
        bottom = y + 1
      }
  if (right === 0) return { x: 0, y: 0, width: 1, height: 1, data: Buffer.alloc(4) }
  const part = { x: left, y: top, width: right - left, height: bottom - top }
  const changed = Buffer.alloc(4 * part.width * part.height)
  for (let y = 0; y < part.height; y++)
    for (let x = 0; x < part.width; x++) {
      const at = 4 * ((top + y) * width + left + x)
      if (!isSame(at)) data.copy(changed, 4 * (y * part.width + x), at, at + 4)
    }
  return { ...part, data: changed }
}

/** Each line begins with its filter: none. */
function withFilter({ width, height, data }) {
  const lines = Buffer.alloc(height * (1 + 4 * width))
  for (let y = 0; y < height; y++)
    data.copy(lines, y * (1 + 4 * width) + 1, 4 * y * width, 4 * (y + 1) * width)
  return lines
}

function chunk(type, parts) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...parts])
  return Buffer.concat([u32(body.length - 4), body, u32(crc32(body))])
}

function u32(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function u16(value) {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
