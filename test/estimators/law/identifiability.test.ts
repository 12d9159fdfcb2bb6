import { describe, expect, it } from 'vitest'
import { pageLaw } from '../../../src/estimators/law/page-law.js'
import { DAY, HOUR } from '../../../src/model/units.js'
import { Random } from '../../../src/numeric/random.js'
import { type Draw, renewalHistory } from './renewal.js'

const lawOf = (gap: Draw, { ages = false, update = daysAndAHalf } = {}) => {
  const { start, observations } = renewalHistory({
    random: new Random(8),
    update,
    gap,
    visits: 400,
    warmUp: 100 * DAY,
  })
  return pageLaw(
    ages
      ? { start, observations }
      : {
          start: { at: 0 },
          observations: observations.map(({ contentAge: _, ...seen }) => seen),
        },
  )
}
const daysAndAHalf: Draw = (random) => 1.5 * DAY * random.exponential()

describe('pageLaw', () => {
  it('withholds the law of update gaps at equal gaps, and says what to do', () => {
    const { identifiable, updateGaps, contentAges } = lawOf(() => DAY)
    expect(identifiable).toMatchObject({
      kind: 'not-identifiable',
      why: 'equal-gaps',
      words: 'not identifiable at equal gaps of 1 day: vary the gaps',
    })
    expect(updateGaps).toMatchObject({ kind: 'none', why: 'not-identifiable' })
    // What is known is the age distribution at multiples of the gap: 1 - e^(-2/3) = .487.
    if (contentAges.kind === 'none') throw new Error(contentAges.verdict)
    expect(contentAges.curve.x[0]).toBeCloseTo(DAY, 3)
    expect(Math.abs(contentAges.curve.cdf[0]! - 0.487)).toBeLessThan(0.08)
  })

  it('withholds it where gaps are only shaken a little', () => {
    const { identifiable, updateGaps } = lawOf((random) => DAY * (0.75 + random.uniform() / 2))
    expect(identifiable).toMatchObject({ kind: 'not-identifiable', why: 'no-short-gaps' })
    expect(updateGaps.kind).toBe('none')
  })

  it.each([
    ['exponential', (random: Random) => DAY * random.exponential()],
    ['uniform', (random: Random) => 2 * DAY * random.positive()],
  ])('tells it at %s gaps', (_, gap) => {
    const { identifiable, updateGaps } = lawOf(gap)
    expect(identifiable.kind).toBe('identifiable')
    expect(updateGaps.kind).toBe('law')
  })

  it('tells it at equal gaps where the server tells content ages', () => {
    const { identifiable, method, updateGaps } = lawOf(() => DAY, { ages: true })
    expect(method.name).toBe('m2')
    expect(identifiable.kind).toBe('identifiable')
    expect(updateGaps.kind).toBe('law')
  })

  it('does not take content ages at one phase of the visits for the age distribution', () => {
    // Every two days at noon, seen daily: the ages are 12 and 36 hours, whatever the truth.
    const { method, identifiable, contentAges } = lawOf(() => DAY, {
      ages: true,
      update: () => 2 * DAY,
    })
    expect(method.name).toBe('m6')
    expect(identifiable).toMatchObject({ kind: 'not-identifiable', why: 'equal-gaps' })
    expect(contentAges.kind).toBe('curve')
  })

  it('names the gap as a person does', () => {
    const { identifiable } = lawOf(() => 6 * HOUR)
    expect(identifiable).toMatchObject({
      words: 'not identifiable at equal gaps of 6 hours: vary the gaps',
    })
  })
})
