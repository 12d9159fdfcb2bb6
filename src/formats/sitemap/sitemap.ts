import type { UnixSeconds } from '../../model/index.js'
import type { Problems } from '../visits/problems.js'

/** One address of a sitemap, with what the publisher says of it, believed or not. */
export interface SitemapEntry {
  readonly url: string
  readonly lastModified: UnixSeconds | null
  /** As written in changefreq, in lower case: `daily`. */
  readonly changeFrequency: string | null
  readonly priority: number | null
}

export interface Sitemap {
  /** An index lists other sitemaps; the rest list pages. */
  readonly kind: 'pages' | 'index'
  readonly form: 'xml' | 'text' | 'feed'
  readonly entries: readonly SitemapEntry[]
  /** Lines whose address is none, where there are any. */
  readonly problems?: Problems
}
