import { type History, historyOf, type UnixSeconds, visitTimeFault } from '../../model/index.js'
import { notText } from '../bytes/is-text.js'
import type { Refusal } from '../refusal.js'
import type { VisitLine } from '../visits/visit-line.js'
import { digestNumber } from './byte-hash.js'
import { digestAfter, noDigest, outcomeByDigest } from './digest-outcome.js'
import { GrowingColumn } from './growing-column.js'
import type { PageHistories } from './page-histories.js'
import { type RowsByPage, rowsByPage } from './rows-by-page.js'
import { UrlTable } from './url-table.js'
import { VisitColumns } from './visit-columns.js'

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

  #keep(page: number, { outcome, at, lastModified, calmFor, digest }: VisitLine): void {
    if (outcome === 'failed' || outcome === 'gone' || outcome === 'refused') return
    if (outcome === 'by-digest') {
      const found = digestNumber(digest)
      const told = outcomeByDigest(found, this.#digests.at(page))
      this.#columns.push(page, { outcome: told, at, lastModified, calmFor })
      this.#digests.set(page, found)
      return
    }
    this.#columns.push(page, { outcome, at, lastModified, calmFor })
    this.#digests.set(page, digestAfter({ outcome, digest: noDigest }, this.#digests.at(page)))
  }
}
