import type { ErrorMeasure, EstimatorScore } from 'revisit/estimators'
import type { Study } from './study.js'

/** The three contenders of a study by name. */
export interface Scores {
  readonly intuitive: EstimatorScore
  readonly weibull: EstimatorScore
  readonly duane: EstimatorScore
}

export function scoresOf(study: Study, measure: ErrorMeasure): Scores {
  const [intuitive, weibull, duane] = study.compared[measure].scores
  return { intuitive: intuitive!, weibull: weibull!, duane: duane! }
}

/** In what share of windows the first beats the second. */
export function beats(one: EstimatorScore, other: EstimatorScore): number {
  return one.beats[other.name] ?? 0
}

export const literalReason =
  'Read literally, MTBU(t_i) is held against the gap that ends at t_i; the intuitive t_i / i already contains that gap, so it wins.'
