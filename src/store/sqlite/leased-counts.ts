import type { Database } from './database.js'
import { countsOf, type PageBefore, type PageRow } from './page-row.js'

/** Beyond this all is forgotten: leases that were never reported. */
const most = 100_000

/**
 * The counts of pages as they were when they were leased, so that recording a
 * visit need not read them again: a fifth of its time. They hold as long as
 * nothing but leases and visits of this connection was written; whatever else
 * is, by us or by another process, makes it forget them all.
 */
export class LeasedCounts {
  /** Without the rest of the row, which is gone as soon as the lease was given. */
  readonly #leased = new Map<number, { readonly token: number; readonly before: PageBefore }>()

  constructor(db: Database) {
    db.onOtherWrite(() => this.#leased.clear())
  }

  note(row: PageRow, token: number): void {
    if (this.#leased.size >= most) this.#leased.clear()
    this.#leased.set(row[0], { token, before: countsOf(row) })
  }

  /** Undefined where it is not known: the row itself has to be read. Told once. */
  take({ page, token }: { readonly page: number; readonly token: number }): PageBefore | undefined {
    const leased = this.#leased.get(page)
    if (leased?.token !== token) return undefined
    this.#leased.delete(page)
    return leased.before
  }
}
