import type { History } from '../../model/index.js'

/** The pages of a log, numbered from 0 in the order in which they first appear. */
export interface PageHistories {
  readonly pages: number
  /** Visits taken, failed ones among them. */
  readonly visits: number
  url(page: number): string
  /** Null if no visit of the page succeeded. */
  history(page: number): History | null
}
