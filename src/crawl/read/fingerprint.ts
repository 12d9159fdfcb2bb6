import { createHash } from 'node:crypto'

/**
 * A digest by which two contents are compared: SHA-256, in hex. Text is
 * compared in one Unicode form and with one kind of line end.
 */
export function textFingerprint(text: string): string {
  return bytesFingerprint(text.replace(/\r\n?/g, '\n').normalize('NFC'))
}

export function bytesFingerprint(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}
