import { readPublished } from '../read-published.js'

interface TableOneRow {
  readonly until: number
  readonly ks4: number
  readonly ks5: number
  readonly wmrd4: number
  readonly wmrd5: number
}

/** The paper's claims, and the numbers that ours are held against. */
export const published = readPublished(import.meta.url)

export const reference = published.numbers as {
  /** Not printed in our copy: an independent recomputation in NumPy. */
  readonly tableOne: readonly TableOneRow[]
}
