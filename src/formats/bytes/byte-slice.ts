import { isBlank } from './ascii.js'

const decoder = new TextDecoder()

/**
 * A stretch of bytes inside a larger buffer, without a copy. One slice is
 * filled again for each record, so that reading makes no garbage: copy what
 * you keep.
 */
export class ByteSlice {
  bytes: Uint8Array = new Uint8Array(0)
  start = 0
  end = 0

  get length(): number {
    return this.end - this.start
  }

  clear(): void {
    this.start = 0
    this.end = 0
  }

  /** Points at part of a buffer, without the blanks at both ends. */
  point(bytes: Uint8Array, part: { start: number; end: number }): void {
    let { start, end } = part
    while (start < end && isBlank(bytes[start])) start++
    while (end > start && isBlank(bytes[end - 1])) end--
    this.bytes = bytes
    this.start = start
    this.end = end
  }

  copyFrom(other: ByteSlice): void {
    this.bytes = other.bytes
    this.start = other.start
    this.end = other.end
  }

  text(): string {
    return decoder.decode(this.bytes.subarray(this.start, this.end))
  }
}

/** A slice of its own bytes. */
export function sliceOf(text: string): ByteSlice {
  const slice = new ByteSlice()
  slice.bytes = new TextEncoder().encode(text)
  slice.end = slice.bytes.length
  return slice
}
