import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import {
  estimateBatch,
  newBatchEstimates,
  verdictsByCode,
} from '../../../src/estimate/batch/index.js'
import { estimateLongPage } from '../../../src/estimate/batch/long-page.js'
import { blockRoom } from '../../../src/estimate/batch/working-memory.js'
import { Random } from '../../../src/numeric/index.js'
import { byBisection, columnsFrom, type GapsOfPage, logUniformGaps } from './pages.js'

const ratesOf = (pages: readonly GapsOfPage[]) =>
  estimateBatch({ columns: columnsFrom(pages) }).changeRates
const rateOf = (page: GapsOfPage) => ratesOf([page])[0]!
const verdictsOf = (pages: readonly GapsOfPage[]) =>
  Array.from(
    estimateBatch({ columns: columnsFrom(pages) }).verdicts,
    (code) => verdictsByCode[code],
  )
const apart = (found: number, expected: number) => Math.abs(found / expected - 1)
const oracles = inject('oracles')

describe('the irregular MLE over columns', () => {
  it.skipIf(oracles === null)('matches eq. 2 of the shared oracles (skipped where absent)', () => {
    const vectors = oracles.grimes_eq2 as Array<GapsOfPage & { lam: number }>
    const found = ratesOf(vectors)
    vectors.forEach(({ lam }, page) => {
      expect(apart(found[page]!, lam)).toBeLessThan(1e-14)
    })
  })

  // By hand: L changed and K unchanged gaps of t give ln(1 + L/K) / t.
  it('matches the closed form for equal gaps', () => {
    for (const [L, K, t] of [
      [1, 1, 1],
      [3, 1, 86400],
      [40, 3, 1e-9],
      [2, 5000, 1e12],
    ] as const) {
      const page = { changed: Array(L).fill(t), unchanged: Array(K).fill(t) }
      expect(apart(rateOf(page), Math.log1p(L / K) / t)).toBeLessThan(1e-13)
    }
  })

  // By hand: one changed gap t gives ln(1 + t/U) / t, here through all lengths of the series.
  it('matches the closed form for one changed gap', () => {
    for (let x = 1e-6; x < 230; x *= 1.03) {
      const unseen = 1 / Math.expm1(x)
      expect(apart(rateOf({ changed: [1], unchanged: [unseen] }), x)).toBeLessThan(1e-12)
    }
  })

  it('gives the papers substitutes at the edges', () => {
    const pages = [
      { changed: [], unchanged: [] },
      { changed: [], unchanged: [2, 3, 5] },
      { changed: [4, 0.5, 2], unchanged: [] },
    ]
    expect(Array.from(ratesOf(pages))).toEqual([0, 0.1, 2])
    expect(verdictsOf(pages)).toEqual(['no-observation', 'no-change-seen', 'always-changed'])
  })

  it('is within 1e-11 of a bisection on hostile gaps', () => {
    const random = new Random(20080401)
    const pages = Array.from({ length: 4000 }, () => hostilePage(random))
    const found = ratesOf(pages)
    const worst = pages.reduce(
      (most, page, i) => Math.max(most, apart(found[i]!, byBisection(page))),
      0,
    )
    expect(worst).toBeLessThan(1e-11)
  })

  it('is within 1e-11 of a bisection on a page of 100,000 observations', () => {
    const random = new Random(5)
    const page = {
      changed: logUniformGaps(random, { count: 30_000, powers: [-3, 3] }),
      unchanged: logUniformGaps(random, { count: 70_000, powers: [-3, 3] }),
    }
    expect(apart(rateOf(page), byBisection(page))).toBeLessThan(1e-11)
  })

  it('takes pages that are too long for a block among others, with the same results', () => {
    const random = new Random(6)
    const lengths = [3, blockRoom, 5, blockRoom + 1, 70, blockRoom - 1, 2]
    const pages = lengths.map((length) => ({
      changed: logUniformGaps(random, { count: Math.ceil(length / 3), powers: [0, 2] }),
      unchanged: logUniformGaps(random, { count: length - Math.ceil(length / 3), powers: [0, 2] }),
    }))
    const columns = columnsFrom(pages)
    const { changeRates } = estimateBatch({ columns })
    const into = newBatchEstimates(pages.length)
    for (let page = 0; page < pages.length; page++) estimateLongPage({ columns, into, page })
    into.changeRates.forEach((changeRate, page) => {
      expect(apart(changeRates[page]!, changeRate)).toBeLessThan(1e-12)
    })
  })

  it('settles the edges of a page that is too long for a block', () => {
    const many = Array(blockRoom + 1).fill(2)
    const pages = [
      { changed: many, unchanged: [] },
      { changed: [], unchanged: many },
    ]
    expect(Array.from(ratesOf(pages))).toEqual([0.5, 1 / (2 * (blockRoom + 1))])
    expect(verdictsOf(pages)).toEqual(['always-changed', 'no-change-seen'])
  })

  it('gives each page the same bytes alone, among others, and from the middle of a range', () => {
    const random = new Random(7)
    const pages = Array.from({ length: 200 }, () => hostilePage(random))
    const columns = columnsFrom(pages)
    const { changeRates } = estimateBatch({ columns })
    expect(Float64Array.from(pages, rateOf)).toEqual(changeRates)
    const into = newBatchEstimates(200)
    estimateBatch({ columns, into, pages: { from: 37, to: 150 } })
    expect(into.changeRates.subarray(37, 150)).toEqual(changeRates.subarray(37, 150))
    expect(into.changeRates.subarray(0, 37).every((each) => each === 0)).toBe(true)
    expect(into.changeRates.subarray(150).every((each) => each === 0)).toBe(true)
  })
})

