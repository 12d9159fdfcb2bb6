import { type Bounds, periodRange, rangeWords } from '../../model/index.js'

/** Bounds of a change rate as a cell of a table: `2.1 to 5.5 days`; `-` where there are none. */
export function periodWords(bounds: Bounds | null): string {
  return bounds === null ? '-' : (rangeWords(periodRange(bounds)) ?? 'unknown')
}
