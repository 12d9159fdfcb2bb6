import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY } from '../../src/model/units.js'
import { hyperexponentialLaws as laws } from '../../src/numeric/hyperexponential.js'
import { Random } from '../../src/numeric/random.js'
import { flatClock } from '../../src/numeric/week-clock.js'
import { autoLearner } from '../../src/planner/posterior/learner.js'
import {
  chanceOfChange,
  changeLawShape,
  openChangeLaw,
  posteriorBounds,
  posteriorRate,
} from '../../src/planner/posterior/posterior.js'
import { freshShare } from '../../src/planner/value/planned-page.js'

const learner = autoLearner({ law: openChangeLaw })
const started = (contentAge = Number.NaN) => {
  const memory = new Float64Array(learner.size)
  learner.start(memory, contentAge)
  return memory
}
const one = (law: number) => {
  const masses = new Float64Array(laws.size)
  masses[law] = 1
  return autoLearner({ law: { ...openChangeLaw, masses } })
}
/** A law of two rates whose fast one is about a day. */
const pair = laws.changeRates.findIndex((changeRate) => changeRate > 1 / DAY)
const burst = Array.from({ length: laws.size }, (_, law) => law).find(
  (law) => law >= laws.changeRates.length && laws.fast[law] === pair,
)!

describe('the memory of the default learner', () => {
  it('takes no more than 2 KB', () => {
    expect(8 * learner.size).toBeLessThanOrEqual(2048)
  })

  // Simulated: the share of pages of one law that change in the second of two gaps, given the first.
  it.each([
    [true, 0.4 * DAY],
    [false, 3 * DAY],
  ])('carries the rate through a gap exactly (changed %s)', (changed, gap) => {
    const random = new Random(5)
    const [quick, unchanged] = [
      laws.changeRates[laws.fast[burst]!]!,
      laws.changeRates[laws.slow[burst]!]!,
    ]
    let [met, again] = [0, 0]
    for (let page = 0; page < 40_000; page++) {
      const fastAtFirst = random.uniform() < 0.5 ? laws.share[burst]! : laws.fastTime[burst]!
      let changeRate = random.uniform() < fastAtFirst ? quick : unchanged
      let at = random.exponential() / changeRate
      const seen = [false, false]
      while (at < 2 * gap) {
        seen[at < gap ? 0 : 1] = true
        changeRate = random.uniform() < laws.share[burst]! ? quick : unchanged
        at += random.exponential() / changeRate
      }
      if (seen[0] !== changed) continue
      met++
      if (seen[1]) again++
    }
    const known = one(burst)
    const memory = started()
    known.learn(memory, { gap, changed, contentAge: Number.NaN })
    const chance = chanceOfChange(known.posterior(memory), gap)
    const error = Math.sqrt((chance * (1 - chance)) / met)
    expect(Math.abs(again / met - chance)).toBeLessThan(4 * error + 0.005)
  })

  // By hand: the rate as a change draws it and as the long run has it, in those shares.
  it.each([0, 0.25, 1])('meets a share of %d of the pages at their beginning', (newShare) => {
    const [quick, unchanged] = [laws.fast[burst]!, laws.slow[burst]!].map(
      (changeRate) => -Math.expm1(-laws.changeRates[changeRate]! * DAY),
    ) as [number, number]
    const fast = newShare * laws.share[burst]! + (1 - newShare) * laws.fastTime[burst]!
    const known = autoLearner({ law: { ...one(burst).law, newShare } })
    const memory = new Float64Array(known.size)
    known.start(memory, Number.NaN)
    const chance = chanceOfChange(known.posterior(memory), DAY)
    expect(chance).toBeCloseTo(fast * quick + (1 - fast) * unchanged, 12)
  })

  it('learns more from a content age than from a change alone', () => {
    const [dated, undated] = [started(), started()]
    for (let visit = 0; visit < 12; visit++) {
      learner.learn(dated, { gap: 5 * DAY, changed: true, contentAge: 0.1 * DAY })
      learner.learn(undated, { gap: 5 * DAY, changed: true, contentAge: Number.NaN })
    }
    const width = (memory: Float64Array) => {
      const { low, high } = posteriorBounds(learner.posterior(memory), 0.9)
      return high! / low
    }
    expect(width(dated)).toBeLessThan(width(undated))
    expect(posteriorRate(learner.posterior(dated))).toBeGreaterThan(1 / DAY)
  })

  it('leaves a bound open where the laws end, for no law is as fast or as slow', () => {
    const posteriorAfter = (visits: number, seen: { gap: number; changed: boolean }) => {
      const memory = started()
      for (let visit = 0; visit < visits; visit++)
        learner.learn(memory, { ...seen, contentAge: Number.NaN })
      return learner.posterior(memory)
    }
    // A page that changes every 4 seconds; the fastest law has two and a half minutes.
    const fast = posteriorAfter(36, { gap: 5, changed: true })
    const { low, high } = posteriorBounds(fast, 0.95)
    expect(high).toBeNull()
    expect(low).toBeGreaterThan(1 / 300)
    expect(low).toBeLessThan(1 / 4)
    expect(changeLawShape(fast)).toBe('changes at random')
    // One that was never seen to change in 40 years; the slowest law has 1,200 days.
    const slow = posteriorBounds(posteriorAfter(500, { gap: 30 * DAY, changed: false }), 0.95)
    expect(slow.low).toBe(0)
    expect(slow.high).toBeLessThan(1 / (100 * DAY))
    // In between both are told.
    const both = posteriorBounds(posteriorAfter(1, { gap: DAY, changed: false }), 0.5)
    expect(both.low).toBeGreaterThan(0)
    expect(both.high).toBeLessThan(1 / 300)
  })

  it('takes the age of the first copy for rest', () => {
    const rate = (contentAge: number) => posteriorRate(learner.posterior(started(contentAge)))
    expect(rate(300 * DAY)).toBeLessThan(rate(3 * DAY))
  })

  it('does not take a page for fast because it was followed when it had just changed', () => {
    const rate = (contentAge: number) => posteriorRate(learner.posterior(started(contentAge)))
    expect(rate(10) / rate(Number.NaN)).toBeLessThan(2)
  })

  it('stays a law, and every answer a number, whatever it is given', () => {
    const gap = fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 1e12, noNaN: true }))
    const step = fc.record({
      gap,
      changed: fc.boolean(),
      share: fc.option(fc.double({ min: 0, max: 2, noNaN: true })),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const memory = started()
        for (const { gap: length, changed, share } of steps)
          learner.learn(memory, {
            at: 1e9,
            gap: length,
            changed,
            contentAge: share === null ? Number.NaN : share * length,
          })
        const posterior = learner.posterior(memory)
        const total = posterior.masses.reduce((sum, each) => sum + each, 0)
        expect(total).toBeCloseTo(1, 9)
        expect(posterior.masses.every((each) => each >= 0)).toBe(true)
        const { low, high } = posteriorBounds(posterior, 0.9)
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high ?? Infinity).toBeGreaterThanOrEqual(low)
        expect(low).toBeLessThan(Infinity)
        for (const gapAhead of [0, 1, DAY, 1e12]) {
          expect(chanceOfChange(posterior, gapAhead)).toBeGreaterThanOrEqual(0)
          const stretch = { at: 0, gap: gapAhead, clock: flatClock }
          expect(freshShare(posterior, stretch)).toBeLessThanOrEqual(1)
        }
        expect(changeLawShape(posterior)).not.toMatch(/NaN|undefined|Infinity/)
      }),
      { seed: 81, numRuns: 150 },
    )
  })

  it('forgets, slowly, so that a page may become another', () => {
    const memory = started()
    for (let visit = 0; visit < 300; visit++)
      learner.learn(memory, { gap: DAY, changed: false, contentAge: Number.NaN })
    for (let visit = 0; visit < 30; visit++)
      learner.learn(memory, { gap: DAY, changed: true, contentAge: Number.NaN })
    expect(chanceOfChange(learner.posterior(memory), DAY)).toBeGreaterThan(0.8)
  })
})
