import type { PageHistory } from '../../formats/index.js'

/** Writes the estimates of pages, one after the other. */
export interface PageWriter {
  page(page: PageHistory): void
  /** All pages are written. */
  end(): void
}
