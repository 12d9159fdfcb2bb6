import type { Visit } from './history.js'
import type { HostRecord, LeaseRef } from './lease.js'
import type { PageUpdate } from './page.js'
import type { Due } from './policy.js'
import type { Seconds, UnixSeconds } from './units.js'

/** One visit as it is kept for ever. A sequence of these is what `historyOf` takes. */
export interface VisitRecord extends Visit {
  /** HTTP status; null where no answer came. */
  readonly status: number | null
  /** Time since the successful visit before; null where the visit made no observation. */
  readonly gap: Seconds | null
  /** Time since the page last changed, where given believably. */
  readonly contentAge: Seconds | null
  /** Digest of the content; null where none was seen or it was as before. */
  readonly fingerprint: string | null
  /** Bytes received. */
  readonly bytes: number
  readonly duration: Seconds
  /** Why there was no usable answer, such as `timeout`. */
  readonly fault: string | null
}

/** From `from` on, before `until`; the newest `newest` of those. */
export interface VisitRange {
  readonly from?: UnixSeconds
  readonly until?: UnixSeconds
  readonly newest?: number
}

/** A stretch of all visits of a collection, in the order they were recorded. */
export interface VisitQuery {
  readonly collection: string
  readonly from?: UnixSeconds
  readonly until?: UnixSeconds
  readonly limit: number
  /** Where the stretch before ended. */
  readonly after?: string
}

/** A visit with its place in the log. Numbers only grow, and none is given twice. */
export interface LoggedVisit extends VisitRecord {
  readonly number: number
  readonly page: {
    readonly id: string
    readonly url: string
    readonly group?: string
    /** Left out where there are none. */
    readonly tags?: readonly string[]
  }
}

/** A stretch of the log of a collection, for a reader that follows along. */
export interface VisitLogQuery {
  readonly collection: string
  /** Only visits with a higher number. */
  readonly after?: number
  /** Only visits with a lower number. */
  readonly before?: number
  /** Only visits that found a change. */
  readonly changesOnly?: boolean
  /** The newest first; in the order they were recorded by default. */
  readonly newestFirst?: boolean
  readonly limit: number
}

export interface VisitList {
  readonly visits: readonly (VisitRecord & { readonly url: string })[]
  /** For the next stretch; null at the end. */
  readonly next: string | null
}

/** Content to be kept, as it was received after decompression. */
export interface Content {
  readonly body: Uint8Array
  /** SHA-256 of the body, in hex, where it has been worked out already. */
  readonly digest?: string
  readonly mediaType?: string
  /** Headers of the answer, for archives; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * One visit with all that follows from it, committed as one. The store counts
 * visits, changes and failures itself; what is left out stays as it was.
 */
export interface VisitReport extends PageUpdate {
  readonly lease: LeaseRef
  readonly visit: VisitRecord
  readonly due: Due
  readonly content?: Content
  /** Politeness of the host after this visit. Of reports that come together the last one of a host counts, if any of them is recorded. */
  readonly host?: HostRecord
  /** Go on holding the page, such as for an import of many visits. */
  readonly keepLease?: boolean
  /** When it was reported: a queue of the frontier rests from then on. The visit's time by default. */
  readonly reportedAt?: UnixSeconds
}

/**
 * What became of a report. `lease-lost`: the page was leased to another, was
 * reported already, or is gone; nothing was written. `not-forward`: the page
 * has a visit at this time or later; nothing was written, the lease stays.
 */
export type RecordResult = 'recorded' | 'lease-lost' | 'not-forward'
