import type { FetchAnswer } from './fetcher.js'
import type { FoundPage, Hint } from './hint.js'
import type { HostRecord } from './lease.js'
import type { PageRecord } from './page.js'
import type { Seconds, UnixSeconds } from './units.js'
import type { Content } from './visit-record.js'

/**
 * How a content compares with the one before: `quiet` is another content that
 * is not to count as a change; `incomparable` was read by other rules.
 */
export type Likeness = 'same' | 'different' | 'quiet' | 'incomparable'

/** A content that the page's own rules cannot read. */
export interface UnreadContent {
  /** A short name, as that of a failed visit. */
  readonly fault: string
  /** More of it, for a person. */
  readonly message?: string
}

/** What an answer's content tells. */
export interface Reading {
  /** Comparable digest: equal for contents that count as the same. */
  readonly fingerprint: string
  /** Last-Modified, where it can be read as a time; believable or not. */
  readonly lastModified?: UnixSeconds
  readonly mediaType?: string
  /** SHA-256 of the content's bytes, in hex, where reading needed it. */
  readonly digest?: string
}

/** Turns an answer into what can be compared and kept. */
export interface Reader {
  read(
    answer: FetchAnswer & { readonly kind: 'content' },
    page: PageRecord,
  ): Reading | UnreadContent
  /**
   * Reads what may take long where it can be broken off: `read` of the same
   * answer then gives what came of it. Undefined where `read` is quick by
   * itself. Never rejects.
   */
  ahead?(
    answer: FetchAnswer & { readonly kind: 'content' },
    page: PageRecord,
  ): Promise<void> | undefined
  /** Compares fingerprints; by equality where left out. */
  compare?(before: string, after: string): Likeness
  /**
   * Whether the page's fingerprint was made by the rules it has now; it is
   * where left out. Where not, the content itself is to be asked for.
   */
  isCurrent?(page: PageRecord): boolean
  /** Last-Modified of an answer without content. */
  lastModified(answer: FetchAnswer & { readonly kind: 'not-modified' }): UnixSeconds | undefined
}

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

type ContentAnswer = FetchAnswer & { readonly kind: 'content' }

/** A content just fetched, and what it takes to check for noise. */
export interface FirstAnswer {
  readonly page: PageRecord
  readonly answer: ContentAnswer
  /** Fetches the page once more, as its host allows; null where that is not to be had now. */
  again(): Promise<ContentAnswer | null>
  /** The content kept of the page; null where none is. */
  kept(): Promise<Content | null>
}

/** What a noise re-check found. */
export interface RecheckResult {
  /** The page with what is now known of its noise, and its fingerprint by that. */
  readonly page: PageRecord
  /** Received in repeats. */
  readonly bytes: number
}

/** Requests a page again where one answer does not tell a change from noise. */
export interface NoiseRecheck {
  /** How long to wait before each repeat. */
  readonly wait: Seconds
  /** Whether a content may be re-checked at all; at once, since it is asked of every one. */
  isWanted(answer: FirstAnswer['answer'], page: PageRecord): boolean
  /** Null where the first answer is enough. */
  recheck(first: FirstAnswer): Promise<RecheckResult | null>
}
