import { describe, expect, it } from 'vitest'
import {
  type BatchMethod,
  batchMethods,
  columnsOf,
  estimateBatch,
  verdictsByCode,
} from '../../../src/estimate/batch/index.js'
import { rateEstimator } from '../../../src/estimate/index.js'
import type { History } from '../../../src/model/index.js'
import { Random } from '../../../src/numeric/index.js'
import { poissonPage } from '../../fixtures/poisson-page.js'
import { columnsFrom } from './pages.js'

const resultOf = (method: BatchMethod, page: Parameters<typeof columnsFrom>[0][number]) => {
  const { changeRates, verdicts } = estimateBatch({ columns: columnsFrom([page]), method })
  return { changeRate: changeRates[0]!, verdict: verdictsByCode[verdicts[0]!] }
}

describe('intuitive over columns', () => {
  // By hand: 2 changes in 1 + 2 + 5 days.
  it('divides changes by time', () => {
    expect(resultOf('intuitive', { changed: [1, 2], unchanged: [5] })).toEqual({
      changeRate: 0.25,
      verdict: 'ok',
    })
  })
})

describe('bias-reduced over columns', () => {
  // By hand: 2 of 5 daily gaps unchanged, so -ln(2.5 / 5.5) = 0.7885 changes a day.
  it('matches the closed form', () => {
    const { changeRate, verdict } = resultOf('bias-reduced', {
      changed: [1, 1, 1],
      unchanged: [1, 1],
    })
    expect(changeRate).toBeCloseTo(0.7884573603642703, 14)
    expect(verdict).toBe('ok')
  })

  it('says when gaps are unequal by more than 5%', () => {
    const verdictOf = (gap: number) =>
      resultOf('bias-reduced', { changed: [1], unchanged: [gap] }).verdict
    expect(verdictOf(1.04)).toBe('ok')
    expect(verdictOf(1.06)).toBe('unequal-gaps')
  })
})

describe('every batch method', () => {
  it.each(batchMethods)('%s agrees with the method for one page', (method) => {
    const histories = manyHistories()
    const { changeRates, verdicts } = estimateBatch({ columns: columnsOf(histories), method })
    const estimator = rateEstimator(method)
    histories.forEach((history, page) => {
      const { changeRate, verdict } = estimator.estimate(history)
      expect(verdictsByCode[verdicts[page]!]).toBe(verdict)
      if (changeRate === null || changeRate === 0) expect(changeRates[page]).toBe(changeRate ?? 0)
      else expect(Math.abs(changeRates[page]! / changeRate - 1)).toBeLessThan(1e-9)
    })
  })
})

/** Pages that never, sometimes and always change, some at equal gaps, some never visited again. */
function manyHistories(): History[] {
  const random = new Random(11)
  return Array.from({ length: 300 }, (_, page) => {
    const gaps = Array.from({ length: random.below(30) }, () =>
      page % 3 === 0 ? 1 : random.exponential(),
    )
    return poissonPage({ changePeriod: 10 ** (4 * random.uniform() - 2), gaps }, random)
  })
}
