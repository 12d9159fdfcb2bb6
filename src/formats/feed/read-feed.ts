import { unpackedText } from '../text/unpacked-text.js'
import type { Feed } from './feed.js'
import { feedOf } from './feed-of.js'

/** Reads a feed from its bytes, by Content-Type, mark or XML declaration; null where it is none. */
export function readFeed(bytes: Uint8Array, contentType?: string): Feed | null {
  return feedOf(unpackedText(bytes, contentType))
}
