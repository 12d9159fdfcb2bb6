import { describe, expect, it } from 'vitest'
import { bestFirstGap } from '../../../src/estimators/prior/new-pages.js'
import { DAY, HOUR } from '../../../src/model/units.js'
import { Random } from '../../../src/numeric/random.js'

const lognormal = (seed: number, median = 240 * HOUR) => {
  const random = new Random(seed)
  return Float64Array.from({ length: 1000 }, () => median * Math.exp(1.3 * random.normal()))
}

describe('bestFirstGap', () => {
  const { curve, best } = bestFirstGap({ changePeriods: lognormal(61), random: new Random(62) })

  it('tries every six hours up to 25 days and gives the lowest point of the whole curve', () => {
    expect(curve.length).toBe(100)
    expect(curve[0]!.firstGap).toBe(6 * HOUR)
    expect(curve[99]!.firstGap).toBe(25 * DAY)
    for (const each of curve) expect(best.deviation).toBeLessThanOrEqual(each.deviation)
    expect(curve).toContain(best)
  })

  // Own simulation, 20 seeds: the best lies between 4.5 and 5.75 days at 94 to
  // 112 h; the ends are 2.0 to 2.3 and 2.4 to 2.9 times as high. The paper's 11 days are its own collection's.
  it('has its best inside, and clearly worse ends, as Figure 4', () => {
    expect(best.firstGap).toBeGreaterThan(4 * DAY)
    expect(best.firstGap).toBeLessThan(6.5 * DAY)
    expect(curve[0]!.deviation).toBeGreaterThan(1.8 * best.deviation)
    expect(curve[99]!.deviation).toBeGreaterThan(2.2 * best.deviation)
  })

  it('grows with the periods: twice as slow, twice the gap', () => {
    const firstGaps = curve.map((each) => 2 * each.firstGap)
    const changePeriods = lognormal(61).map((each) => 2 * each)
    const slower = bestFirstGap({ changePeriods, firstGaps, random: new Random(62) })
    expect(slower.best.firstGap).toBe(2 * best.firstGap)
    expect(slower.best.deviation).toBeCloseTo(2 * best.deviation, 6)
  })

  // By hand: one visit leaves the estimate at the first gap, changed or not, so
  // for pages that all change every 5 the deviation is |gap - 5|.
  it('with one visit is the distance from the gap itself', () => {
    const changePeriods = new Float64Array(10).fill(5)
    const result = bestFirstGap({
      changePeriods,
      firstGaps: [1, 4, 9],
      visits: 1,
      random: new Random(1),
    })
    expect(result.curve.map((each) => each.deviation)).toEqual([4, 1, 4])
    expect(result.best.firstGap).toBe(4)
  })

  it.each([{ firstGaps: [0] }, { firstGaps: [] }, { firstGaps: [1], visits: 0 }])(
    'refuses %o',
    (options) => {
      const random = new Random(1)
      expect(() => bestFirstGap({ changePeriods: [1], ...options, random })).toThrow(
        expect.objectContaining({ code: 'bad-gap' }),
      )
    },
  )
})
