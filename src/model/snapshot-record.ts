import type { Seconds, UnixSeconds } from './units.js'

/** Content to be kept, as it was received after decompression. */
export interface Content {
  readonly body: Uint8Array
  /** SHA-256 of the body, in hex, where it has been worked out already. */
  readonly digest?: string
  readonly mediaType?: string
  /** Headers of the answer, for archives; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

/** One content of a page, and when it was first seen there. */
export interface Version {
  readonly at: UnixSeconds
  /** SHA-256 of the content, in hex: the name of its snapshot. */
  readonly digest: string
  /** Length of the content. */
  readonly bytes: number
  readonly mediaType: string | null
  readonly headers: Readonly<Record<string, string>> | null
}

/**
 * Which versions of a page are kept: the newest ones, and all that are younger
 * than a time; the current one always.
 */
export interface Retention {
  readonly newest: number
  readonly youngerThan: Seconds
}
