import type { Validators } from './fetcher.js'
import type { HostRecord } from './host-record.js'
import type { Json } from './json.js'
import type { LeaseRef } from './lease.js'
import type { LearnerState } from './page-record.js'
import type { Due } from './policy.js'
import type { Content } from './snapshot-record.js'
import type { VisitRecord } from './visit-record.js'

/**
 * One visit with all that follows from it, committed as one. The store counts
 * visits, changes and failures itself; what is left out stays as it was.
 */
export interface VisitReport {
  readonly lease: LeaseRef
  readonly visit: VisitRecord
  readonly due: Due
  readonly state?: LearnerState
  readonly validators?: Validators
  readonly hints?: Json
  readonly noise?: Json
  /** Where the page has moved for good; null forgets it. */
  readonly movedTo?: string | null
  readonly content?: Content
  /** Politeness of the host after this visit. Of reports that come together the last one of a host counts, if any of them is recorded. */
  readonly host?: HostRecord
  /** Go on holding the page, such as for an import of many visits. */
  readonly keepLease?: boolean
}

/**
 * What became of a report. `lease-lost`: the page was leased to another, was
 * reported already, or is gone; nothing was written. `not-forward`: the page
 * has a visit at this time or later; nothing was written, the lease stays.
 */
export type ReportFate = 'recorded' | 'lease-lost' | 'not-forward'
