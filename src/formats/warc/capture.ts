import type { UnixSeconds } from '../../model/index.js'

/** A copy that a later visit found again, as an archive names it. */
export interface EarlierCapture {
  readonly url: string
  readonly at: UnixSeconds
  /** As in WARC-Payload-Digest. */
  readonly digest: string
}

/** One answer of a server as an archive keeps it. */
export interface Capture {
  readonly url: string
  readonly at: UnixSeconds
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The content without its packing; null in a revisit. */
  readonly body: Uint8Array | null
  /** Why there is no body: the server said so, the content was the same, or the text in it was. */
  readonly revisit?: {
    readonly of: EarlierCapture
    readonly because: 'not-modified' | 'same-content' | 'same-text'
  }
}
