import { charsetOf } from './charset.js'

/** A text from its bytes; what is no text in its encoding becomes U+FFFD. Never throws. O(n). */
export function decodedText(bytes: Uint8Array, contentType?: string): string {
  return new TextDecoder(charsetOf(bytes, contentType)).decode(bytes)
}
