import { describe, expect, it } from 'vitest'
import { gridPrior, hourlyGrid } from '../../../src/estimators/prior/grid-prior.js'
import { posteriorOf } from '../../../src/estimators/rate/posterior.js'
import { DAY, HOUR } from '../../../src/model/units.js'
import { historyFromGaps } from '../../contracts/estimator.js'

describe('hourlyGrid', () => {
  it('steps by the hour up to its limit', () => {
    const grid = hourlyGrid({ longest: 25 * DAY })
    expect(grid.length).toBe(600)
    expect([grid[0], grid[1], grid[599]]).toEqual([HOUR, 2 * HOUR, 25 * DAY])
    expect([...hourlyGrid({ longest: 1.1, step: 0.1 })].length).toBe(11)
  })

  it.each([
    { longest: 0 },
    { longest: HOUR, step: 0 },
    { longest: Infinity },
    { longest: Number.NaN },
  ])('refuses %o', (range) =>
    expect(() => hourlyGrid(range)).toThrow(expect.objectContaining({ code: 'bad-prior' })),
  )

  // By hand: a flat prior on 1, 2, 3 hours and one hour without change weighs
  // them e^-1, e^-1/2, e^-1/3; one hour with a change 1 minus those.
  it('carries the posterior of Grimes & Ford 4.3', () => {
    const prior = gridPrior(hourlyGrid({ longest: 3 * HOUR }), [1, 1, 1])
    const chances = [1, 2, 3].map((hours) => Math.exp(-1 / hours))
    const sum = chances[0]! + chances[1]! + chances[2]!
    const unchanged = posteriorOf(historyFromGaps([-HOUR]), prior)
    const changed = posteriorOf(historyFromGaps([HOUR]), prior)
    chances.forEach((each, i) => {
      expect(unchanged.masses[i]).toBeCloseTo(each / sum, 12)
      expect(changed.masses[i]).toBeCloseTo((1 - each) / (3 - sum), 12)
    })
  })
})
