import type { Json } from './json.js'
import type { UnixSeconds } from './units.js'

/** What politeness remembers of a host, for all collections; the store reads only `blockedUntil`. */
export interface HostRecord {
  readonly host: string
  readonly state: Json
  /** How publishers' hints did on this host; what is left out stays as it was. */
  readonly hints?: Json
  /** No page of this host is leased before. */
  readonly blockedUntil: UnixSeconds | null
}
