import { readPublished } from '../read-published.js'
import type { Extract } from './extracts.js'
import type { PrintedSite } from './sites.js'

export const published = readPublished(import.meta.url)

/** The printed tables. */
export const printed = published.numbers as unknown as {
  readonly table1: Extract
  readonly table2: Extract
  readonly typicalCrawls: number
  /** What each figure of the paper is, by its number. */
  readonly figures: Readonly<Record<string, string>>
  readonly sites: readonly PrintedSite[]
}

/** The mean of a printed column. */
export function meanOf(column: (site: PrintedSite) => number): number {
  return totalOf(column) / printed.sites.length
}

export function totalOf(column: (site: PrintedSite) => number): number {
  return printed.sites.reduce((sum, site) => sum + column(site), 0)
}
