/**
 * A family of renewal laws of change: after each change a rate is sampled,
 * fast with chance `share`, slow else, and the next change comes after an
 * exponential time at that rate. Equal rates are Poisson; unequal ones are
 * bursts with unchanged time between (Weibull shapes below 1, which most real
 * pages have). Given the law, all that the past tells of the future is the
 * chance of being at the fast rate, so two numbers a law carry a posterior
 * exactly through any gap.
 */
export interface HyperexponentialLaws {
  /** How many laws. The first `changeRates.length` are Poisson, in order. */
  readonly size: number
  /** The rates, changes a second, ascending in equal ratios. */
  readonly changeRates: Float64Array
  /** Index of each law's fast and slow rate. */
  readonly fast: Int32Array
  readonly slow: Int32Array
  /** Chance that the rate sampled at a change is the fast one. */
  readonly share: Float64Array
  /** Share of the time spent at the fast rate. */
  readonly fastTime: Float64Array
  /**
   * Chance to be at the fast rate once the past is forgotten, where the rate is
   * sampled anew at each change. `fastTime` by another way: the two differ by
   * rounding, and stored likelihoods rest on this one.
   */
  readonly fastChain: Float64Array
  /** How fast the past is forgotten: the rate's own relaxation, a second; 0 where there is one rate. */
  readonly relaxation: Float64Array
  /** Changes a second in the long run. */
  readonly meanRates: Float64Array
}

const DAY = 86_400
/** From one change in 1,200 days, in steps of 2.2, to one in two minutes. */
const slowest = 1 / (1200 * DAY)
const ratio = 2.2
const rateCount = 18
/** Steps between the two rates, and chances of the fast one. */
const spreads = [2, 4, 7]
const shares = [0.35, 0.75]

/** The hundred laws that the default estimator and policy think in. */
export const hyperexponentialLaws: HyperexponentialLaws = family()

function family(): HyperexponentialLaws {
  const changeRates = Float64Array.from({ length: rateCount }, (_, j) => slowest * ratio ** j)
  const laws: { fast: number; slow: number; share: number }[] = []
  for (let j = 0; j < rateCount; j++) laws.push({ fast: j, slow: j, share: 1 })
  for (const spread of spreads)
    for (const share of shares)
      for (let j = spread; j < rateCount; j++) laws.push({ fast: j, slow: j - spread, share })
  const times = laws.map(({ fast, slow, share }) => ({
    fast: share / changeRates[fast]!,
    slow: (1 - share) / changeRates[slow]!,
  }))
  const relaxation = Float64Array.from(laws, ({ fast, slow, share }) =>
    fast === slow ? 0 : changeRates[fast]! * (1 - share) + changeRates[slow]! * share,
  )
  return {
    size: laws.length,
    changeRates,
    fast: Int32Array.from(laws, (law) => law.fast),
    slow: Int32Array.from(laws, (law) => law.slow),
    share: Float64Array.from(laws, (law) => law.share),
    fastTime: Float64Array.from(times, ({ fast, slow }) => fast / (fast + slow)),
    fastChain: Float64Array.from(laws, ({ fast, slow, share }, law) =>
      fast === slow ? 1 : (changeRates[slow]! * share) / relaxation[law]!,
    ),
    relaxation,
    meanRates: Float64Array.from(times, ({ fast, slow }) => 1 / (fast + slow)),
  }
}
