import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concaveLaw } from '../../../src/estimators/law/concave-law.js'
import { cdfAt } from '../../../src/estimators/law/distribution.js'
import { fivePointLaw } from '../../../src/estimators/law/five-point-law.js'
import { gM4, m4 } from '../../../src/estimators/law/m3-m5.js'
import { m6, m6Bins } from '../../../src/estimators/law/m6.js'
import { distributionMethods } from '../../../src/estimators/law/methods.js'
import { stretchesOf } from '../../../src/estimators/law/stretches.js'
import type { History } from '../../../src/model/history.js'
import { Random } from '../../../src/numeric/random.js'
import { quadraticPairs } from './quadratic-pairs.js'
import { constant, dailyHistory, exponential, renewalHistory } from './renewal.js'

/** Any history: gaps of any size, changes, content ages that fit, and breaks. */
const history: fc.Arbitrary<History> = fc
  .array(
    fc.record({
      gap: fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
      changed: fc.boolean(),
      reported: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      skipped: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.constant(50)),
    }),
    { maxLength: 60 },
  )
  .map((visits) => {
    let at = 0
    let contentAge = 10
    const observations = visits.map(({ gap, changed, reported, skipped }) => {
      at += skipped + gap
      contentAge = changed ? (reported ?? 0.5) * gap : contentAge + skipped + gap
      return { at, gap, changed, ...(reported === null ? {} : { contentAge }) }
    })
    return { start: { at: 0, contentAge: 10 }, observations }
  })
const seed = 20150

function expectCdf(cdf: Float64Array): void {
  for (let i = 0; i < cdf.length; i++) {
    expect(cdf[i]!).toBeGreaterThanOrEqual(cdf[i - 1] ?? 0)
    expect(cdf[i]!).toBeLessThanOrEqual(1)
  }
}

function expectAscending(x: Float64Array): void {
  for (let i = 1; i < x.length; i++) expect(x[i]!).toBeGreaterThan(x[i - 1]!)
}

describe('every distribution', () => {
  it('never falls, stays in [0, 1], and its law of update gaps too', () => {
    fc.assert(
      fc.property(history, (given) => {
        for (const method of distributionMethods) {
          const estimate = method.estimate(given)
          if (estimate.kind === 'none') continue
          expectCdf(estimate.curve.cdf)
          expectAscending(estimate.curve.x)
          expect(estimate.samples).toBeGreaterThan(0)
          for (const law of [fivePointLaw(estimate), concaveLaw(estimate)]) {
            if (law.kind === 'none') continue
            expectCdf(law.cdf)
            expect(law.cdf[0]).toBe(0)
            expect(law.changePeriod).toBeGreaterThan(0)
          }
        }
      }),
      { seed, numRuns: 150 },
    )
  })

  it('is the same from columns as from a history', () => {
    fc.assert(
      fc.property(history, (given) => {
        const columns = { stretches: stretchesOf(given) }
        for (const method of distributionMethods)
          expect(method.estimate(columns)).toEqual(method.estimate(given))
      }),
      { seed, numRuns: 50 },
    )
  })

  it('has a verdict for columns without a gap', () => {
    const visit = {
      times: Float64Array.of(3),
      changed: new Uint8Array(0),
      contentAges: Float64Array.of(1),
    }
    for (const stretches of [[], [visit]])
      for (const method of distributionMethods)
        expect(method.estimate({ stretches })).toMatchObject({ verdict: 'no-observation' })
  })

  it('scales with time', () => {
    // A power of two scales times without rounding, so the curves are equal to the bit.
    const scale = 4096
    fc.assert(
      fc.property(history, (given) => {
        const scaled: History = {
          start: { at: 0, contentAge: 10 * scale },
          observations: given.observations.map(({ at, gap, changed, contentAge }) => ({
            at: at * scale,
            gap: gap * scale,
            changed,
            ...(contentAge === undefined ? {} : { contentAge: contentAge * scale }),
          })),
        }
        for (const method of distributionMethods) {
          const [one, other] = [method.estimate(given), method.estimate(scaled)]
          expect(other.verdict).toBe(one.verdict)
          if (one.kind === 'none' || other.kind === 'none') continue
          expect([...other.curve.cdf]).toEqual([...one.curve.cdf])
          expect([...other.curve.x]).toEqual([...one.curve.x].map((x) => x * scale))
          const [law, wide] = [concaveLaw(one), concaveLaw(other)]
          if (law.kind === 'law' && wide.kind === 'law')
            expect(wide.changePeriod / law.changePeriod / scale).toBeCloseTo(1, 9)
        }
      }),
      { seed, numRuns: 100 },
    )
  })
})

