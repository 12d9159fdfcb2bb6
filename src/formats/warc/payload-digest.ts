import { createHash } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The digest that archives know a content by: SHA-1 in base 32, 32 letters. */
export function payloadDigest(body: Uint8Array): string {
  const bits = [...createHash('sha1').update(body).digest()]
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
  const letters = bits.match(/.{5}/g)!.map((five) => alphabet[Number.parseInt(five, 2)])
  return `sha1:${letters.join('')}`
}
