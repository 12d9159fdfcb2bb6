import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { m6 } from '../../../src/estimators/law/m6.js'
import { logUniformPrior } from '../../../src/estimators/prior/grid-prior.js'
import { irregularMle } from '../../../src/estimators/rate/irregular-mle.js'
import { posteriorWith } from '../../../src/estimators/rate/posterior.js'
import { updatePoints } from '../../../src/estimators/trend/update-points.js'
import { type History, splitUnchanged, withUnchangedFor } from '../../../src/model/history.js'
import { DAY, HOUR } from '../../../src/model/units.js'
import { Random } from '../../../src/numeric/random.js'
import { rateEstimators } from '../../../src/planner/registry.js'
import { histories } from '../../contracts/estimator.js'

const gapOnly = rateEstimators.filter(({ name }) => name !== 'auto')

/** Some histories with unchanged beginnings where they can be. */
const unchangedHistories = fc
  .tuple(histories({ maxLength: 20 }), fc.array(fc.double({ min: 0, max: 1, noNaN: true })))
  .map(
    ([{ start, observations }, shares]): History => ({
      start,
      observations: observations.map((seen, i) =>
        withUnchangedFor(seen, (shares[i] ?? 0) * seen.gap),
      ),
    }),
  )

/** A page that changes every ten days at random, visited when a look at its list, twice a day, tells so. */
function visitedOnSignal(changes: number): History {
  const random = new Random(7)
  const every = 12 * HOUR
  let at = 0
  const observations = Array.from({ length: changes }, () => {
    const wait = 10 * DAY * random.exponential()
    const gap = every * Math.ceil(wait / every)
    at += gap
    return withUnchangedFor({ at, gap, changed: true }, gap - every)
  })
  return { start: { at: 0 }, observations }
}

describe('estimators on gaps with a unchanged beginning', () => {
  it.each(gapOnly)('$name takes such a gap for two, and counts visits that were made', (each) => {
    const property = fc.property(unchangedHistories, (history) => {
      const split = splitUnchanged(history)
      const { evidence, ...estimate } = each.estimate(history)
      const { evidence: parts, ...expected } = each.estimate(split)
      expect(estimate).toEqual(expected)
      expect(evidence.visits).toBe(1 + history.observations.length)
      expect(evidence.changes).toBe(parts.changes)
      expect(evidence.unchangedTime / (parts.unchangedTime || 1)).toBeCloseTo(
        parts.unchangedTime > 0 ? 1 : 0,
        9,
      )
    })
    fc.assert(property, { seed: 2, numRuns: 60 })
  })

  it.each(rateEstimators)('$name never gives a number that is none', (each) => {
    const property = fc.property(unchangedHistories, (history) => {
      const { changeRate, changePeriod, bounds } = each.estimate(history)
      for (const value of [changeRate, changePeriod, bounds?.low, bounds?.high])
        expect(value == null || (Number.isFinite(value) && value >= 0)).toBe(true)
    })
    fc.assert(property, { seed: 3, numRuns: 60 })
  })

  it.each(['intuitive', 'detection-gap', 'irregular-mle', 'posterior', 'online', 'auto'])(
    '%s finds the period of a page that was visited only on news',
    (name) => {
      const { changePeriod, verdict } = rateEstimators
        .find((each) => each.name === name)!
        .estimate(visitedOnSignal(60))
      expect(changePeriod! / DAY).toBeGreaterThan(6)
      expect(changePeriod! / DAY).toBeLessThan(16)
      expect(verdict).toBe('ok')
    },
  )

  it('is what made such a page look several times as fast', () => {
    const { start, observations } = visitedOnSignal(60)
    const bare = observations.map(({ unchangedFor: _, ...seen }) => seen)
    const { changePeriod, verdict } = irregularMle.estimate({ start, observations: bare })
    expect(verdict).toBe('always-changed')
    expect(changePeriod).toBeLessThan(DAY)
  })

  it('goes into priors, distributions and update points alike', () => {
    const history = visitedOnSignal(60)
    const split = splitUnchanged(history)
    const prior = logUniformPrior({ shortest: HOUR, longest: 1000 * DAY })
    const { changeRate } = posteriorWith({ prior }).estimate(history)
    expect(changeRate).toBe(posteriorWith({ prior }).estimate(split).changeRate)
    expect(m6.estimate(history)).toEqual(m6.estimate(split))
    const [point] = updatePoints(history).points
    expect(point!.seenAt - point!.at).toBe(6 * HOUR)
  })
})
