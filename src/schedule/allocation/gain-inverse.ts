import { changesAtRoot, changesAtShortfall } from './marginal-gain.js'

/**
 * Visits per change (1/x) at a given marginal gain, from piecewise polynomials
 * of degree 5: no exponential, logarithm or iteration, within 2e-15.
 *
 * As a function of s = sqrt(2 gain), s/x is analytic with its only singularity
 * at gain 1, so equal steps of s serve up to gain 0.9 (x = 3.9). From there to
 * x = 14 the table holds 1/x on equal steps of the fourth root of 1 - gain;
 * beyond, where a page gets a visit in 14 changes, Newton's method.
 */
const ROW = 6
const STEPS = 1024
const BODY_END = 0.9
const TAIL_END = 1 - 2 ** -16
const BODY_ROWS = Math.ceil(Math.sqrt(2 * BODY_END) * STEPS)
const TAIL_ROWS = Math.ceil((1 - BODY_END) ** 0.25 * STEPS) + 1

let table: Float64Array | undefined

/** The table of `visitsPerChange` (91 KB); made at the first call, in some 20 ms. */
export function gainInverse(): Float64Array {
  table ??= makeTable()
  return table
}

/** 1/x where 1 - (1 + x) e^-x = gain, for 0 < gain < 1. The table is an argument to keep loops tight. */
export function visitsPerChange(rows: Float64Array, gain: number): number {
  if (gain < BODY_END) {
    const s = Math.sqrt(2 * gain)
    return lookUp(rows, s * STEPS) / s
  }
  if (gain < TAIL_END) return lookUp(rows, BODY_ROWS + Math.sqrt(Math.sqrt(1 - gain)) * STEPS)
  return 1 / changesAtShortfall(1 - gain)
}

function lookUp(rows: Float64Array, place: number): number {
  const row = place | 0
  const z = place - row
  const at = row * ROW
  const high = rows[at + 3]! + z * (rows[at + 4]! + z * rows[at + 5]!)
  return rows[at]! + z * (rows[at + 1]! + z * (rows[at + 2]! + z * high))
}

function makeTable(): Float64Array {
  const rows = new Float64Array((BODY_ROWS + TAIL_ROWS) * ROW)
  for (let row = 0; row < BODY_ROWS; row++) {
    rows.set(
      interpolate((z) => (row + z) / STEPS / changesAtRoot((row + z) / STEPS)),
      row * ROW,
    )
  }
  for (let row = Math.floor((1 - TAIL_END) ** 0.25 * STEPS); row < TAIL_ROWS; row++) {
    rows.set(
      interpolate((z) => 1 / changesAtShortfall(((row + z) / STEPS) ** 4)),
      (BODY_ROWS + row) * ROW,
    )
  }
  return rows
}

/** Chebyshev nodes of [0, 1], which keep the error of the polynomial through them even. */
const nodes = Array.from({ length: ROW }, (_, j) => (1 - Math.cos((Math.PI * (j + 0.5)) / ROW)) / 2)

/** Coefficients of the powers of z, from Newton's divided differences at the nodes. */
function interpolate(value: (z: number) => number): Float64Array {
  const differences = Float64Array.from(nodes, value)
  for (let order = 1; order < ROW; order++) {
    for (let j = ROW - 1; j >= order; j--) {
      differences[j] = (differences[j]! - differences[j - 1]!) / (nodes[j]! - nodes[j - order]!)
    }
  }
  const powers = new Float64Array(ROW)
  for (let j = ROW - 1; j >= 0; j--) {
    for (let power = ROW - 1; power > 0; power--) {
      powers[power] = powers[power - 1]! - nodes[j]! * powers[power]!
    }
    powers[0] = differences[j]! - nodes[j]! * powers[0]!
  }
  return powers
}
