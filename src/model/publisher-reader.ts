import type { FetchAnswer } from './fetcher.js'
import type { FoundPage, Hint } from './hint.js'
import type { HostRecord } from './host-record.js'
import type { PageRecord } from './page-record.js'

/** Understands what publishers say: of the page itself, and of others. */
export interface PublisherReader {
  /**
   * Reads what may take long where it can be broken off: the calls below then
   * give what came of it. Undefined where they are quick by themselves. Never
   * rejects.
   */
  ahead?(
    answer: FetchAnswer & { readonly kind: 'content' },
    about: { readonly page: PageRecord; readonly host: HostRecord | undefined },
  ): Promise<void> | undefined
  /** Hints that an answer gives of its own page. */
  hints(answer: FetchAnswer & { readonly kind: 'content' | 'not-modified' }): readonly Hint[]
  /** Pages that an answer tells of: links of a page, entries of a sitemap or a feed. Bounded. */
  found(
    answer: FetchAnswer & { readonly kind: 'content' },
    about: { readonly page: PageRecord; readonly host: HostRecord | undefined },
  ): readonly FoundPage[]
  /** Whether an answer asks not to be listed (noindex): a page that nobody asked for is then left alone. */
  unlisted(answer: FetchAnswer & { readonly kind: 'content' }): boolean
}
