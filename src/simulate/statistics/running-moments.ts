/**
 * Mean and variance of values as they come, in one pass and three numbers.
 *
 * For the inner loop of one page, where the order is fixed: its last bits
 * depend on the order of values and merges. Across pages and threads use
 * `ExactMoments`, whose bytes do not.
 *
 * Welford 1962; merged as in Chan, Golub & LeVeque 1979.
 */
export class RunningMoments {
  count = 0
  /** 0 before any value. */
  mean = 0
  #squares = 0

  add(value: number): void {
    this.count++
    const before = value - this.mean
    this.mean += before / this.count
    this.#squares += before * (value - this.mean)
  }

  merge(other: RunningMoments): void {
    if (other.count === 0) return
    const count = this.count + other.count
    const apart = other.mean - this.mean
    this.#squares += other.#squares + (apart * apart * this.count * other.count) / count
    this.mean += (apart * other.count) / count
    this.count = count
  }

  /** Of the law behind the values (divides by n - 1); 0 with fewer than two. */
  get variance(): number {
    return this.count < 2 ? 0 : this.#squares / (this.count - 1)
  }

  get standardDeviation(): number {
    return Math.sqrt(this.variance)
  }
}
