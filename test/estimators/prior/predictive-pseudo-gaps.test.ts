import { describe, expect, it } from 'vitest'
import {
  EqualGapTally,
  predictivePseudoGaps,
} from '../../../src/estimators/prior/predictive-pseudo-gaps.js'
import { irregularMleLearner } from '../../../src/estimators/rate/irregular-mle.js'
import { Random } from '../../../src/numeric/random.js'

/** Logs of Poisson pages, each with a period of its own, seen at equal gaps of 1. */
function logs(pages: number, periodOf: (random: Random) => number, seed: number): boolean[][] {
  const random = new Random(seed)
  return Array.from({ length: pages }, () => {
    const chance = -Math.expm1(-1 / periodOf(random))
    return Array.from({ length: 20 }, () => random.uniform() < chance)
  })
}

function tallyOf(pages: readonly boolean[][], gap = 1): EqualGapTally {
  const tally = new EqualGapTally({ gap, most: 20 })
  for (const page of pages) tally.page(page)
  return tally
}

/** Mean log loss of forecasts by a learner, visit by visit: the definition, without the tally. */
function lossOf(pages: readonly boolean[][], pseudoGaps: { changed: number; unchanged: number }) {
  const learner = irregularMleLearner({ pseudoGaps })
  const memory = new Float64Array(learner.size)
  let [loss, gaps] = [0, 0]
  for (const page of pages) {
    learner.start(memory, Number.NaN)
    for (const changed of page) {
      const x = 1 / learner.changePeriod(memory)
      loss += changed ? -Math.log(-Math.expm1(-x)) : x
      gaps++
      learner.learn(memory, { gap: 1, changed, contentAge: Number.NaN })
    }
  }
  return loss / gaps
}

const wide = (random: Random) => 30 * Math.exp(2 * random.normal())

describe('predictivePseudoGaps', () => {
  it('reaches a loss that the learner itself has, and no pair nearby beats', () => {
    const pages = logs(400, wide, 3)
    const { pseudoGaps, loss, gaps } = predictivePseudoGaps(tallyOf(pages))!
    expect(gaps).toBe(8000)
    // The learner keeps gaps in bins, so it is within 0.5% of the exact estimate.
    expect(Math.abs(loss / lossOf(pages, pseudoGaps) - 1)).toBeLessThan(2e-3)
    for (const factor of [0.25, 0.5, 2, 4]) {
      const { changed, unchanged } = pseudoGaps
      expect(lossOf(pages, { changed: changed * factor, unchanged })).toBeGreaterThan(loss * 0.999)
      expect(lossOf(pages, { changed, unchanged: unchanged * factor })).toBeGreaterThan(
        loss * 0.999,
      )
    }
  })

  it('predicts new pages of the same kind better than a pair made for another kind', () => {
    const slow = (random: Random) => 200 * Math.exp(0.5 * random.normal())
    const fitted = predictivePseudoGaps(tallyOf(logs(400, slow, 5)))!.pseudoGaps
    const other = predictivePseudoGaps(tallyOf(logs(400, () => 0.7, 6)))!.pseudoGaps
    const fresh = logs(400, slow, 7)
    expect(lossOf(fresh, fitted)).toBeLessThan(0.8 * lossOf(fresh, other))
  })

  it('scales with the gap, and takes a tally away again', () => {
    const pages = logs(100, wide, 8)
    const day = predictivePseudoGaps(tallyOf(pages, 86_400))!
    const one = predictivePseudoGaps(tallyOf(pages))!
    expect(day.loss).toBe(one.loss)
    expect(day.pseudoGaps.changed / one.pseudoGaps.changed).toBeCloseTo(86_400, 6)
    const both = tallyOf([...pages, ...logs(50, wide, 9)])
    both.add(tallyOf(logs(50, wide, 9)), { times: -1 })
    expect(predictivePseudoGaps(both)).toEqual(one)
  })

  it('stays finite where nothing or everything changed, and gives null without data', () => {
    expect(predictivePseudoGaps(new EqualGapTally({ gap: 1, most: 5 }))).toBeNull()
    for (const changed of [true, false]) {
      const found = predictivePseudoGaps(tallyOf([Array.from({ length: 20 }, () => changed)]))!
      expect(Object.values(found.pseudoGaps).every((gap) => gap > 0 && gap < Infinity)).toBe(true)
      expect(found.loss).toBeGreaterThanOrEqual(0)
      expect(found.loss).toBeLessThan(0.5)
    }
  })

  it('refuses what cannot be', () => {
    expect(() => new EqualGapTally({ gap: 0, most: 5 })).toThrow(/above 0/)
    expect(() => new EqualGapTally({ gap: 1, most: 0 })).toThrow(/from 1 to 1000/)
    const other = new EqualGapTally({ gap: 2, most: 20 })
    expect(() => tallyOf([]).add(other)).toThrow(/same gap/)
  })
})
