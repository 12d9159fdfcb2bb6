import { describe, expect, it } from 'vitest'
import type { Posterior } from '../../src/model/policy.js'
import { DAY, HOUR, MINUTE } from '../../src/model/units.js'
import { hyperexponentialLaws as laws } from '../../src/numeric/hyperexponential.js'
import { Random } from '../../src/numeric/random.js'
import { flatClock, flatterClock, type WeekClock, weekClock } from '../../src/numeric/week-clock.js'
import { defaultChangeLaw } from '../../src/planner/prior/default-prior.js'
import { type BestGap, bestGap } from '../../src/planner/value/best-gap.js'
import { aPosterior, scaled } from '../fixtures/a-posterior.js'

const problem = { objective: 'freshness' } as const

function chosen(
  posterior: Posterior,
  { price, clock, at = 0 }: { price: number; clock: WeekClock; at?: number },
): Required<BestGap> {
  const out = { gap: 0, chance: 0, value: 0 }
  return bestGap(posterior, { at, problem: { ...problem, price, clock }, out }) as Required<BestGap>
}

/** From one law to all of them, at any rate. */
function randomPosterior(random: Random): Posterior {
  const masses: [number, number, number][] = []
  const some = 1 + Math.floor(random.uniform() ** 3 * 30)
  for (let i = 0; i < some; i++) {
    const law = Math.floor(random.uniform() * laws.size)
    const mass = random.exponential()
    const fast = laws.fast[law] === laws.slow[law] ? 1 : random.uniform()
    masses.push([law, mass * fast, mass * (1 - fast)])
  }
  return scaled(aPosterior(masses))
}

function randomClock(random: Random): WeekClock {
  const sharp = 3 * random.uniform()
  const sampled = (length: number) =>
    Array.from({ length }, () => Math.exp(sharp * random.normal()))
  const even = (speeds: number[]) => speeds.map((each) => (each * speeds.length) / sum(speeds))
  return weekClock({ weekdays: even(sampled(7)), hours: even(sampled(24)) })
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0)
}

/** Net value of a gap, by the posterior alone on the flat clock: fresh time less what the time is worth. */
function flatNet({ masses }: Posterior, { gap, timeValue }: { gap: number; timeValue: number }) {
  let fresh = 0
  for (let law = 0; law < laws.size; law++)
    for (const [mass, atRate] of [
      [masses[2 * law]!, laws.changeRates[laws.fast[law]!]!],
      [masses[2 * law + 1]!, laws.changeRates[laws.slow[law]!]!],
    ] as const)
      fresh += (mass * -Math.expm1(-atRate * gap)) / atRate
  return fresh - timeValue * gap
}

describe('the value of time', () => {
  it('is at most one fresh second a second, for any posterior, clock and price', () => {
    for (let i = 0; i < 600; i++) {
      const random = Random.stream({ seed: 31, index: i })
      const posterior = randomPosterior(random)
      const price = MINUTE * 10 ** (4 * random.uniform())
      const clock = i % 3 === 0 ? flatClock : randomClock(random)
      const { timeValue, gap } = chosen(posterior, { price, clock, at: 7 * DAY * random.uniform() })
      expect(timeValue).toBeLessThanOrEqual(1)
      expect(gap).toBeGreaterThan(0)
    }
  })

  // A gap so short that it pays no half request never wins: nothing is learned in no time.
  it('never makes a gap win that pays less than half a request', () => {
    for (let i = 0; i < 400; i++) {
      const random = Random.stream({ seed: 32, index: i })
      const any = randomPosterior(random)
      // Poisson laws only: what they are worth after a visit does not depend on its time.
      any.masses.fill(0, 2 * laws.changeRates.length)
      if (!(sum([...any.masses]) > 0)) continue
      const posterior = scaled(any)
      const price = MINUTE * 10 ** (4 * random.uniform())
      const { gap, timeValue } = chosen(posterior, { price, clock: flatClock })
      expect(flatNet(posterior, { gap, timeValue })).toBeGreaterThan(0.45 * price - 1e-6)
      expect(gap).toBeGreaterThan(0.45 * price)
    }
  })

  it('is continuous: a posterior that differs by a millionth is planned as well as before', () => {
    for (let i = 0; i < 200; i++) {
      const random = Random.stream({ seed: 33, index: i })
      const posterior = randomPosterior(random)
      const other = randomPosterior(random)
      const masses = posterior.masses.map((each, at) => each + 1e-6 * (other.masses[at]! - each))
      const near = { ...posterior, masses }
      const price = MINUTE * 10 ** (1 + 3 * random.uniform())
      const [one, two] = [posterior, near].map((each) => chosen(each, { price, clock: flatClock }))
      expect(Math.abs(one!.timeValue - two!.timeValue)).toBeLessThan(1e-4)
      const { timeValue } = one!
      const lost =
        flatNet(posterior, { gap: one!.gap, timeValue }) -
        flatNet(posterior, { gap: two!.gap, timeValue })
      // What the laws' states are worth after the visit is not in this sum; gaps that differ are near equals.
      if (one!.gap !== two!.gap) expect(Math.abs(lost)).toBeLessThan(0.6 * price)
    }
  })

  // The finding: price 0.3 h, fast 115 h, slow 28,800 h, 60% fast now. 540 minutes by the flat clock,
  // one minute in 10 of 42 hours by the shipped one.
  it('is not pushed up by a page that happens to be fast on a clock that runs fast', () => {
    const fast = nearest(1 / (115 * HOUR))
    const slow = nearest(1 / (28_800 * HOUR))
    const law = laws.fast.findIndex((each, i) => each === fast && laws.slow[i] === slow)
    expect(law).toBeGreaterThan(0)
    const posterior = aPosterior([[law, 0.6, 0.4]])
    const price = 0.3 * HOUR
    const flat = chosen(posterior, { price, clock: flatClock }).gap
    for (let hour = 0; hour < 168; hour += 4)
      for (const share of [0, 0.25, 0.5, 0.75]) {
        const clock = flatterClock(defaultChangeLaw.clock, share)
        const { gap } = chosen(posterior, { price, clock, at: hour * HOUR })
        expect(gap / flat, `hour ${hour}, ${share} flat`).toBeGreaterThan(0.3)
      }
  })
})

function nearest(changeRate: number): number {
  const apart = (each: number) => Math.abs(Math.log(each / changeRate))
  const rates = [...laws.changeRates]
  return rates.reduce((best, each, i) => (apart(each) < apart(rates[best]!) ? i : best), 0)
}
