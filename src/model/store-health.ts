import type { UnixSeconds } from './units.js'

/** How a collection is doing; quick enough to ask every second. */
export interface StoreHealth {
  readonly pages: number
  readonly hosts: number
  /** Due now, leased ones among them. */
  readonly dueNow: number
  /** Leased and not run out. */
  readonly inFlight: number
  /** The due time longest past or soonest to come; null where none is due ever. */
  readonly oldestDue: UnixSeconds | null
}

/** What is kept in all; counts every row. */
export interface StoreTotals {
  readonly pages: number
  readonly visits: number
  readonly versions: number
  readonly snapshots: number
  /** Length of all distinct contents, and what they take after compression. */
  readonly contentBytes: number
  readonly packedBytes: number
}
