import type { Generated, GeneratedAlways } from 'kysely'

/**
 * The tables as Kysely sees them. Times are Unix seconds as REAL. Within one
 * file a page's integer stands for collection, host and address, and a host's
 * for its name: a visit's row then costs tens of bytes instead of hundreds.
 */
export interface Tables {
  collections: { id: Generated<number>; name: string }
  hosts: {
    id: Generated<number>
    name: string
    state: string | null
    blocked_until: number | null
    /** JSON. */
    hints: string | null
    /** Fence of the record. */
    token: number | null
    step: number | null
  }
  pages: PagesTable
  frontier: FrontierTable
  leases: LeasesTable
  visits: VisitsTable
  versions: VersionsTable
  snapshots: SnapshotsTable
  settings: { collection: number; name: string; value: string }
  channels: ChannelsTable
  deliveries: DeliveriesTable
  counters: { name: string; value: number }
}

interface PagesTable {
  id: Generated<number>
  collection: number
  host: number
  /** Null for never. */
  due: number | null
  reason: string
  url: string
  added_at: number
  page_group: string | null
  importance: number
  /** JSON; null for none. */
  settings: string | null
  etag: string | null
  last_modified: string | null
  fingerprint: string | null
  /** JSON. */
  hints: string | null
  /** JSON. */
  noise: string | null
  moved_to: string | null
  last_at: number | null
  /** Place in `outcomes`. */
  last_outcome: number | null
  last_status: number | null
  last_seen: number | null
  last_change: number | null
  visits: Generated<number>
  changes: Generated<number>
  failing: Generated<number>
  gone: Generated<number>
  /** Head of the chain of this page's visits. */
  newest_visit: number | null
  /** Of the lease under which the last visit was recorded. */
  last_token: Generated<number | null>
  learner: string | null
  /** As `packNumbers` packs them. */
  state: Uint8Array | null
}

/** One row for each host of a collection: since when it could be visited. */
interface FrontierTable {
  collection: number
  host: number
  /** The earliest due time of its pages. */
  due: number | null
  /** Copy of the host's `blocked_until`. */
  blocked: number | null
  /** When a page of it was last visited. */
  served: number | null
  pages: number
  /** The latest of the three; null while nothing is due ever. */
  ready: GeneratedAlways<number | null>
}

/** Pages that are leased; and hosts that are held for themselves, as the lease of a page below zero. */
interface LeasesTable {
  page: number
  collection: number
  host: number
  token: number
  expires: number
  worker: string
  /** 1 if the page's due time was set since the lease was given: it outlives the visit. */
  due_set: Generated<number>
}

export interface VisitsTable {
  id: Generated<number>
  page: number
  /** The page's visit before this one. */
  previous: number | null
  at: number
  outcome: number
  status: number | null
  gap: number | null
  content_age: number | null
  last_modified: number | null
  bytes: number
  duration: number
  fault: string | null
  fingerprint: string | null
  calm_for: number | null
}

interface VersionsTable {
  page: number
  at: number
  snapshot: number
  media_type: string | null
  /** JSON. */
  headers: string | null
}

interface SnapshotsTable {
  id: Generated<number>
  digest: Uint8Array
  bytes: number
  packing: number
  /** How many versions have this content. */
  refs: number
  body: Uint8Array
}

interface ChannelsTable {
  id: Generated<number>
  collection: number
  name: string
  /** JSON. */
  settings: string
  enabled: number
  added_at: number
  /** The last visit looked at. */
  cursor: number
  failing_since: number | null
  failures: Generated<number>
  rests_until: number | null
  error: string | null
  holder: string | null
  held_until: number | null
}

interface DeliveriesTable {
  id: Generated<number>
  channel: number
  page: number
  /** JSON. */
  event: string
  made_at: number
  /** Place in `deliveryStates`. */
  state: Generated<number>
  attempts: Generated<number>
  first_at: number | null
  next_at: number
  ended_at: number | null
  error: string | null
}
