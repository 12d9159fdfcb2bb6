import type { Seconds, UnixSeconds } from '../../../src/model/units.js'

/** The truth of the demo web beside what is believed; only the demo can tell it. */
export interface DemoAnswer {
  readonly now: UnixSeconds
  readonly origin: UnixSeconds
  readonly speed: number
  readonly visits: number
  readonly requests: number
  /** Share of time in which the copies really equalled their pages, so far. */
  readonly freshness: { readonly revisit: number; readonly fixedSchedule: number }
  /** Not yet ahead of the fixed schedule, over all time so far. */
  readonly learning: boolean
  /** Days that it has followed its pages, this one included. */
  readonly day: number
  /** Full days, one by one. */
  readonly byDay: readonly DemoDay[]
  /** Share of the pages whose copy is fresh at this moment. */
  readonly freshNow: number
  /** Predicted from visits alone, and measured at the same moments of about a day. */
  readonly predicted: { readonly share: number; readonly measured: number } | null
  readonly steady: { readonly due: number; readonly within: number; readonly share: number | null }
  readonly pages: readonly DemoPage[]
}

export interface DemoDay {
  readonly from: UnixSeconds
  readonly revisit: number
  readonly fixedSchedule: number
}

export interface DemoPage {
  readonly id: string
  readonly url: string
  readonly law: string
  readonly truePeriod: Seconds
  readonly estimatedPeriod: Seconds | null
  readonly shortest: Seconds | null
  readonly longest: Seconds | null
  readonly visits: number
  readonly changesSeen: number
  readonly changesReal: number
}
