import type { FetchAnswer } from './fetcher.js'
import type { PageRecord } from './page-record.js'
import type { UnixSeconds } from './units.js'

/** What an answer's content tells. */
export interface Reading {
  /** Comparable digest: equal for contents that count as the same. */
  readonly fingerprint: string
  /** Last-Modified, where it can be read as a time; believed or not. */
  readonly lastModified?: UnixSeconds
  readonly mediaType?: string
}

/** Turns an answer into what can be compared and kept. */
export interface Reader {
  read(answer: FetchAnswer & { readonly kind: 'content' }, page: PageRecord): Reading
  /** Last-Modified of an answer without content. */
  lastModified(answer: FetchAnswer & { readonly kind: 'not-modified' }): UnixSeconds | undefined
}
