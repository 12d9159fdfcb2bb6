import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { flatClock } from '../../src/numeric/week-clock.js'
import { defaultChangeLaw } from '../../src/planner/prior/default-prior.js'
import { fitAutoPrior } from '../../src/planner/prior/fit-prior.js'
import { priorSummary } from '../../src/planner/prior/prior.js'
import { memorylessPages } from '../fixtures/memoryless-pages.js'

/** As `revisit prior fit` does: towards the shipped masses, and no rhythm. */
const fittedOn = (pages: ReturnType<typeof memorylessPages>) =>
  fitAutoPrior(pages, { towards: { ...defaultChangeLaw, clock: flatClock }, shipped: true })

// The whole size, 89,000 comparisons, is in fit-memoryless.slow.test.ts.
describe('a prior fitted on pages that change at random', () => {
  it.each([
    [48 * HOUR, DAY],
    [2 * HOUR, 6 * HOUR],
    [33 * HOUR, DAY],
  ])('of period %s, visited every %s or so, has that period and no rhythm', (period, gap) => {
    const prior = fittedOn(memorylessPages({ period, gap, pages: 60, visits: 100, seed: 5 }))
    const { medianPeriod, steadyShare, weekdays } = priorSummary(prior.whole)
    expect(Math.abs(medianPeriod / period - 1)).toBeLessThan(0.15)
    expect(steadyShare).toBeGreaterThan(0.9)
    expect(weekdays.every(({ speed }) => speed === 1)).toBe(true)
    expect(prior.whole.evidence!.weekdays).toHaveLength(7)
    for (const { low, high } of prior.whole.evidence!.weekdays) {
      expect(low).toBeLessThan(1)
      expect(high).toBeGreaterThan(1)
    }
    // 2% of the pages, as FitPriorOptions says.
    expect(prior.whole.shipped).toEqual({ pages: 1.2, share: 1.2 / 61.2 })
  })

  it('has the rhythm that there is: nothing on Saturdays and Sundays', () => {
    const random = new Random(8)
    const isWorkday = (at: number) => (Math.floor(at / DAY + 4) % 7) % 6 !== 0
    const pages = Array.from({ length: 40 }, (_, page) => {
      let at = 1_700_000_000 + page * HOUR
      const start = { at }
      const observations = Array.from({ length: 100 }, () => {
        const gap = (6 + 12 * random.uniform()) * HOUR
        let busy = 0
        for (let each = at; each < at + gap; each += HOUR) if (isWorkday(each)) busy += HOUR
        at += gap
        return { at, gap, changed: random.uniform() < -Math.expm1(-busy / DAY) }
      })
      return { group: `h${page % 4}.example`, history: { start, observations } }
    })
    const { whole } = fittedOn(pages)
    expect(whole.evidence!.weekdayChance).toBeLessThan(1e-6)
    const speeds = Object.fromEntries(
      priorSummary(whole).weekdays.map(({ name, speed }) => [name, speed]),
    )
    for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'])
      expect(speeds[day]).toBeGreaterThan(0.9)
    for (const day of ['Saturday', 'Sunday']) expect(speeds[day]).toBeLessThan(0.1)
  })
})
