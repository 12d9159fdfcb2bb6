import type { History } from '../../model/index.js'
import { logLikelihood, withContentAges } from '../rate/likelihood.js'

/**
 * How likely each page's history is under each change period of a grid, row by
 * row, computed once for all rounds of a fit. Each row is divided by its
 * largest entry, so that long histories do not underflow; `peaks` keeps the
 * logarithms of those. 8 bytes a page and node.
 */
export interface LikelihoodTable {
  readonly grid: Float64Array
  readonly rows: number
  /** `values[row * grid.length + node]`, from 0 to 1. */
  readonly values: Float64Array
  readonly peaks: Float64Array
  /** For each history given, its row, or -1 where it tells nothing. */
  readonly rowOf: Int32Array
  /** Histories that say nothing: no observation and no content age. */
  readonly silent: number
  /** Histories that no period of the grid can explain, such as a change within 1e-300 s. */
  readonly unexplained: number
}

/** Content ages count exactly where they are told. O(nodes x changed gaps of all pages). */
export function likelihoodTable(
  histories: readonly History[],
  grid: Float64Array,
): LikelihoodTable {
  const nodes = grid.length
  const values = new Float64Array(histories.length * nodes)
  const peaks = new Float64Array(histories.length)
  const rowOf = new Int32Array(histories.length).fill(-1)
  let rows = 0
  let silent = 0
  histories.forEach((history, page) => {
    if (history.observations.length === 0 && history.start.contentAge === undefined) {
      silent++
      return
    }
    const row = values.subarray(rows * nodes, (rows + 1) * nodes)
    const peak = fillRow(row, { history, grid })
    if (!Number.isFinite(peak)) return
    peaks[rows] = peak
    rowOf[page] = rows++
  })
  return {
    grid,
    rows,
    values: values.subarray(0, rows * nodes),
    peaks: peaks.subarray(0, rows),
    rowOf,
    silent,
    unexplained: histories.length - rows - silent,
  }
}

/** The table of some of its rows only. */
export function someRows(table: LikelihoodTable, rows: readonly number[]): LikelihoodTable {
  const nodes = table.grid.length
  const values = new Float64Array(rows.length * nodes)
  rows.forEach((row, i) => {
    values.set(table.values.subarray(row * nodes, (row + 1) * nodes), i * nodes)
  })
  return {
    grid: table.grid,
    rows: rows.length,
    values,
    peaks: Float64Array.from(rows, (row) => table.peaks[row]!),
    rowOf: Int32Array.from(rows, (_, i) => i),
    silent: 0,
    unexplained: 0,
  }
}

function fillRow(
  row: Float64Array,
  { history, grid }: { history: History; grid: Float64Array },
): number {
  const traces = withContentAges(history)
  let peak = -Infinity
  for (let node = 0; node < grid.length; node++) {
    row[node] = logLikelihood(traces, 1 / grid[node]!)
    peak = Math.max(peak, row[node]!)
  }
  for (let node = 0; node < grid.length; node++) row[node] = Math.exp(row[node]! - peak)
  return peak
}