describe('for any page, the irregular MLE over columns', () => {
  const gap = fc.double({ min: -9, max: 12, noNaN: true }).map((power) => 10 ** power)
  const gapsOfPage = fc.record({
    changed: fc.array(gap, { minLength: 1, maxLength: 30 }),
    unchanged: fc.array(gap, { minLength: 1, maxLength: 30 }),
  })

  it('is finite, positive and between its brackets', () => {
    fc.assert(
      fc.property(gapsOfPage, (page) => {
        const [seen, unseen] = [page.changed, page.unchanged].map((gaps) =>
          gaps.reduce((sum, each) => sum + each, 0),
        ) as [number, number]
        const ratio = Math.log1p(seen / unseen)
        const found = rateOf(page)
        expect(found).toBeGreaterThanOrEqual((ratio / Math.max(...page.changed)) * (1 - 1e-12))
        expect(found).toBeLessThanOrEqual((ratio / Math.min(...page.changed)) * (1 + 1e-12))
      }),
      { seed: 1 },
    )
  })

  it('divides by c when all time is multiplied by c', () => {
    fc.assert(
      fc.property(gapsOfPage, fc.double({ min: 1e-3, max: 1e3, noNaN: true }), (page, c) => {
        const scaled = {
          changed: page.changed.map((each) => each * c),
          unchanged: page.unchanged.map((each) => each * c),
        }
        expect(apart(rateOf(scaled) * c, rateOf(page))).toBeLessThan(1e-12)
      }),
      { seed: 2 },
    )
  })

  it('does not depend on the order of observations', () => {
    fc.assert(
      fc.property(gapsOfPage, fc.integer(), (page, seed) => {
        const columns = columnsFrom([page])
        const random = new Random(seed)
        for (let i = columns.gaps.length - 1; i > 0; i--) swap(columns, i, random.below(i + 1))
        const { changeRates } = estimateBatch({ columns })
        expect(apart(changeRates[0]!, rateOf(page))).toBeLessThan(1e-12)
      }),
      { seed: 3 },
    )
  })

  it('never falls when one more gap is seen to have changed', () => {
    fc.assert(
      fc.property(gapsOfPage, ({ changed, unchanged }) => {
        const [first, ...others] = unchanged as [number, ...number[]]
        fc.pre(others.length > 0)
        const before = rateOf({ changed, unchanged })
        const after = rateOf({ changed: [...changed, first], unchanged: others })
        expect(after).toBeGreaterThanOrEqual(before * (1 - 1e-12))
      }),
      { seed: 4 },
    )
  })
})

/** Few or many gaps, alike or from nanoseconds to 30,000 years, of one kind or a mixture. */
function hostilePage(random: Random): GapsOfPage {
  const spread = [0, 0.1, 1, 5, 10][random.below(5)]!
  const centre = -9 + spread + (21 - 2 * spread) * random.uniform()
  const powers = [centre - spread, centre + spread] as const
  const other = random.below(2) === 0 ? powers : ([-9, 12] as const)
  const sizes = [1, 2, 5, 50, 300]
  return {
    changed: logUniformGaps(random, { count: sizes[random.below(5)]!, powers }),
    unchanged: logUniformGaps(random, { count: sizes[random.below(5)]!, powers: other }),
  }
}

function swap(
  { gaps, changed }: { gaps: Float64Array; changed: Uint8Array },
  ...[i, j]: [number, number]
): void {
  ;[gaps[i], gaps[j]] = [gaps[j]!, gaps[i]!]
  ;[changed[i], changed[j]] = [changed[j]!, changed[i]!]
}
