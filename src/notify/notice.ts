import type { Outcome, Seconds, UnixSeconds } from '../model/index.js'

/** What a channel can be told of; `test` only when a person asks for it. */
export const noticeTypes = ['changed', 'gone', 'silent'] as const
export type NoticeType = (typeof noticeTypes)[number]

/** What is told: one visit of one page, and what it found. */
export interface Notice {
  readonly type: NoticeType | 'test'
  readonly collection: string
  readonly page: {
    readonly id: string
    readonly url: string
    readonly group: string | null
    readonly title: string | null
  }
  readonly visit: {
    readonly number: number
    readonly at: UnixSeconds
    readonly outcome: Outcome
    readonly status: number | null
  }
  /** When the content before was first seen, where it is still kept. */
  readonly previous: UnixSeconds | null
  /** Share of the compared text that is new or gone, 0 to 1; null where there is none to compare. */
  readonly changedShare: number | null
  /** Compared lines that went (`- `) and came (`+ `), cut short; null where there are none to compare. */
  readonly diff: string | null
  /** In words, why there is no diff, or why it is empty. */
  readonly note: string | null
  /** Words asked for that are new in the compared text, or no longer there. */
  readonly appeared: readonly string[]
  readonly disappeared: readonly string[]
  /** How long the page has not changed, for `silent`. */
  readonly unchangedFor: Seconds | null
}
