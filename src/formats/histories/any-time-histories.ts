import {
  type History,
  historyOf,
  succeeded,
  type UnixSeconds,
  type Visit,
  visitTimeFault,
} from '../../model/index.js'
import { notText } from '../bytes/is-text.js'
import type { Refusal } from '../refusal.js'
import type { Problems } from '../visits/problems.js'
import type { VisitLine } from '../visits/visit-line.js'
import { digestNumber } from './byte-hash.js'
import { digestAfter, noDigest, outcomeByDigest } from './digest-outcome.js'
import { GrowingColumn } from './growing-column.js'
import type { PageHistories } from './page-histories.js'
import { type RowsByPage, rowsByPage } from './rows-by-page.js'
import { UrlTable } from './url-table.js'
import { VisitColumns } from './visit-columns.js'

/**
 * Gathers the visits of a log in any order of pages and of time, and sorts each
 * page's visits by time at the end. Equal times are refused still: which came
 * first cannot be known. About 28 bytes a visit, failed ones too.
 */
export class AnyTimeHistories implements PageHistories {
  readonly #urls: UrlTable
  readonly #columns = new VisitColumns()
  readonly #lines = new GrowingColumn((length) => new Uint32Array(length))
  readonly #digests = new GrowingColumn((length) => new Float64Array(length))
  readonly #now: UnixSeconds
  #rows: RowsByPage = { order: new Uint32Array(0), offsets: new Uint32Array(1) }
  #refused = new Set<number>()

  constructor({ now, seed = 0 }: { now: UnixSeconds; seed?: number }) {
    this.#now = now
    this.#urls = new UrlTable({ seed })
  }

  readonly take = (visit: VisitLine): Refusal | undefined => {
    const fault = visitTimeFault(visit.at, { after: -Infinity, now: this.#now })
    if (fault !== undefined) return fault
    const page = this.#urls.pageOf(visit.key, visit.url)
    if (page === -1) return notText
    const byDigest = visit.outcome === 'by-digest'
    this.#digests.push(byDigest ? digestNumber(visit.digest) : noDigest)
    this.#lines.push(visit.line)
    const { at, lastModified, calmFor } = visit
    const outcome = visit.outcome === 'by-digest' ? 'first' : visit.outcome
    this.#columns.push(page, { outcome, at, lastModified, calmFor })
    return undefined
  }

  /** Sorts; visits at the same time as another of their page go to the problems. */
  finish(problems: Problems): void {
    this.#rows = rowsByPage(this.#columns, { pages: this.pages })
    for (let page = 0; page < this.pages; page++) {
      const rows = this.#rowsOf(page)
      // Rows are in the order of lines, so of equal times the earlier line comes first.
      rows.sort((a, b) => this.#columns.time(a) - this.#columns.time(b) || a - b)
      this.#refuseEqual(rows, problems)
    }
  }

  get pages(): number {
    return this.#urls.size
  }

  get visits(): number {
    return this.#columns.length - this.#refused.size
  }

  url(page: number): string {
    return this.#urls.url(page)
  }

  history(page: number): History | null {
    const visits: Visit[] = []
    let before = noDigest
    for (const row of this.#rowsOf(page)) {
      if (this.#refused.has(row)) continue
      const digest = this.#digests.at(row)
      const told = this.#columns.visit(row)
      const outcome = Number.isNaN(digest) ? told.outcome : outcomeByDigest(digest, before)
      if (succeeded(outcome)) before = digestAfter({ outcome, digest }, before)
      visits.push({ ...told, outcome })
    }
    return historyOf(visits)
  }

  #rowsOf(page: number): Uint32Array {
    return this.#rows.order.subarray(this.#rows.offsets[page]!, this.#rows.offsets[page + 1]!)
  }

  #refuseEqual(rows: Uint32Array, problems: Problems): void {
    let after = -Infinity
    for (const row of rows) {
      const fault = visitTimeFault(this.#columns.time(row), { after, now: this.#now })
      if (fault === undefined) after = this.#columns.time(row)
      else {
        this.#refused.add(row)
        problems.add(this.#lines.at(row), fault)
      }
    }
  }
}
