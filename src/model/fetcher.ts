import type { HostHold, HostRecord, Lease } from './lease.js'
import type { Validators } from './page.js'
import type { Seconds, UnixSeconds } from './units.js'

/** One request for one page. */
export interface FetchRequest {
  readonly url: string
  /** What the server sent at the last visit, sent back so that it may answer "not modified". */
  readonly validators?: Validators
  /** Ask for the content even if nothing changed: now and then, to catch a server whose 304 lies. */
  readonly unconditional?: boolean
  /** Let a browser render the page, for pages made by script, where there is one. */
  readonly rendered?: boolean
  /** What the browser does on the page before that counts, see `browserSteps`. */
  readonly steps?: readonly string[]
  /** Whether the browser also takes a picture of the page. */
  readonly screenshot?: boolean
  /** Through which it goes, instead of the fetcher's own way. */
  readonly proxy?: string
  /** The page's own headers, cookies and authorisation among them; they are sent to its own site alone. */
  readonly headers?: Readonly<Record<string, string>>
  /** The page's own address, by which `isOwnSite` goes; `url` unless the page has moved. */
  readonly home?: string
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
  /** The page is to be rendered by a browser, and there is none. */
  | 'no-browser'
  /** A step that the page's settings ask for could not be taken in the browser. */
  | 'step-failed'
  | 'aborted'

/** How a request ended. A fetcher never throws for what a server or the network does. */
export type FetchAnswer =
  | (Answered & {
      readonly kind: 'content'
      readonly body: Uint8Array
      /** Of the page as a browser rendered it, as PNG. */
      readonly screenshot?: Uint8Array
    })
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
  readonly signal?: AbortSignal | undefined
  /** Bytes of content, unpacked, for this request; the fetcher's own limit by default. */
  readonly maxBytes?: number
  /** What to make of more: a failure, unless the beginning is enough. */
  readonly whenLarger?: 'fail' | 'cut'
  readonly maxRedirects?: number
  /** Asked before a redirect is followed. */
  readonly mayFollow?: (url: string) => boolean | Promise<boolean>
  /**
   * Asked for each request once its connection stands, just before its first
   * byte is written: finding the host and connecting take time, in which the
   * permission may run out. Where it says no, nothing is sent and the visit is
   * called off.
   */
  readonly maySend?: () => boolean
}

/** Makes one bounded request. */
export interface Fetcher {
  fetch(request: FetchRequest, options?: FetchOptions): Promise<FetchAnswer>
  close(): Promise<void>
}

/** For headers that were set before they were refused, or written into the store by others. */
const otherHeaders =
  'watch it again with --header and only the headers to keep, or set its headers to null over the API'

/** By fault, where a person can mend it. */
const advice: Readonly<Record<string, string>> = {
  'address-refused':
    'it leads to this machine or a private network; set allowed-networks, such as 127.0.0.0/8, to allow it',
  'bad-header': otherHeaders,
  'no-contact': 'public hosts are not asked without it; set contact to an e-mail or web address',
  'no-browser':
    'install one (apt install chromium, or npx playwright-core install chromium), or set browser-path to one that is there',
  'nothing-selected':
    'nothing on the page matches the selectors of its reading; watch it again with another --select, or with --read-plainly',
  'reserved-header': otherHeaders,
  'rule-too-slow':
    'watch it again with simpler --select, --ignore, --ignore-text, --ignore-lines or --ignore-paths',
  'step-failed': 'change the steps in the settings of the page, or with --step',
  'too-large': 'raise body-bytes to take it',
}

/** What a person can do so that visits no longer fail for this; null where it is not theirs to mend. */
export function faultAdvice(fault: string): string | null {
  return advice[fault] ?? null
}

/** How a polite visit ended: an answer, or why the page was not asked for. */
export type VisitEnd =
  | {
      readonly kind: 'answered'
      readonly answer: FetchAnswer
      /** The record of the host that was asked, where that is not the one that the caller holds. */
      readonly asked?: HostRecord
    }
  /** robots.txt says no; worth asking again after `until`. */
  | { readonly kind: 'disallowed'; readonly until: UnixSeconds }
  /** The page's host is not to be asked before `until`; nothing was fetched, but perhaps its robots.txt. */
  | { readonly kind: 'wait'; readonly until: UnixSeconds }
  /** A redirect leads to `host`, which is not to be asked before `until`; the page waits, its own host need not. */
  | { readonly kind: 'deferred'; readonly until: UnixSeconds; readonly host: string }
  /** Our own budget of requests is used up until then, for all hosts; none of them is to rest for it. */
  | { readonly kind: 'spent'; readonly until: UnixSeconds }

/** The same with the records that changed, to be stored with it: that of the host which the caller holds. */
export type PoliteVisit = { readonly hosts: readonly HostRecord[] } & VisitEnd

/** Permission to ask for one page, once: its host is booked for it. */
export interface Admitted {
  readonly kind: 'admitted'
  /** Makes the request, and those that redirects lead to. Must be called. */
  fetch(): Promise<PoliteVisit>
}

/** The same where another program makes the request. */
export interface Offered {
  readonly kind: 'offered'
  readonly notBefore: UnixSeconds
  /** To rest after the answer, before the next request to the host. */
  readonly delay: Seconds
  /** Whether its robots.txt is known to allow it; where not, whoever asks is to obey it. */
  readonly robots: 'allowed' | 'unknown'
}

/** What a visitor asks of the store. */
export interface HostAccess {
  /** Holds a host that the visit leads to; null while another holds it. */
  readonly hold: (host: string) => Promise<HostHold | null>
  /** Gives it back with its record, where that has changed. */
  readonly release: (hold: HostHold, record?: HostRecord) => Promise<unknown>
  /**
   * Remembers a host's record before it is asked: a process that is killed
   * while it waits for an answer must not forget that it has just asked.
   * Whether the host was still ours; `held` is false where it need not be.
   */
  readonly book: (host: HostRecord, how?: { readonly held: boolean }) => Promise<boolean>
  readonly signal?: AbortSignal
}

/** Treats hosts as they ask for it: robots.txt, delays and budgets before each request. */
export interface Visitor {
  /** `home` is the host that the caller holds by a lease; any other is held for the visit. */
  begin(
    request: FetchRequest,
    hostAccess: HostAccess,
    home?: string,
  ): Admitted | PoliteVisit | Promise<Admitted | PoliteVisit>
  /** The same for a request that another program makes up to `ahead` seconds from now. */
  offer?(
    request: FetchRequest,
    hostAccess: HostAccess,
    terms: { readonly home: string; readonly ahead: Seconds },
  ): Promise<Offered | PoliteVisit>
  /** Such a request has ended; gives the record of `home` to store with the visit, where that was asked. */
  reported?(
    answer: FetchAnswer,
    hostAccess: HostAccess,
    about: { readonly host: string; readonly home: string; readonly record: HostRecord | null },
  ): Promise<PoliteVisit>
  /** What politeness knows of a host now, as it is to be stored; undefined where it knows nothing. */
  hostNow?(host: string): HostRecord | undefined
  /** A page was leased: its host is ours, and its record as the lease brings it. */
  leased?(lease: Lease): void
  /** The lease has ended: without another of its host, the record is forgotten. */
  ended?(lease: Pick<Lease, 'host' | 'expiresAt'>): void
}
