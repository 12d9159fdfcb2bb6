import type { FetchAnswer } from './fetcher.js'
import type { PageRecord } from './page-record.js'
import type { UnixSeconds } from './units.js'

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
  /** Last-Modified, where it can be read as a time; believed or not. */
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
