import type { UnixSeconds, VisitReport } from '../model/index.js'

/** What became of a leased page. */
export interface MadeVisit {
  /** What is to be recorded; null where the page was given back unvisited. */
  readonly report: VisitReport | null
  /** Whether its host is to be left alone for a while. */
  readonly hostRests: boolean
  /** Where the day's budget of requests is used up: when it opens again. */
  readonly budgetOpens?: UnixSeconds
}

export const notMade: MadeVisit = { report: null, hostRests: false }
