/** Upper ends of the classes of window size: 4, 5, 6, 7 to 8, and so on in growing steps. */
const ends = [4, 5, 6, 8, 10, 13, 17, 22, 29, 38, 50, 66, 87, 115, 150, Infinity] as const

/** Windows of about one size: their mean size, and the mean error of each estimator. */
export interface SizeClass {
  readonly size: number
  readonly windows: number
  readonly mse: readonly number[]
}

/** Mean squared errors by the number of points in a window: Figure 1. */
export class SizeErrors {
  readonly #estimators: number
  readonly #windows = new Float64Array(ends.length)
  readonly #points = new Float64Array(ends.length)
  readonly #errors: Float64Array

  constructor(estimators: number) {
    this.#estimators = estimators
    this.#errors = new Float64Array(ends.length * estimators)
  }

  add(points: number, mse: ArrayLike<number> | null): void {
    if (mse === null) return
    const at = ends.findIndex((end) => points <= end)
    this.#windows[at]!++
    this.#points[at]! += points
    for (let i = 0; i < this.#estimators; i++) this.#errors[at * this.#estimators + i]! += mse[i]!
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
      return [{ size: this.#points[at]! / windows, windows, mse }]
    })
  }
}
