import { describe, expect, it } from 'vitest'
import {
  batchMethods,
  type Columns,
  checkColumns,
  columnsOf,
  estimateBatch,
  newBatchEstimates,
  packGaps,
  unpackGaps,
  verdictCode,
  verdictsByCode,
} from '../../../src/estimate/batch/index.js'
import type { History } from '../../../src/model/index.js'

const columns = (parts: { offsets: number[]; gaps: number[]; changed: number[] }): Columns => ({
  offsets: Uint32Array.from(parts.offsets),
  gaps: Float64Array.from(parts.gaps),
  changed: Uint8Array.from(parts.changed),
})
const three = columns({ offsets: [0, 2, 2, 3], gaps: [1, 2, 3], changed: [1, 0, 1] })
const history = (...observations: Array<[gap: number, changed: boolean]>): History => ({
  start: { at: 0 },
  observations: observations.map(([gap, changed], i) => ({ at: i + 1, gap, changed })),
})

describe('columns', () => {
  it('come from histories, page by page', () => {
    const histories = [history([1, true], [2, false]), history(), history([3, true])]
    expect(columnsOf(histories)).toEqual(three)
  })

  it('may hold no page at all', () => {
    expect(estimateBatch({ columns: columnsOf([]) }).changeRates).toHaveLength(0)
  })

  it('go through the packed form and back', () => {
    const packed = packGaps(three)
    expect(Array.from(packed.packed)).toEqual([-1, 2, -3])
    expect(unpackGaps(packed)).toEqual(three)
  })

  it.each([
    ['no offsets', { offsets: [], gaps: [], changed: [] }, /one entry more/],
    ['a flag missing', { offsets: [0, 2], gaps: [1, 2], changed: [1] }, /2 gaps but 1 changed/],
    ['a late start', { offsets: [1, 2], gaps: [1, 2], changed: [1, 0] }, /start at 0/],
    ['falling offsets', { offsets: [0, 2, 1, 2], gaps: [1, 2], changed: [1, 0] }, /page 1 go/],
    ['far offsets', { offsets: [0, 9, 2], gaps: [1, 2], changed: [1, 0] }, /page 0 go/],
    ['an early end', { offsets: [0, 1], gaps: [1, 2], changed: [1, 0] }, /end at 1/],
  ])('with %s are refused', (_, parts, message) => {
    expect(() => checkColumns(columns(parts))).toThrow(message)
    expect(() => estimateBatch({ columns: columns(parts) })).toThrow(message)
  })

  const badGaps = [0, -1, Number.NaN, Infinity, -Infinity, 1e-200, 1e200]
  it.each(batchMethods)('with a bad gap or flag are refused by %s, which names it', (method) => {
    for (const length of [3, 8, 9000]) {
      for (const bad of badGaps) {
        const gaps = Array(length + 2).fill(1)
        gaps[length] = bad
        const changed = gaps.map((_, i) => i % 2)
        const bent = columns({ offsets: [0, 1, length + 2], gaps, changed })
        const refusal = new RegExp(`page 1, observation ${length - 1}: a gap is`)
        expect(() => checkColumns(bent)).toThrow(refusal)
        expect(() => estimateBatch({ columns: bent, method })).toThrow(refusal)
      }
      const gaps = Array(length + 2).fill(1)
      const changed = gaps.map((_, i) => (i === length ? 2 : i % 2))
      const bent = columns({ offsets: [0, 1, length + 2], gaps, changed })
      expect(() => estimateBatch({ columns: bent, method })).toThrow(/changed is 0 or 1; got 2/)
    }
  })

  it('may hold gaps at the limits, whose sums are beyond them', () => {
    const limits = columns({
      offsets: [0, 4],
      gaps: [1e-100, 1e100, 1e-100, 1e100],
      changed: [1, 1, 0, 0],
    })
    for (const method of batchMethods) {
      const { changeRates } = estimateBatch({ columns: limits, method })
      expect(changeRates[0]).toBeGreaterThan(0)
      expect(changeRates[0]).toBeLessThan(Infinity)
    }
    const worst = columns({ offsets: [0, 2], gaps: [1e100, 1e-100], changed: [1, 0] })
    // By hand: ln(1 + 1e200) / 1e100.
    expect(estimateBatch({ columns: worst }).changeRates[0]).toBeCloseTo(0, 90)
    expect(estimateBatch({ columns: worst }).changeRates[0]! * 1e100).toBeCloseTo(
      460.517018598809,
      9,
    )
  })
})

describe('estimateBatch', () => {
  it('writes into the arrays given', () => {
    const into = newBatchEstimates(3)
    expect(estimateBatch({ columns: three, into })).toBe(into)
    expect(into.changeRates[0]).toBeGreaterThan(0)
  })

  it('refuses an unknown method, pages that are not there, and arrays that are too short', () => {
    const method = 'crystal-ball' as never
    expect(() => estimateBatch({ columns: three, method })).toThrow(/irregular-mle, bias-reduced/)
    for (const pages of [
      { from: -1, to: 2 },
      { from: 2, to: 1 },
      { from: 0, to: 4 },
      { from: 0, to: Number.NaN },
    ])
      expect(() => estimateBatch({ columns: three, pages })).toThrow(/pages go from 0 to 3/)
    const into = newBatchEstimates(2)
    expect(() => estimateBatch({ columns: three, into })).toThrow(/hold 2 pages of 3/)
  })

  it('has a code for every verdict, and back', () => {
    for (const verdict of verdictsByCode) expect(verdictsByCode[verdictCode(verdict)]).toBe(verdict)
    expect(verdictCode('no-observation')).toBe(0)
  })
})
