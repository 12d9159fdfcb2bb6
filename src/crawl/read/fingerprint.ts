import { hash } from 'node:crypto'

/** Text without any of these is in its normal form already; looked for in no time in Latin text. */
const composing = /[\u0300-\uffff]/
/** Marks in a row beyond what any writing needs (Unicode UAX 15, D3): to sort them takes quadratic time. */
const endlessMarks = /\p{M}{64}/u

/**
 * A digest by which two contents are compared: SHA-256, in hex. Text is
 * compared in one Unicode form and with one kind of line end.
 */
export function textFingerprint(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  return bytesFingerprint(composing.test(lines) ? composed(lines) : lines)
}

/** In one Unicode form; a text with marks without end stays as it is. */
export function composed(text: string, form: 'NFC' | 'NFKC' = 'NFC'): string {
  return endlessMarks.test(text) ? text : text.normalize(form)
}

export function bytesFingerprint(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'hex')
}
