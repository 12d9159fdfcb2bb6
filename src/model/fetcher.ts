import type { Seconds, UnixSeconds } from './units.js'

/** One request for one page. */
export interface FetchRequest {
  readonly url: string
  /** What the server told at the last visit, sent back so that it may answer "not modified". */
  readonly validators?: Validators
  /** Ask for the content even if nothing changed: now and then, to catch a server whose 304 lies. */
  readonly unconditional?: boolean
  /** Let a browser draw the page, for pages made by script; by fetchers that have one. */
  readonly drawn?: boolean
  /** The page's own headers, cookies and authorisation among them; they are sent to its own site alone. */
  readonly headers?: Readonly<Record<string, string>>
  /** The page's own address, by which `isOwnSite` goes; `url` unless the page has moved. */
  readonly home?: string
}

/** ETag and Last-Modified exactly as the server wrote them. */
export interface Validators {
  readonly etag?: string
  readonly lastModified?: string
}

/** What all answers from a server have. */
export interface Answered {
  readonly status: number
  /** When the answer came. */
  readonly at: UnixSeconds
  /** The address that answered in the end. */
  readonly url: string
  /** Where the page has moved for good, if every redirect on the way was permanent. */
  readonly movedTo?: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Bytes received, headers not counted. */
  readonly bytesReceived: number
}

/** Why a visit failed without an answer we can use. */
export type FetchFault =
  | 'timeout'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'reset'
  | 'too-large'
  | 'bad-answer'
  | 'redirect-loop'
  | 'too-many-redirects'
  /** The caller did not let a redirect be followed: robots.txt of another host, for one. */
  | 'redirect-refused'
  | 'address-refused'
  /** Nobody could be reached about the visit: public hosts are not asked without a contact. */
  | 'no-contact'
  /** The page is to be drawn by a browser, and there is none. */
  | 'no-browser'
  | 'aborted'

/** How a request ended. A fetcher never throws for what a server or the network does. */
export type FetchAnswer =
  | (Answered & { readonly kind: 'content'; readonly body: Uint8Array })
  | (Answered & { readonly kind: 'not-modified' })
  | (Answered & { readonly kind: 'gone' })
  | (Answered & { readonly kind: 'refused' })
  /** 429, 503 and other answers that mean "later"; capped, null where the server named no time. */
  | (Answered & { readonly kind: 'later'; readonly retryAfter: Seconds | null })
  | {
      readonly kind: 'failed'
      readonly fault: FetchFault
      /** For a person. */
      readonly message: string
      readonly at: UnixSeconds
      readonly bytesReceived: number
    }

export interface FetchOptions {
  readonly signal?: AbortSignal
  /** Bytes of content, unpacked, for this request; the fetcher's own limit unless said. */
  readonly maxBytes?: number
  /** What to make of more: a failure, unless the beginning is enough. */
  readonly whenLarger?: 'fail' | 'cut'
  readonly maxRedirects?: number
  /** Asked before a redirect is followed. */
  readonly mayFollow?: (url: string) => boolean | Promise<boolean>
}

/** Makes one bounded request. */
export interface Fetcher {
  fetch(request: FetchRequest, options?: FetchOptions): Promise<FetchAnswer>
  close(): Promise<void>
}
