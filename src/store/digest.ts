import { hash } from 'node:crypto'

/** SHA-256 of a content, in hex: the name of its snapshot. */
export function digestOf(body: Uint8Array): string {
  return hash('sha256', body, 'hex')
}
