import { hash } from 'node:crypto'

/** Text without any of these is in its normal form already; looked for in no time in Latin text. */
const composing = /[\u0300-\uffff]/

/**
 * A digest by which two contents are compared: SHA-256, in hex. Text is
 * compared in one Unicode form and with one kind of line end.
 */
export function textFingerprint(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  return bytesFingerprint(composing.test(lines) ? lines.normalize('NFC') : lines)
}

export function bytesFingerprint(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'hex')
}
