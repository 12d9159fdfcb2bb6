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
  /** Share of the text that is new or gone, 0 to 1; null where the texts are not kept. */
  readonly changedShare: number | null
  /** Lines that went (`- `) and came (`+ `), cut short; null where the texts are not kept. */
  readonly diff: string | null
  /** Words asked for that are new in the text, or no longer there. */
  readonly appeared: readonly string[]
  readonly disappeared: readonly string[]
  /** How long the page has not changed, for `silent`. */
  readonly unchangedFor: Seconds | null
}
