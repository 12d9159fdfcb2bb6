import type { PerSecond, Seconds } from './units.js'

/**
 * What kind of answer an estimate is. Only `ok` needs no caution:
 *
 * - `no-observation`: fewer than two successful visits; no number
 * - `prior-only`: nothing observed yet; the numbers are the prior's
 * - `no-content-age`: the method needs Last-Modified and there is none; no number
 * - `no-change-seen`: the number is a stand-in; the upper bound is what the data say
 * - `always-changed`: every gap saw a change, so the page may be faster than any number here
 * - `short-sampling`: sampled for less than three times the estimated change period
 * - `unequal-gaps`: the method assumes equal gaps, and these differ by more than 5%
 */
export type Verdict =
  | 'ok'
  | 'no-observation'
  | 'prior-only'
  | 'no-content-age'
  | 'no-change-seen'
  | 'always-changed'
  | 'short-sampling'
  | 'unequal-gaps'

/** Bounds of a change rate; `high: null` where the data set no upper limit. */
export interface Bounds {
  readonly low: PerSecond
  readonly high: PerSecond | null
  /** The share of the time such bounds hold the truth, such as 0.95. */
  readonly level: number
}

/** What an estimate rests on. */
export interface Evidence {
  /** Successful visits, the first among them. */
  readonly visits: number
  readonly observations: number
  readonly changes: number
  /** Sum of all gaps. */
  readonly samplingPeriod: Seconds
  /** Sum of the gaps in which no change was seen. */
  readonly unchangedTime: Seconds
  /** Visits that told a believable content age, the first among them. */
  readonly contentAges: number
}

/** How often a page changes, as far as one method can tell. */
export interface Estimate {
  readonly method: string
  /** Null where there is no finite number to give; the verdict says why. */
  readonly changeRate: PerSecond | null
  /** Null where there is no finite number to give; 0 where changes are too fast to see. */
  readonly changePeriod: Seconds | null
  /** Bounds of the change rate; null where nothing was observed. */
  readonly bounds: Bounds | null
  readonly evidence: Evidence
  readonly verdict: Verdict
}
