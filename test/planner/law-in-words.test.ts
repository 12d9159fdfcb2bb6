import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { humanDuration } from '../../src/model/duration.js'
import type { Posterior } from '../../src/model/policy.js'
import { DAY } from '../../src/model/units.js'
import { hyperexponentialLaws as laws } from '../../src/numeric/hyperexponential.js'
import { autoLearner } from '../../src/planner/posterior/learner.js'
import {
  changeLawShape,
  openChangeLaw,
  posteriorPeriods,
} from '../../src/planner/posterior/posterior.js'
import { aPosterior, scaled } from '../fixtures/a-posterior.js'

const learner = autoLearner({ law: openChangeLaw })

function posteriorAfter(seen: readonly { readonly gap: number; readonly changed: boolean }[]) {
  const memory = new Float64Array(learner.size)
  learner.start(memory, Number.NaN)
  for (const each of seen) learner.learn(memory, { ...each, contentAge: Number.NaN })
  return learner.posterior(memory)
}

/** The posterior in some laws alone, by what each weighs. */
function posteriorIn(weights: ReadonlyMap<number, number>): Posterior {
  return scaled(aPosterior(weights))
}

function ordered(posterior: Posterior): void {
  const { burst, inAll, slowPeriod } = posteriorPeriods(posterior)
  expect(burst).toBeLessThanOrEqual(inAll * (1 + 1e-9))
  expect(inAll).toBeLessThanOrEqual(slowPeriod * (1 + 1e-9))
  const words = changeLawShape(posterior)
  if (words.startsWith('changes in bursts'))
    expect(words).toBe(
      `changes in bursts: every ${humanDuration(burst)} at times, then unchanged for ${humanDuration(slowPeriod)}`,
    )
}

describe('what is known of a page, in words', () => {
  const gap = fc.double({ min: 60, max: 400 * DAY, noNaN: true })
  const visit = fc.record({ gap, changed: fc.boolean() })

  it('never has it change in all more often than in bursts, or less often than when slow', () => {
    fc.assert(
      fc.property(fc.array(visit, { maxLength: 30 }), (seen) => ordered(posteriorAfter(seen))),
      { seed: 12, numRuns: 200 },
    )
    const law = fc.integer({ min: 0, max: laws.size - 1 })
    const weighed = fc.tuple(law, fc.double({ min: 0.01, max: 1, noNaN: true }))
    fc.assert(
      fc.property(fc.array(weighed, { minLength: 1, maxLength: 6 }), (weights) =>
        ordered(posteriorIn(new Map(weights))),
      ),
      { seed: 13, numRuns: 300 },
    )
  })

  // The most likely law was shown beside the mean of all: 0.4 of a slow one, 0.3 each of two fast ones.
  it('gives rates and their mean of the same posterior, where the most likely law is not typical', () => {
    const bursts = Array.from({ length: laws.size }, (_, each) => each).slice(
      laws.changeRates.length,
    )
    const withFast = (changeRate: number) => bursts.find((each) => laws.fast[each] === changeRate)!
    const posterior = posteriorIn(
      new Map([
        [withFast(3), 0.4],
        [withFast(14), 0.3],
        [withFast(15), 0.3],
      ]),
    )
    expect(1 / laws.changeRates[3]!).toBeGreaterThan(posteriorPeriods(posterior).inAll)
    ordered(posterior)
  })

  it('gives the rates of the law itself where only one is possible', () => {
    const one = laws.size - 1
    const { burst, inAll, slowPeriod } = posteriorPeriods(posteriorIn(new Map([[one, 1]])))
    expect(burst * laws.changeRates[laws.fast[one]!]!).toBeCloseTo(1, 9)
    expect(slowPeriod * laws.changeRates[laws.slow[one]!]!).toBeCloseTo(1, 9)
    expect(inAll * laws.meanRates[one]!).toBeCloseTo(1, 9)
  })
})
