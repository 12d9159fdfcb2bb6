import {
  type History,
  historyOf,
  succeeded,
  type Visit,
  visitTimeFault,
} from '../../model/history.js'
import type { UnixSeconds } from '../../model/units.js'
import type { Problems, Refusal } from '../problems.js'
import type { VisitLine } from '../visit-log/visit-line.js'
import { digestAfter, digestNumber, noDigest, outcomeByDigest } from './digest.js'
import { notText, UrlTable } from './url-table.js'
import { GrowingColumn, type RowsByPage, rowsByPage, VisitColumns } from './visit-columns.js'

/** The pages of a log, numbered from 0 in the order in which they first appear. */
export interface PageHistories {
  readonly pages: number
  /** Visits taken, failed ones among them. */
  readonly visits: number
  url(page: number): string
  /** Null if no visit of the page succeeded. */
  history(page: number): History | null
}

/**
 * Gathers the visits of a log whose pages come in any order, and the visits of
 * each page forward in time. A failed visit counts only for that order; it
 * leaves no row. About 16 bytes a visit, and 60 and its URL a page.
 */
export class ForwardHistories implements PageHistories {
  readonly #urls: UrlTable
  readonly #columns = new VisitColumns()
  readonly #triedAt = new GrowingColumn((length) => new Float64Array(length))
  readonly #digests = new GrowingColumn((length) => new Float64Array(length))
  readonly #now: UnixSeconds
  #rows: RowsByPage | undefined
  #visits = 0

  constructor({ now, seed = 0 }: { now: UnixSeconds; seed?: number }) {
    this.#now = now
    this.#urls = new UrlTable({ seed })
  }

  readonly take = (visit: VisitLine): Refusal | undefined => {
    // Before the page is known, so that a page of nothing but refused visits does not appear.
    const impossible = visitTimeFault(visit.at, { after: -Infinity, now: this.#now })
    if (impossible !== undefined) return impossible
    const page = this.#urls.pageOf(visit.key, visit.url)
    if (page === -1) return notText
    if (page === this.#triedAt.length) this.#begin()
    const fault = visitTimeFault(visit.at, { after: this.#triedAt.at(page), now: this.#now })
    if (fault !== undefined) return fault
    this.#triedAt.set(page, visit.at)
    this.#visits++
    this.#keep(page, visit)
    return undefined
  }

  get pages(): number {
    return this.#urls.size
  }

  get visits(): number {
    return this.#visits
  }

  /** What is held, by its own account; `rows` is the number of visits with a row. */
  get held(): { readonly rows: number; readonly rowBytes: number; readonly pageBytes: number } {
    const order = this.#rows === undefined ? 0 : this.#rows.order.byteLength
    return {
      rows: this.#columns.length,
      rowBytes: this.#columns.byteLength + order,
      pageBytes: this.#urls.byteLength + this.#triedAt.byteLength + this.#digests.byteLength,
    }
  }

  url(page: number): string {
    return this.#urls.url(page)
  }

  history(page: number): History | null {
    this.#rows ??= rowsByPage(this.#columns, { pages: this.pages })
    const { order, offsets } = this.#rows
    const rows = order.subarray(offsets[page]!, offsets[page + 1]!)
    return historyOf(Array.from(rows, (row) => this.#columns.visit(row)))
  }

  #begin(): void {
    this.#triedAt.push(-Infinity)
    this.#digests.push(noDigest)
  }

  #keep(page: number, { outcome, at, lastModified, unchangedFor, digest }: VisitLine): void {
    if (outcome === 'failed' || outcome === 'gone' || outcome === 'refused') return
    if (outcome === 'by-digest') {
      const found = digestNumber(digest)
      const logged = outcomeByDigest(found, this.#digests.at(page))
      this.#columns.push(page, { outcome: logged, at, lastModified, unchangedFor })
      this.#digests.set(page, found)
      return
    }
    this.#columns.push(page, { outcome, at, lastModified, unchangedFor })
    this.#digests.set(page, digestAfter({ outcome, digest: noDigest }, this.#digests.at(page)))
  }
}

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
    const { at, lastModified, unchangedFor } = visit
    const outcome = visit.outcome === 'by-digest' ? 'first' : visit.outcome
    this.#columns.push(page, { outcome, at, lastModified, unchangedFor })
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
      const logged = this.#columns.visit(row)
      const outcome = Number.isNaN(digest) ? logged.outcome : outcomeByDigest(digest, before)
      if (succeeded(outcome)) before = digestAfter({ outcome, digest }, before)
      visits.push({ ...logged, outcome })
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
