import type { Seconds, UnixSeconds } from './units.js'

/** When one page really changed, as somebody recorded it: the truth that a replay visits. */
export interface RecordedChanges {
  readonly id: string
  /** Pages of one source share a clock and a recorder. */
  readonly source: string
  /** Start of the record; it is not a change. */
  readonly from: UnixSeconds
  readonly until: UnixSeconds
  /** How often the recorder looked; 0 where times are exact. */
  readonly cadence: Seconds
  /** Change times after `from`, ascending. */
  readonly changes: Float64Array
}
