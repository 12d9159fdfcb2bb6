/**
 * The inverse of a symmetric, positive definite matrix, row by row in one
 * array; null where it has none that could be trusted. O(size^3), for small sizes.
 *
 * By Cholesky's factors: Golub & Van Loan, Matrix Computations, 4.2.
 */
export function symmetricInverse(matrix: Float64Array, size: number): Float64Array | null {
  const lower = new Float64Array(size * size)
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let rest = matrix[row * size + column]!
      for (let k = 0; k < column; k++) rest -= lower[row * size + k]! * lower[column * size + k]!
      if (row !== column) lower[row * size + column] = rest / lower[column * size + column]!
      else if (rest > 1e-12 * matrix[row * size + row]!) lower[row * size + row] = Math.sqrt(rest)
      else return null
    }
  }
  const inverse = new Float64Array(size * size)
  const unit = new Float64Array(size)
  for (let column = 0; column < size; column++) {
    unit.fill(0)
    unit[column] = 1
    for (let row = 0; row < size; row++) {
      let rest = unit[row]!
      for (let k = 0; k < row; k++) rest -= lower[row * size + k]! * unit[k]!
      unit[row] = rest / lower[row * size + row]!
    }
    for (let row = size - 1; row >= 0; row--) {
      let rest = unit[row]!
      for (let k = row + 1; k < size; k++) rest -= lower[k * size + row]! * unit[k]!
      unit[row] = rest / lower[row * size + row]!
    }
    for (let row = 0; row < size; row++) inverse[row * size + column] = unit[row]!
  }
  return inverse
}
