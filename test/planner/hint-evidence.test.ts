import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Claim, WeighedHint } from '../../src/model/hint.js'
import type { Posterior } from '../../src/model/policy.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { hyperexponentialLaws as laws } from '../../src/numeric/hyperexponential.js'
import { autoLearner } from '../../src/planner/posterior/learner.js'
import { chanceOfChange, posteriorRate } from '../../src/planner/posterior/posterior.js'
import { massWhere } from '../fixtures/a-posterior.js'

const learner = autoLearner()
const every = (period: number): Claim => ({
  says: 'declared',
  declared: { kind: 'periodic', period },
})
const hint = (claim: Claim, reliability: number): WeighedHint => ({
  kind: 'meta',
  claim,
  reportedAt: 1e9,
  reliability,
  trusted: true,
  tally: { predicted: 9, right: 8, changed: 4, lead: 2 },
})
/** A page just seen, or after daily visits with these finds. */
function memoryAfter(finds: readonly boolean[] = [], gap = DAY): Float64Array {
  const memory = new Float64Array(learner.size)
  learner.start(memory, Number.NaN)
  for (const changed of finds) learner.learn(memory, { gap, changed, contentAge: Number.NaN })
  return memory
}
const period = (posterior: Posterior) => 1 / posteriorRate(posterior)
/** Mass of the laws whose mean change period lies within a factor of two of a period. */
const near = (posterior: Posterior, wanted: number) =>
  massWhere(
    posterior,
    [...laws.meanRates.keys()].filter(
      (law) => Math.abs(Math.log(laws.meanRates[law]! * wanted)) < Math.LN2,
    ),
  )

describe('a declared period as evidence', () => {
  it('leaves the memory at 205 numbers, and does not touch it', () => {
    const memory = memoryAfter([true, false])
    const before = memory.slice()
    learner.adjusted(memory, [hint(every(DAY), 0.99)])
    expect(memory).toEqual(before)
    expect(8 * learner.size).toBe(1640)
  })

  it('sharpens what is thought of a new page', () => {
    const memory = memoryAfter()
    for (const reported of [6 * HOUR, 3 * DAY, 30 * DAY]) {
      const plain = near(learner.posterior(memory), reported)
      const adjusted = near(learner.adjusted(memory, [hint(every(reported), 0.8)])!, reported)
      expect(adjusted, String(reported)).toBeGreaterThan(2 * plain)
    }
  })

  it('says nothing where it is not trusted', () => {
    const uncertain = { ...hint(every(DAY), 0.99), trusted: false }
    expect(learner.adjusted(memoryAfter([true]), [uncertain])).toBeNull()
  })

  it('says nothing at a reliability of one half and below', () => {
    const memory = memoryAfter([true])
    for (const reliability of [0, 0.2, 0.5])
      expect(learner.adjusted(memory, [hint(every(DAY), reliability)])).toBeNull()
    expect(learner.adjusted(memory, [])).toBeNull()
    const date: Claim = { says: 'changed-at', at: 1e9 }
    expect(learner.adjusted(memory, [hint(date, 0.99)])).toBeNull()
  })

  it('is overruled by a few visits that tell otherwise', () => {
    // Said to change every hour; ten daily visits in a row saw nothing.
    const unchanged = memoryAfter(Array.from({ length: 10 }, () => false))
    const adjusted = learner.adjusted(unchanged, [hint(every(HOUR), 0.99)])!
    expect(period(adjusted)).toBeGreaterThan(10 * DAY)
    // Said never to change; four daily visits in a row saw a change.
    const busy = memoryAfter([true, true, true, true])
    const still: Claim = { says: 'declared', declared: { kind: 'static' } }
    expect(period(learner.adjusted(busy, [hint(still, 0.99)])!)).toBeLessThan(3 * DAY)
  })

  it('lets STATIC stand for any long period', () => {
    const still: Claim = { says: 'declared', declared: { kind: 'static' } }
    const memory = memoryAfter()
    const chance = (posterior: Posterior) => chanceOfChange(posterior, 30 * DAY)
    const adjusted = learner.adjusted(memory, [hint(still, 0.9)])!
    expect(chance(adjusted)).toBeLessThan(0.5 * chance(learner.posterior(memory)))
  })

  const finds = fc.array(fc.boolean(), { maxLength: 12 })
  const positive = fc.double({ min: 1e-300, max: 1e300, noNaN: true })
  const share = fc.double({ min: 0, max: 1, noNaN: true })

  it('is a posterior for any finite hint', () => {
    fc.assert(
      fc.property(finds, positive, share, fc.boolean(), (seen, printed, reliability, isStatic) => {
        const declared: Claim = isStatic
          ? { says: 'declared', declared: { kind: 'static' } }
          : every(printed)
        const adjusted = learner.adjusted(memoryAfter(seen), [hint(declared, reliability)])
        if (reliability <= 0.5) expect(adjusted).toBeNull()
        if (adjusted === null) return
        const { masses, ...rest } = adjusted
        expect(masses.every((each) => each >= 0 && each <= 1 + 1e-9)).toBe(true)
        expect(masses.reduce((a, b) => a + b)).toBeCloseTo(1, 9)
        expect(Object.values(rest).every(Number.isFinite)).toBe(true)
      }),
      { seed: 1, numRuns: 300 },
    )
  })

  it('draws the more to what is said the more reliable it is', () => {
    const usual = fc.double({ min: HOUR, max: 300 * DAY, noNaN: true })
    fc.assert(
      fc.property(finds, usual, share, share, (seen, printed, one, other) => {
        const memory = memoryAfter(seen)
        const at = (reliability: number) => {
          const adjusted = learner.adjusted(memory, [hint(every(printed), reliability)])
          return near(adjusted ?? learner.posterior(memory), printed)
        }
        const [less, more] = [Math.min(one, other), Math.max(one, other)]
        // Laws within a factor of two fit the word better than any beyond it.
        expect(at(more)).toBeGreaterThanOrEqual(at(less) - 1e-12)
      }),
      { seed: 2, numRuns: 300 },
    )
  })
})
