import type { Seconds, UnixSeconds } from '../model/index.js'
import type { SavedVisit } from './unsaved-visits.js'

/** How a loop goes about its pages. */
export interface CycleSettings {
  readonly collection: string
  /** Names this process to the store, and no other that runs. */
  readonly worker: string
  /** Visits under way at once, over all hosts; 16 unless said. */
  readonly concurrency?: number
  /** Visits under way at once to one host; 1 unless said. */
  readonly perHost?: number
  /**
   * Pages leased together for each visit to a host, to be made one after
   * another without asking the store between; 1 unless said. More is of use
   * where hosts ask no delay.
   */
  readonly ahead?: number
  /** How long a page is held for one visit; five minutes unless said. */
  readonly leaseTime?: Seconds
  /** Share of conditional visits made unconditionally, to catch a server whose 304 lies; 0.05 unless said. */
  readonly doubt?: number
  /** No longer than this between two looks at what is due, so that pages added meanwhile are seen; 5 s unless said. */
  readonly lookAgain?: Seconds
}

export function withDefaults(settings: CycleSettings): Required<CycleSettings> {
  const defaults = {
    concurrency: 16,
    perHost: 1,
    ahead: 1,
    leaseTime: 300,
    doubt: 0.05,
    lookAgain: 5,
  }
  return { ...defaults, ...settings }
}

/** How one run of it begins and ends. */
export interface RunOptions {
  /** Finishes what is under way, then ends. */
  readonly signal?: AbortSignal
  /** Ends once nothing is due, or the budget of requests is used up. */
  readonly once?: boolean
  /** With `once`: hosts that rest longer than this are left to the next run; none unless said. */
  readonly patience?: Seconds
  /** Ends at this time. */
  readonly until?: UnixSeconds
  /** Called when a visit is not made because the day's budget of requests is used up, with when it opens again. */
  readonly onSpent?: (opens: UnixSeconds) => void
  /** Called after each visit is safely recorded. */
  readonly onVisit?: (saved: SavedVisit) => void
}