describe('M6', () => {
  it('counts the same to the bit as all pairs', () => {
    const visits = fc.array(
      fc.record({
        gap: fc.double({ min: 1e-6, max: 3, noNaN: true }),
        changed: fc.boolean(),
      }),
      { minLength: 1, maxLength: 120 },
    )
    const bins = fc.record({
      binWidth: fc.double({ min: 0.01, max: 1, noNaN: true }),
      count: fc.integer({ min: 1, max: 100 }),
    })
    fc.assert(
      fc.property(visits, bins, (seen, { binWidth, count }) => {
        const times = [0]
        const runs = [0]
        const observations = seen.map(({ gap, changed }, i) => {
          times.push(times[i]! + gap)
          runs.push(runs[i]! + (changed ? 1 : 0))
          return { at: times[i + 1]!, gap: times[i + 1]! - times[i]!, changed }
        })
        const sweep = m6Bins(
          { start: { at: 0 }, observations },
          { binWidth, upTo: binWidth * count },
        )
        const all = quadraticPairs({ times, runs }, { binWidth, count: sweep.pairs.length })
        expect([...sweep.pairs]).toEqual(all.pairs)
        expect([...sweep.withChange]).toEqual(all.withChange)
      }),
      { seed, numRuns: 150 },
    )
  })

  it('equals M4 on equal gaps, but for the ends of the window', () => {
    // By hand: M4 takes the visits from the first seen change r on, M6 those from
    // n on; for n <= r both count the same changes, beyond M6 leaves out n - r of them.
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 80 }), (changes) => {
        const given = dailyHistory(changes)
        const four = m4.estimate(given)
        const first = changes.indexOf(true) + 1
        if (four.kind === 'none') {
          expect(first).toBe(0)
          return
        }
        const bins = m6Bins(given, { upTo: changes.length })
        for (let n = 1; n <= changes.length; n++) {
          const visits = changes.length - first + 1
          const counted = Math.round(cdfAt(four.curve, n) * visits)
          expect(bins.withChange[n - 1]).toBe(counted - Math.max(0, n - first))
          expect(bins.pairs[n - 1]).toBe(changes.length - n + 1)
        }
      }),
      { seed, numRuns: 300 },
    )
  })

  it('equals M4 on equal gaps in the long run, and at gaps that round', () => {
    const gap = 0.1 // not a binary fraction: distances of n gaps carry rounding errors
    const given = renewalHistory({
      random: new Random(3),
      update: exponential,
      gap: () => gap,
      visits: 50_000,
    })
    const [four, six] = [m4.estimate(given), m6.estimate(given)]
    if (four.kind === 'none' || six.kind === 'none') return expect.fail('no curve')
    expect(six.target.law).toBe('Delta-consistent age distribution')
    for (const n of [1, 2, 5, 10, 30]) {
      expect(six.curve.x[n - 1]!).toBeCloseTo(n * gap, 9)
      expect(Math.abs(six.curve.cdf[n - 1]! - four.curve.cdf[n - 1]!)).toBeLessThan(1e-3)
    }
  })
})

describe('exponential updates', () => {
  it('make all methods agree on 1 - e^-x, but G-M4 only at equal gaps', () => {
    const visits = 100_000
    const even = renewalHistory({
      random: new Random(21),
      update: exponential,
      gap: constant,
      visits,
    })
    const spread = renewalHistory({
      random: new Random(22),
      update: exponential,
      gap: exponential,
      visits,
    })
    for (const method of distributionMethods) {
      for (const given of [even, spread]) {
        if (given === spread && (method.needsEqualGaps || method === gM4)) continue
        const estimate = method.estimate(given)
        if (estimate.kind === 'none') return expect.fail(estimate.verdict)
        // Sampling error of a share of 100,000 is .0016; M6's bins hold 5,000 pairs.
        for (const x of [1, 2, 3])
          expect(Math.abs(cdfAt(estimate.curve, x) - (1 - Math.exp(-x)))).toBeLessThan(0.015)
      }
    }
  })
})
