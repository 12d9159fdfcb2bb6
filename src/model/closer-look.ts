import type { FetchAnswer } from './fetcher.js'
import type { PageRecord } from './page-record.js'
import type { Content } from './snapshot-record.js'
import type { Seconds } from './units.js'

type ContentAnswer = FetchAnswer & { readonly kind: 'content' }

/** A content just fetched, and what it takes to look closer. */
export interface FirstLook {
  readonly page: PageRecord
  readonly answer: ContentAnswer
  /** Fetches the page once more, as its host allows; null where that is not to be had now. */
  again(): Promise<ContentAnswer | null>
  /** The content kept of the page; null where none is. */
  kept(): Promise<Content | null>
}

/** What a closer look found. */
export interface CloserSight {
  /** The page with what is now known of its noise, and its fingerprint by that. */
  readonly page: PageRecord
  /** Received in repeats. */
  readonly bytes: number
}

/** Looks at a page again where one answer does not tell a change from noise. */
export interface CloserLook {
  /** How long to wait before each repeat. */
  readonly wait: Seconds
  /** Null where the first look is enough. */
  look(first: FirstLook): Promise<CloserSight | null>
}
