import { describe, expect, it } from 'vitest'
import { catalogue } from '../../../src/lab/demo-web/catalogue.js'
import { lawKinds } from '../../../src/lab/demo-web/change-laws.js'
import { demoOrigin } from '../../../src/lab/demo-web/demo-web.js'
import { LivePage } from '../../../src/lab/demo-web/live-site.js'
import { DAY, HOUR, WEEK, YEAR } from '../../../src/model/units.js'

const seeds = [1, 2, 3]
const origin = demoOrigin
const plansOf = (seed: number, pages = 150) => catalogue({ seed, pages, origin }).flat()

/** Each page of a kind with its changes in the first 200 days. */
function walked(kind: keyof typeof lawKinds, days = 200) {
  const end = origin + days * DAY
  return plansOf(1)
    .filter(({ law }) => law.kind === kind)
    .map((plan) => {
      const { log } = new LivePage({ plan, seed: 1, origin })
      return { plan, log, times: log.between({ from: origin, to: end }), end }
    })
}

describe('the plan of the demo', () => {
  it.each(seeds)('seed %i: has every law, access and telling, from an hour to a year', (seed) => {
    const plans = plansOf(seed)
    expect(plans).toHaveLength(150)
    const counts = (of: (plan: (typeof plans)[number]) => string) =>
      plans.reduce((all, plan) => all.set(of(plan), (all.get(of(plan)) ?? 0) + 1), new Map())
    const laws = counts(({ law }) => law.kind)
    expect([...laws.keys()].sort()).toEqual(Object.keys(lawKinds).sort())
    expect(laws.get('steady')).toBeGreaterThanOrEqual(50)
    for (const count of laws.values()) expect(count).toBeGreaterThanOrEqual(8)
    const access = counts(({ access }) => access.kind)
    expect(access.size).toBe(7)
    for (const count of access.values()) expect(count).toBeGreaterThanOrEqual(3)
    expect(counts(({ telling }) => telling.words).size).toBe(9)
    const periods = plans.map(({ law }) => law.changePeriodAt(origin))
    expect(Math.min(...periods)).toBeGreaterThanOrEqual(HOUR)
    expect(Math.min(...periods)).toBeLessThan(2 * HOUR)
    expect(Math.max(...periods)).toBeLessThanOrEqual(YEAR)
    expect(Math.max(...periods)).toBeGreaterThan(YEAR / 2)
  })

  it('has an address of its own for every page, whatever the number', () => {
    for (const pages of [10, 11, 150, 2000]) {
      const sites = catalogue({ seed: 4, pages, origin })
      expect(sites.flat()).toHaveLength(pages)
      for (const site of sites) {
        expect(site[0]!.path).toBe('/')
        expect(new Set(site.map(({ path }) => path)).size).toBe(site.length)
      }
    }
  })

  it('refuses seeds and numbers that cannot be', () => {
    for (const seed of [0.5, Number.NaN, Infinity]) expect(() => plansOf(seed)).toThrow(/seed/)
    for (const pages of [0, 9, 10.5, 10_001, Number.NaN])
      expect(() => plansOf(1, pages)).toThrow(/from 10 to 10000/)
  })
})

describe('the laws', () => {
  // Changes of Poisson pages add up to a Poisson number: within 4 of its standard deviations.
  it('steady pages change as often as the truth says', () => {
    const pages = walked('steady')
    const seen = pages.reduce((sum, { times }) => sum + times.length, 0)
    const due = pages.reduce((sum, { plan }) => sum + (200 * DAY) / plan.law.changePeriodAt(0), 0)
    expect(due).toBeGreaterThan(5000)
    expect(Math.abs(seen - due)).toBeLessThan(4 * Math.sqrt(due))
  })

  // Exponential gaps have a squared coefficient of variation of 1; Weibull of shape 0.6 has 3.09
  // (SciPy), the two kinds of gaps 2 (0.8 x 0.01 + 0.2 x 21.16) - 1 = 7.48 (by hand).
  it('bursty pages have gaps that vary far more than at random', () => {
    const fast = walked('bursty').filter(({ times }) => times.length > 300)
    expect(fast.length).toBeGreaterThan(3)
    for (const { times } of fast) {
      const gaps = times.slice(1).map((time, i) => time - times[i]!)
      const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
      const spread = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length
      expect(spread / mean ** 2).toBeGreaterThan(1.5)
    }
  })

  it('daily pages change at the same hour', () => {
    for (const { times } of walked('daily')) {
      expect(times.length).toBeGreaterThan(20)
      for (const time of times) expect((time - times[0]!) % DAY).toBeCloseTo(0, 3)
    }
  })

  // By hand: 50 working hours of weight 1 beside 118 others of weight 0.1 see 80.9% of the changes.
  it('pages of working hours change in working hours', () => {
    const times = walked('working-hours').flatMap((page) => page.times)
    const monday = 4 * DAY
    const working = times.filter((time) => {
      const sinceMonday = (time - monday) % WEEK
      const hour = (sinceMonday % DAY) / HOUR
      return sinceMonday < 5 * DAY && hour >= 8 && hour < 18
    })
    expect(times.length).toBeGreaterThan(1000)
    expect(working.length / times.length).toBeCloseTo(0.809, 1)
  })

  // The true period is the inverse of the true rate: its integral over a stretch is the number due.
  it('trending pages follow their own true period', () => {
    for (const { plan, times, end, log } of walked('trending')) {
      const steps = 4000
      let due = 0
      for (let i = 0; i < steps; i++)
        due +=
          (end - origin) /
          steps /
          plan.law.changePeriodAt(origin + ((i + 0.5) / steps) * (end - origin))
      expect(Math.abs(times.length - due)).toBeLessThan(4 * Math.sqrt(due) + 1)
      expect(log.versionAt(end)).toBe(times.length)
    }
    const words = walked('trending').map(({ plan }) => plan.law.words)
    for (const turn of [/ever faster/, / ever slower/, /; after \d/])
      expect(words.some((each) => turn.test(each))).toBe(true)
  })

  it('pages that change almost never hardly change', () => {
    const counts = walked('rarely').map(({ times }) => times.length)
    expect(Math.max(...counts)).toBeLessThan(6)
  })
})
