import type { Seconds, UnixSeconds } from '../model/index.js'

/** What a demo web knows of itself; the command line makes it from `demo/`, which this room does not use. */
export interface DemoTruth {
  /** Demo seconds in a real one. */
  readonly speed: number
  told(): Promise<DemoTold>
}

/** The truth beside what is believed. */
export interface DemoTold {
  readonly now: UnixSeconds
  readonly origin: UnixSeconds
  readonly speed: number
  readonly visits: number
  readonly requests: number
  /** Share of the time in which copies equalled their pages: ours, and as many requests in turn. */
  readonly freshness: { readonly revisit: number; readonly fixedSchedule: number }
  /** Whether it is not yet ahead of the fixed schedule, over all time so far. */
  readonly learning: boolean
  /** Days that it has followed its pages, this one included. */
  readonly day: number
  /** The same shares day by day, full days alone. */
  readonly byDay: readonly {
    readonly from: UnixSeconds
    readonly revisit: number
    readonly fixedSchedule: number
  }[]
  /** Share of the copies that equal their pages now. */
  readonly freshNow: number
  /** Share of copies that should be fresh by what is believed, and that was at the same moments, mean of about a day; null before there is any. */
  readonly predicted: { readonly share: number; readonly measured: number } | null
  /** Steady pages due to change five times, and those known within a factor of 2. */
  readonly steady: { readonly due: number; readonly within: number; readonly share: number | null }
  readonly pages: readonly DemoPageTold[]
}

export interface DemoPageTold {
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
