import { unpackedText } from '../text/unpacked-text.js'
import { feedSitemap } from './feed-sitemap.js'
import type { Sitemap } from './sitemap.js'
import { isTable, tableSitemap } from './table-sitemap.js'
import { textSitemap } from './text-sitemap.js'
import { xmlSitemap } from './xml-sitemap.js'

/**
 * Reads a sitemap in any of its forms: XML, an index, a feed, or addresses, one
 * a line or in a column of CSV, packed with gzip or not. As lenient as crawlers
 * must be: a file cut short gives what it holds whole, and prefixes and
 * namespaces do not matter.
 * Addresses are as written; whether a sitemap may speak for them is the
 * caller's to decide. Null where it is no sitemap.
 *
 * sitemaps.org/protocol.html. O(n).
 */
export function readSitemap(bytes: Uint8Array, contentType?: string): Sitemap | null {
  const text = unpackedText(bytes, contentType)
  if (/^\s*</.test(text)) return xmlSitemap(text) ?? feedSitemap(text)
  return isTable(text, contentType) ? tableSitemap(text) : textSitemap(text)
}
