import { describe, expect, it } from 'vitest'
import { logUniformPrior } from '../../../src/estimators/prior/grid-prior.js'
import { irregularMleWith } from '../../../src/estimators/rate/irregular-mle.js'
import { onlineWith } from '../../../src/estimators/rate/online.js'
import { posteriorWith } from '../../../src/estimators/rate/posterior.js'
import { DAY } from '../../../src/model/units.js'
import { auto } from '../../../src/planner/posterior/learner.js'
import { rateEstimator, rateEstimators } from '../../../src/planner/registry.js'
import { describeEstimator, historyFromGaps } from '../../contracts/estimator.js'

for (const estimator of rateEstimators) {
  if (estimator !== auto) describeEstimator(estimator)
}
describeEstimator(auto, {
  unitOfItsOwn: 'its laws are of real pages, in seconds, on a clock of the week',
})
describeEstimator(onlineWith({ form: 'law-of-large-numbers' }))
describeEstimator(onlineWith({ form: 'stochastic-approximation' }))

describe('rateEstimator', () => {
  it('finds each by its name, and lists them all for an unknown one', () => {
    for (const each of rateEstimators) expect(rateEstimator(each.name)).toBe(each)
    expect(() => rateEstimator('crystal-ball')).toThrow(
      /no method "crystal-ball".*intuitive.*posterior/,
    )
  })
})

describe('estimators with a prior', () => {
  const prior = logUniformPrior({ shortest: DAY / 24, longest: 1000 * DAY })
  const withGaps = irregularMleWith({ pseudoGaps: { changed: 10 * DAY, unchanged: 5 * DAY } })

  it.each([posteriorWith({ prior }), withGaps])(
    '$name answers before the first observation',
    (estimator) => {
      const { verdict, changePeriod } = estimator.estimate(historyFromGaps([]))
      expect(verdict).toBe('prior-only')
      expect(changePeriod).toBeGreaterThan(DAY / 24)
    },
  )

  it.each([posteriorWith({ prior }), withGaps])(
    '$name moves the right way with each kind of news',
    (estimator) => {
      const rates = [
        [DAY, DAY, DAY],
        [DAY, -DAY, DAY],
        [-DAY, -DAY, -DAY],
      ].map((gaps) => estimator.estimate(historyFromGaps(gaps)).changeRate!)
      expect(rates).toEqual([...rates].sort((a, b) => b - a))
    },
  )
})
