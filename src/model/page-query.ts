import type { PageRecord } from './page-record.js'
import type { UnixSeconds } from './units.js'
import type { Outcome } from './visit.js'

/** Which pages; every part given must hold. */
export interface PageFilter {
  readonly collection: string
  readonly host?: string
  readonly group?: string
  /** How the last visit ended. */
  readonly outcome?: Outcome
  readonly urlContains?: string
  /** Due at this time or before. */
  readonly dueBy?: UnixSeconds
  /** About this share of the pages, spread evenly over all: a sample that costs what it gives. From 0 to 1. */
  readonly share?: number
}

export const pageSorts = ['added', 'url', 'due', 'importance', 'lastVisit', 'lastChange'] as const
export type PageSort = (typeof pageSorts)[number]

/** A stretch of the list of pages. */
export interface PageQuery extends PageFilter {
  /** `added` unless said. Pages without the value come last either way; ties by when added. */
  readonly sort?: PageSort
  readonly descending?: boolean
  readonly limit: number
  /** Where the stretch before ended. */
  readonly after?: string
}

export interface PageList {
  readonly pages: readonly PageRecord[]
  /** For the next stretch; null at the end. */
  readonly next: string | null
}
