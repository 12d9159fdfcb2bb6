import type { PageAnswer } from '../../../src/server/pages/page-schema.js'
import { type ApiError, apiError } from '../../api/api-error.js'
import { request } from '../../api/request.js'
import { apiQuery, type PageSearch } from './page-search.js'

const firstStretch = 100
const laterStretch = 1000

/**
 * The pages of one search, fetched stretch by stretch as far as somebody
 * scrolls. Kept outside the view's state: 100,000 rows are not copied for one
 * that changed.
 */
export class PageRows {
  readonly #search: PageSearch
  readonly #changed: () => void
  readonly #end = new AbortController()
  #rows: PageAnswer[] = []
  #places = new Map<string, number>()
  #next: string | null | undefined
  #total = 0
  #wanted = 0
  #busy = false
  error: ApiError | undefined

  constructor(search: PageSearch, changed: () => void) {
    this.#search = search
    this.#changed = changed
  }

  get loaded(): number {
    return this.#rows.length
  }

  /** All that pass the filter; 0 before the first answer. */
  get total(): number {
    return this.#total
  }

  get started(): boolean {
    return this.#next !== undefined
  }

  at(place: number): PageAnswer | undefined {
    return this.#rows[place]
  }

  /** The row of a page, where it is loaded. */
  of(id: string): PageAnswer | undefined {
    const place = this.#places.get(id)
    return place === undefined ? undefined : this.#rows[place]
  }

  ids(): string[] {
    return this.#rows.map(({ id }) => id)
  }

  /** Fetches until the rows up to `place` are there. */
  want(place: number): void {
    this.#wanted = Math.max(this.#wanted, place)
    if (!this.#busy && this.error === undefined && this.#short()) this.#fetch()
  }

  retry(): void {
    this.error = undefined
    this.want(0)
  }

  /** A page as it is now, in its old place. */
  put(page: PageAnswer): void {
    const place = this.#places.get(page.id)
    if (place === undefined) return
    this.#rows[place] = page
    this.#changed()
  }

  close(): void {
    this.#end.abort()
  }

  #short(): boolean {
    if (this.#next === undefined) return true
    return this.#next !== null && this.#rows.length <= this.#wanted
  }

  async #fetch(): Promise<void> {
    this.#busy = true
    try {
      while (this.#short() && !this.#end.signal.aborted) await this.#stretch()
    } catch (thrown) {
      this.error = apiError(thrown)
    }
    this.#busy = false
    if (!this.#end.signal.aborted) this.#changed()
  }

  async #stretch(): Promise<void> {
    const first = this.#next === undefined
    const query = {
      ...apiQuery(this.#search),
      limit: first ? firstStretch : laterStretch,
      after: this.#next ?? undefined,
      count: first ? true : undefined,
    }
    const { signal } = this.#end
    const { pages, next, total } = await request('GET pages', { query, signal })
    for (const page of pages) {
      if (this.#places.has(page.id)) continue
      this.#places.set(page.id, this.#rows.length)
      this.#rows.push(page)
    }
    this.#next = next
    if (total !== undefined) this.#total = total
    // Pages that were added meanwhile, or a service that does not count.
    this.#total = next === null ? this.#rows.length : Math.max(this.#total, this.#rows.length + 1)
    this.#changed()
  }
}
