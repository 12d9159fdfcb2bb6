import { isDigit, ZERO } from './ascii.js'
import type { ByteSlice } from './byte-slice.js'

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
