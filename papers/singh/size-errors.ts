/** Upper ends of the classes of window size: 4, 5, 6, 7 to 8, and so on in growing steps. */
const ends = [4, 5, 6, 8, 10, 13, 17, 22, 29, 38, 50, 66, 87, 115, 150, Infinity] as const

/** Windows of about one size: their mean size, and the mean error of each estimator. */
export interface SizeClass {
  readonly size: number
  readonly windows: number
  readonly mse: readonly number[]
  /** Standard error of the ratio of the mean errors of two estimators, by their places. */
  ratioError(one: number, other: number): number
}

/** Mean squared errors by the number of points in a window: Figure 1. */
export class SizeErrors {
  readonly #estimators: number
  readonly #windows = new Float64Array(ends.length)
  readonly #points = new Float64Array(ends.length)
  readonly #errors: Float64Array
  /** Sums of products of the errors of two estimators in a window. */
  readonly #products: Float64Array

  constructor(estimators: number) {
    this.#estimators = estimators
    this.#errors = new Float64Array(ends.length * estimators)
    this.#products = new Float64Array(ends.length * estimators * estimators)
  }

  add(points: number, mse: ArrayLike<number> | null): void {
    if (mse === null) return
    const at = ends.findIndex((end) => points <= end)
    this.#windows[at]!++
    this.#points[at]! += points
    const count = this.#estimators
    for (let i = 0; i < count; i++) {
      this.#errors[at * count + i]! += mse[i]!
      for (let j = 0; j < count; j++)
        this.#products[(at * count + i) * count + j]! += mse[i]! * mse[j]!
    }
  }

  /** Classes with enough windows for a mean. */
  classes({ fewest }: { readonly fewest: number }): SizeClass[] {
    return ends.flatMap((_, at) => {
      const windows = this.#windows[at]!
      if (windows < fewest) return []
      const mse = Array.from(
        { length: this.#estimators },
        (_, i) => this.#errors[at * this.#estimators + i]! / windows,
      )
      const size = this.#points[at]! / windows
      const ratioError = (one: number, other: number) => this.#ratioError(at, { mse, one, other })
      return [{ size, windows, mse, ratioError }]
    })
  }

  /** By the delta method: windows are independent, both estimators read the same. */
  #ratioError(
    at: number,
    { mse, one, other }: { mse: readonly number[]; one: number; other: number },
  ): number {
    const [windows, count] = [this.#windows[at]!, this.#estimators]
    const [a, b] = [mse[one]!, mse[other]!]
    const moment = (i: number, j: number) =>
      this.#products[(at * count + i) * count + j]! / windows - mse[i]! * mse[j]!
    const relative =
      moment(one, one) / a ** 2 + moment(other, other) / b ** 2 - (2 * moment(one, other)) / (a * b)
    return (a / b) * Math.sqrt(Math.max(0, relative) / windows)
  }
}
