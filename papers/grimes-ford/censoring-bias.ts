/** Mean of the estimated C / Delta over the true one, for n visits at equal gaps C. */
export interface CensoringBias {
  /** C / Delta: changes expected in a gap. */
  readonly ratio: number
  readonly naive: number
  readonly biasReduced: number
}

/**
 * Exact: the number of changed gaps is binomial. Naive is changed gaps over
 * gaps; eq. 1 is -ln((unchanged + 0.5) / (n + 0.5)). O(n) a ratio.
 */
export function censoringBias({
  visits,
  ratio,
}: {
  readonly visits: number
  readonly ratio: number
}): CensoringBias {
  const chance = -Math.expm1(-ratio)
  let probability = Math.exp(-ratio * visits)
  let reduced = 0
  for (let changed = 0; changed <= visits; changed++) {
    reduced -= probability * Math.log((visits - changed + 0.5) / (visits + 0.5))
    probability *= ((visits - changed) / (changed + 1)) * (chance / (1 - chance))
  }
  return { ratio, naive: chance / ratio, biasReduced: reduced / ratio }
}
