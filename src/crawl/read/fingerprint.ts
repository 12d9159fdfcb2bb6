import { hash } from 'node:crypto'

/**
 * A digest by which two contents are compared: SHA-256, in hex. Text is
 * compared in one Unicode form and with one kind of line end.
 */
export function textFingerprint(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  return bytesFingerprint(lines.normalize('NFC'))
}

export function bytesFingerprint(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'hex')
}
