/** The bytes that the readers look for. */
const TAB = 0x09
export const LF = 0x0a
export const CR = 0x0d
export const SPACE = 0x20
export const QUOTE = 0x22
export const COMMA = 0x2c
export const MINUS = 0x2d
export const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
export const OPEN_BRACE = 0x7b

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE
}

export function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB || byte === CR
}

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

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?$/i

/** Whole numbers of at most this many digits are exact as a double. */
const exactDigits = 15

/**
 * The decimal number that a field writes, or NaN where it writes none (or one
 * too large to be finite). Plain digits are read in place; O(length).
 */
export function numberField(field: ByteSlice): number {
  const { bytes, start, end } = field
  if (end - start > exactDigits || end === start) return anyNumber(field)
  let value = 0
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!
    if (!isDigit(byte)) return anyNumber(field)
    value = value * 10 + (byte - ZERO)
  }
  return value
}

function anyNumber(field: ByteSlice): number {
  if (field.length === 0 || field.length > 400) return Number.NaN
  const text = field.text()
  const value = decimal.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : Number.NaN
}

/** The whole number of fixed digits at a place, or -1 where a byte is no digit. */
export function digitsAt(bytes: Uint8Array, place: { at: number; count: number }): number {
  let value = 0
  for (let i = place.at; i < place.at + place.count; i++) {
    const byte = bytes[i]
    if (!isDigit(byte)) return -1
    value = value * 10 + (byte! - ZERO)
  }
  return value
}
