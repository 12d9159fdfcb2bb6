/** Where chance comes from: an argument everywhere, so that a seed repeats a run. `numeric` has the real one. */
export interface RandomSource {
  /** Uniform on [0, 1). */
  uniform(): number
  /** Exponential with mean 1. */
  exponential(): number
  /** Standard normal. */
  normal(): number
  /** Gamma with scale 1. */
  gamma(shape: number): number
}
