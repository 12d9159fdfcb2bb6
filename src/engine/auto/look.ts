import type { PageRecord } from '../../model/index.js'
import { Census } from './census.js'

/** Pages that a price is worked out on, and whose histories tell of hours. */
const sampleSize = 300

/** What one look at all pages gathers; bounded, whatever their number. */
export class Look {
  readonly census = new Census()
  /** An even sample of the pages that follow the default. */
  readonly sample: PageRecord[] = []
  readonly pages: number
  readonly #stride: number
  #met = 0

  constructor({ pages }: { readonly pages: number }) {
    this.pages = pages
    this.#stride = Math.max(1, Math.ceil(pages / sampleSize))
  }

  take(page: PageRecord): void {
    if (this.#met++ % this.#stride === 0) this.sample.push(page)
  }
}
