import type { VisitColumns } from './visit-columns.js'

/** The rows of each page: those of page p are `order[offsets[p]]` to `order[offsets[p + 1] - 1]`. */
export interface RowsByPage {
  readonly order: Uint32Array
  readonly offsets: Uint32Array
}

/** Groups rows by page, in the order of the log within each, by counting. O(rows + pages). */
export function rowsByPage(columns: VisitColumns, { pages }: { pages: number }): RowsByPage {
  const offsets = new Uint32Array(pages + 1)
  for (let row = 0; row < columns.length; row++) offsets[columns.page(row) + 1]!++
  for (let page = 0; page < pages; page++) offsets[page + 1]! += offsets[page]!
  const next = offsets.slice()
  const order = new Uint32Array(columns.length)
  for (let row = 0; row < columns.length; row++) {
    const page = columns.page(row)
    order[next[page]!] = row
    next[page]!++
  }
  return { order, offsets }
}
