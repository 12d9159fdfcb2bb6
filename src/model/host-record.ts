import type { Json } from './json.js'
import type { UnixSeconds } from './units.js'

/** One host of a collection: how many pages of it are followed, and since when one is due. */
export interface HostSummary {
  readonly host: string
  readonly pages: number
  /** The earliest due time of its pages; null where none is due ever. */
  readonly firstDue: UnixSeconds | null
  readonly blockedUntil: UnixSeconds | null
  /** When a page of it was last visited. */
  readonly lastVisit: UnixSeconds | null
}

/** A stretch of the hosts of a collection, by name. */
export interface HostQuery {
  readonly collection: string
  readonly nameContains?: string
  /** Only hosts that rest at this time. */
  readonly restingAt?: UnixSeconds
  readonly limit: number
  /** Where the stretch before ended. */
  readonly after?: string
}

export interface HostList {
  readonly hosts: readonly HostSummary[]
  /** For the next stretch; null at the end. */
  readonly next: string | null
}

/** What politeness remembers of a host, for all collections; the store reads only `blockedUntil`. */
export interface HostRecord {
  readonly host: string
  readonly state: Json
  /** How publishers' hints did on this host; what is left out stays as it was. */
  readonly hints?: Json
  /** No page of this host is leased before. */
  readonly blockedUntil: UnixSeconds | null
}
