import type { FetchAnswer, HostRecord, Json, Reader, Seconds, UnixSeconds } from '../model/index.js'

/**
 * What the service asks of the crawler's rules, so that pages added over HTTP
 * and visits made by outside fetchers obey the same ones. The command line
 * makes it from `crawl/`, which this room does not use.
 */
export interface WebRules {
  /** The form under which a page is kept; throws an InputError where it may not be followed. */
  address(text: string): string
  /** The same for a page of a log: recording asks no server, so nobody need be reachable for it. */
  loggedAddress(text: string): string
  /** What a status means; null where it is no answer to what was asked. */
  answerKind(
    status: number,
    asked: { readonly conditional: boolean },
  ): Exclude<FetchAnswer['kind'], 'failed'> | null
  retryAfter(text: string | undefined, now: UnixSeconds): Seconds | null
  readonly reader: Reader
  /** Throws an OptionError where a page cannot be read by these rules. */
  checkReading(rules: Json): void
  readonly hosts: HostRules
}

/** Politeness towards hosts that outside fetchers visit with our leave. */
export interface HostRules {
  /** The rest between two requests to a host. */
  delay(host: string, record: HostRecord | null): Seconds
  /** When the day's budget of all requests opens again; null where it is not used up. */
  spentUntil(): UnixSeconds | null
  /** When a request may start at the earliest. */
  readyAt(host: string, record: HostRecord | null): UnixSeconds
  /** Whether robots.txt lets the address be visited; null where it is not known or out of date. */
  allows(url: string, record: HostRecord | null): boolean | null
  /** A request is about to be made at `at`; the record to store before it is. */
  begun(host: string, record: HostRecord | null, at: UnixSeconds): HostRecord
  /** A request has ended; the record to store with its visit. */
  ended(host: string, record: HostRecord | null, answer: FetchAnswer): HostRecord
  /** For a person: what is known of the host. */
  told(host: string, record: HostRecord | null): HostFacts
}

/** What politeness knows of a host. */
export interface HostFacts {
  readonly delay: Seconds
  readonly readyAt: UnixSeconds
  /** Failures in a row. */
  readonly failures: number
  readonly requestsToday: number
  readonly robots: readonly {
    readonly origin: string
    readonly verdict: string
    readonly until: UnixSeconds
    readonly crawlDelay: Seconds | null
    readonly rules: number
  }[]
}
