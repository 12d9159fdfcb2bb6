import { describe, expect, it } from 'vitest'
import { logUniformPrior } from '../../../src/estimators/prior/grid-prior.js'
import { irregularMleWith } from '../../../src/estimators/rate/irregular-mle.js'
import { onlineWith } from '../../../src/estimators/rate/online.js'
import { posteriorWith } from '../../../src/estimators/rate/posterior.js'
import { howOften, shownEstimate } from '../../../src/model/estimate.js'
import type { History } from '../../../src/model/history.js'
import { Random } from '../../../src/numeric/random.js'
import { autoWith } from '../../../src/planner/posterior/learner.js'
import { defaultChangeLaw } from '../../../src/planner/prior/default-prior.js'
import { rateEstimators } from '../../../src/planner/registry.js'

const prior = logUniformPrior({ shortest: 1, longest: 1e9 })
const estimators = [
  ...rateEstimators,
  autoWith({ law: defaultChangeLaw }),
  irregularMleWith({ pseudoGaps: { changed: 86_400, unchanged: 864_000 } }),
  onlineWith({ form: 'law-of-large-numbers' }),
  onlineWith({ form: 'stochastic-approximation' }),
  posteriorWith({ prior }),
  posteriorWith({ prior, summary: 'mean' }),
  posteriorWith({ prior, summary: 'mean', of: 'rate' }),
]

/** A log of any length, gaps and chance of change, with Last-Modified or without. */
function anyHistory(random: Random): History {
  const gap = 10 ** (7 * random.uniform())
  const even = random.uniform() < 0.3
  const chance = [0, 1, random.uniform()][Math.floor(3 * random.uniform())]!
  const dated = random.uniform() < 0.4
  const visits = Math.floor(random.uniform() < 0.5 ? 4 * random.uniform() : 60 * random.uniform())
  let at = 1.7e9
  const observations = Array.from({ length: visits }, () => {
    const mine = even ? gap : gap * random.exponential() + 1e-3
    const changed = random.uniform() < chance
    at += mine
    const contentAge = changed ? mine * random.uniform() : gap
    return { at, gap: mine, changed, ...(dated ? { contentAge } : {}) }
  })
  return { start: { at: 1.7e9, ...(dated ? { contentAge: gap } : {}) }, observations }
}

describe('an estimate that is shown', () => {
  it.each(estimators.map((estimator) => [estimator.name, estimator] as const))(
    '%s: lies within its own bounds',
    (_, estimator) => {
      const random = new Random(17)
      for (let i = 0; i < 400; i++) {
        const history = anyHistory(random)
        const level = [0.5, 0.95, 0.999][i % 3]!
        const { changeRate, changePeriod, bounds, verdict, group } = shownEstimate(
          estimator.estimate(history, { level }),
        )
        const about = `log ${i}: ${changeRate} in ${JSON.stringify(bounds)}, ${verdict}`
        if (verdict === 'always-changed' || verdict === 'prior-only') {
          expect(changeRate, about).toBeNull()
          expect(changePeriod, about).toBeNull()
        }
        expect(group !== undefined, about).toBe(verdict === 'prior-only')
        if (changeRate === null || bounds === null) continue
        expect(changeRate, about).toBeGreaterThanOrEqual(bounds.low * (1 - 1e-9))
        expect(changeRate, about).toBeLessThanOrEqual((bounds.high ?? Infinity) * (1 + 1e-9))
        if (changePeriod !== null && changeRate > 0)
          expect(changePeriod * changeRate, about).toBeCloseTo(1, 6)
      }
    },
  )

  it('has no number where every visit found a change: it was twice as slow as its bounds let it be', () => {
    const observations = Array.from({ length: 8 }, (_, i) => ({
      at: 1.7e9 + 60 * (i + 1),
      gap: 60,
      changed: true,
    }))
    const mle = rateEstimators.find(({ name }) => name === 'irregular-mle')!
    const estimate = mle.estimate({ start: { at: 1.7e9 }, observations })
    // The papers' stand-in, and the likelihood's bounds.
    expect(estimate.changePeriod).toBe(60)
    expect(1 / estimate.bounds!.low).toBeLessThan(60)
    const shown = shownEstimate(estimate)
    expect(shown).toMatchObject({ changeRate: null, changePeriod: null, bounds: estimate.bounds })
    expect(howOften(shown)).toBe('at every visit')
  })
})
