import type { Estimate } from './estimate.js'
import type { History } from './history.js'

export interface EstimateOptions {
  /** Level of the bounds, above 0 and below 1; 0.95 unless said. */
  readonly level?: number
}

/** A pure function from a History to an Estimate, with its name and its needs. */
export interface Estimator {
  readonly name: string
  /** One sentence for a person who chooses a method. */
  readonly summary: string
  /** Whether it can say anything without Last-Modified. */
  readonly needsContentAge: boolean
  estimate(history: History, options?: EstimateOptions): Estimate
}
