import { describe, expect, it } from 'vitest'
import { logUniformPrior } from '../../src/estimators/prior/grid-prior.js'
import { posterior, posteriorOf } from '../../src/estimators/rate/posterior.js'
import {
  type Forecaster,
  posteriorForecaster,
  widePosteriorForecaster,
} from '../../src/lab/evaluate/forecasters.js'
import { DAY } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { rateEstimator } from '../../src/planner/registry.js'
import { historyFromGaps } from '../contracts/estimator.js'

const random = new Random(5)
const logs = [1, 2, 7, 40].map((length) =>
  Array.from({ length }, () => (random.uniform() < 0.3 ? DAY : -DAY)),
)

function chanceAfter(forecaster: Forecaster, gaps: readonly number[]): number {
  const memory = new Float64Array(forecaster.size).fill(9)
  forecaster.start(memory, Number.NaN)
  for (const gap of gaps)
    forecaster.learn(memory, { gap: DAY, changed: gap > 0, contentAge: Number.NaN })
  return forecaster.chance(memory, { at: 0, gap: DAY })
}

describe('forecasters by counts', () => {
  it.each(logs)('give what the estimator posterior gives for the same visits', (...gaps) => {
    const { changeRate } = posterior.estimate(historyFromGaps(gaps))
    const chance = chanceAfter(widePosteriorForecaster(DAY), gaps)
    expect(chance).toBeCloseTo(-Math.expm1(-DAY * changeRate!), 9)
  })

  it.each(logs)('average the chance over the posterior of a prior', (...gaps) => {
    const prior = logUniformPrior({ shortest: DAY / 10, longest: 100 * DAY, nodes: 31 })
    const { periods, masses } = posteriorOf(historyFromGaps(gaps), prior)
    let wanted = 0
    periods.forEach((period, i) => {
      wanted -= masses[i]! * Math.expm1(-DAY / period)
    })
    expect(chanceAfter(posteriorForecaster(prior, DAY), gaps)).toBeCloseTo(wanted, 9)
  })

  it('know nothing before the first gap but their prior', () => {
    expect(chanceAfter(widePosteriorForecaster(DAY), [])).toBe(0.5)
    expect(rateEstimator('posterior').estimate(historyFromGaps([])).changeRate).toBeNull()
  })
})
