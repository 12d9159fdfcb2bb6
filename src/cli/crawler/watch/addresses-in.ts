import { entryHints } from '../../../crawl/index.js'
import { type Problems, readOpml, readSitemap, type Sitemap } from '../../../formats/index.js'
import type { Hint } from '../../../model/index.js'

/** What a list of pages was, and the addresses in it, as written. */
export interface AddressList {
  readonly kind: 'sitemap' | 'sitemap index' | 'feed' | 'OPML' | 'list'
  readonly addresses: readonly string[]
  /** What it says of them, by address. */
  readonly hints: ReadonlyMap<string, readonly Hint[]>
  /** Lines that are no address, where there are any. */
  readonly problems?: Problems
}

/**
 * The addresses in a sitemap, a sitemap index, a feed, an OPML file or a plain
 * list or a column of CSV, packed with gzip or not, known by its content. Of an OPML file both
 * the feeds and the pages they belong to. Null where it is none of these.
 */
export function addressesIn(bytes: Uint8Array, contentType?: string): AddressList | null {
  const outlines = looksLikeMarkup(bytes) ? readOpml(bytes, contentType) : null
  if (outlines !== null) {
    const both = outlines.flatMap(({ feedUrl, pageUrl }) => [pageUrl, feedUrl])
    return { kind: 'OPML', addresses: both.filter((each) => each !== null), hints: new Map() }
  }
  const sitemap = readSitemap(bytes, contentType)
  if (sitemap === null) return null
  const told = sitemap.entries.map((each) => [each.url, entryHints(each, sitemap.form)] as const)
  return {
    kind: kindOf(sitemap),
    addresses: sitemap.entries.map(({ url }) => url),
    hints: new Map(told.filter(([, hints]) => hints.length > 0)),
    ...(sitemap.problems !== undefined && { problems: sitemap.problems }),
  }
}

/** Packed files are looked into as well: what is in them is not known yet. */
function looksLikeMarkup(bytes: Uint8Array): boolean {
  return /^\uFEFF?\s*</.test(new TextDecoder().decode(bytes.subarray(0, 200))) || bytes[0] === 0x1f
}

function kindOf({ kind, form }: Sitemap): AddressList['kind'] {
  if (kind === 'index') return 'sitemap index'
  return form === 'xml' ? 'sitemap' : form === 'feed' ? 'feed' : 'list'
}
