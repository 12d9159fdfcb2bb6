import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fitMixture,
  type GridPrior,
  learnPrior,
  likelihoodTable,
  logGrid,
  posteriorOf,
} from '../../../src/estimate/index.js'
import { Random } from '../../../src/numeric/index.js'
import { histories, historyFromGaps, scaled } from '../../contracts/estimator.js'
import { poissonPage } from '../../fixtures/poisson-page.js'

const grid = logGrid({ shortest: 0.1, longest: 1000, nodes: 61 })

/** Pages of period 5 and of period 100, three to seven, at uneven gaps. */
function twoKinds({ pages, visits, seed }: { pages: number; visits: number; seed: number }) {
  const random = new Random(seed)
  return Array.from({ length: pages }, (_, i) => {
    const gaps = Array.from({ length: visits }, () => 0.5 + 10 * random.uniform())
    return poissonPage({ changePeriod: i % 10 < 3 ? 5 : 100, gaps }, random)
  })
}

const massBetween = (
  { periods, masses }: GridPrior,
  { low, high }: { low: number; high: number },
) =>
  masses.reduce((total, mass, i) => total + (periods[i]! > low && periods[i]! < high ? mass : 0), 0)

describe('learnPrior', () => {
  const pages = twoKinds({ pages: 1000, visits: 40, seed: 91 })

  it('finds the two periods of a collection that has two, and their shares', () => {
    const { prior, converged, gradient } = learnPrior(pages, { grid })
    expect(converged).toBe(true)
    expect(gradient).toBeLessThanOrEqual(1.001)
    // Shares 0.3 and 0.7 by construction; 40 visits tell the two apart almost surely.
    expect(massBetween(prior, { low: 3.5, high: 7 })).toBeCloseTo(0.3, 1)
    expect(massBetween(prior, { low: 60, high: 160 })).toBeCloseTo(0.7, 1)
    expect(massBetween(prior, { low: 9, high: 45 })).toBeLessThan(0.01)
  })

  it('learns from pages too short to be estimated each alone', () => {
    const short = twoKinds({ pages: 6000, visits: 4, seed: 92 })
    const { prior } = learnPrior(short, { grid })
    // What 24,000 gaps tell well: how often one of length 2, 5 or 10 sees a
    // change, .3 (1 - e^(-gap/5)) + .7 (1 - e^(-gap/100)); error about .003.
    for (const gap of [2, 5, 10]) {
      const changed = (period: number) => 1 - Math.exp(-gap / period)
      const seen = prior.masses.reduce((sum, mass, i) => sum + mass * changed(prior.periods[i]!), 0)
      expect(Math.abs(seen - 0.3 * changed(5) - 0.7 * changed(100))).toBeLessThan(0.012)
    }
    expect(massBetween(prior, { low: 0, high: 20 })).toBeGreaterThan(0.22)
    expect(massBetween(prior, { low: 0, high: 20 })).toBeLessThan(0.42)
  })

  it('at the maximum averages the posteriors: the law is its own mean update', () => {
    const few = pages.slice(0, 100)
    const { prior } = learnPrior(few, { grid, tolerance: 1e-4 })
    const mean = new Float64Array(grid.length)
    for (const page of few) {
      posteriorOf(page, prior).masses.forEach((mass, i) => {
        mean[i]! += mass / few.length
      })
    }
    mean.forEach((mass, i) => {
      expect(Math.abs(mass - prior.masses[i]!)).toBeLessThan(1e-4)
    })
  })

  // By hand: with its age a told, a page's likelihood is rate e^(-rate a), which
  // peaks at the period a; a single page's law is all there.
  it('takes content ages exactly', () => {
    const { prior } = learnPrior([historyFromGaps([], { contentAge: grid[30]! })], {
      grid,
      tolerance: 1e-4,
    })
    expect(massBetween(prior, { low: grid[28]!, high: grid[32]! })).toBeGreaterThan(0.99)
    const told = {
      start: { at: 0 },
      observations: [{ at: 9, gap: 9, changed: true, contentAge: 2 }],
    }
    const { values } = likelihoodTable([told], grid)
    const best = grid[values.indexOf(1)]!
    expect(Math.abs(Math.log(best / 2))).toBeLessThan(0.08)
  })

  it('scales with the unit of time', () => {
    const few = pages.slice(0, 50)
    const here = learnPrior(few)
    const there = learnPrior(few.map((page) => scaled(page, { factor: 64 })))
    there.prior.masses.forEach((mass, i) => {
      expect(mass).toBeCloseTo(here.prior.masses[i]!, 6)
      expect(there.prior.periods[i]! / here.prior.periods[i]!).toBeCloseTo(64, 9)
    })
  })

  it('counts what tells nothing, and is equal masses where nothing does', () => {
    const none = learnPrior([historyFromGaps([])])
    expect(none).toMatchObject({ pages: 0, silent: 1, unexplained: 0, converged: true, rounds: 0 })
    expect(new Set(none.prior.masses).size).toBe(1)
    expect(learnPrior([]).prior.masses.length).toBe(121)
    const absurd = historyFromGaps([Number.MIN_VALUE])
    const known = learnPrior([absurd, ...pages.slice(0, 3)], {
      grid: grid.filter((each) => each > 10),
    })
    expect(known).toMatchObject({ pages: 3, silent: 0, unexplained: 1 })
  })

  it('is a law with a finite likelihood for any histories', () => {
    fc.assert(
      fc.property(
        fc.array(histories({ maxLength: 8, tiny: Number.MIN_VALUE }), { maxLength: 6 }),
        (any) => {
          const { prior, logLikelihood, gradient } = learnPrior(any, { rounds: 30 })
          expect(prior.masses.reduce((total, each) => total + each, 0)).toBeCloseTo(1, 9)
          expect(Math.min(...prior.masses)).toBeGreaterThan(0)
          expect(Number.isFinite(logLikelihood) && Number.isFinite(gradient)).toBe(true)
        },
      ),
      { seed: 93, numRuns: 60 },
    )
  })
})

describe('fitMixture', () => {
  it('never lowers what it maximises, with pseudo-counts or without', () => {
    fc.assert(
      fc.property(
        fc.array(histories({ minLength: 1, maxLength: 8, widest: 1e4 }), {
          minLength: 1,
          maxLength: 12,
        }),
        fc.constantFrom(0, 0.01, 5),
        (any, strength) => {
          const table = likelihoodTable(any, grid)
          const pseudoCounts = new Float64Array(grid.length).fill(strength)
          const { path } = fitMixture(table, { pseudoCounts, rounds: 60, tolerance: 1e-9 })
          for (let i = 1; i < path.length; i++)
            expect(path[i]!).toBeGreaterThanOrEqual(path[i - 1]! - 1e-9 * Math.abs(path[i]!))
        },
      ),
      { seed: 94, numRuns: 60 },
    )
  })

  // By hand: likelihood rows [1, 0] twice and [0, 1] once are counts, so the masses are 2/3 and 1/3.
  it('counts pages that are certain', () => {
    const table = {
      grid: Float64Array.of(1, 10),
      rows: 3,
      values: Float64Array.of(1, 0, 1, 0, 0, 1),
      peaks: new Float64Array(3),
      rowOf: Int32Array.of(0, 1, 2),
      silent: 0,
      unexplained: 0,
    }
    const plain = fitMixture(table, { tolerance: 1e-9 })
    expect(plain.masses[0]).toBeCloseTo(2 / 3, 6)
    expect(plain.path.at(-1)).toBeCloseTo(2 * Math.log(2 / 3) + Math.log(1 / 3), 9)
    // With one and three pages' worth added: (2 + 1) / 7.
    const pseudoCounts = Float64Array.of(1, 3)
    expect(fitMixture(table, { pseudoCounts, tolerance: 1e-9 }).masses[0]).toBeCloseTo(3 / 7, 6)
  })

  it('promises how far below the maximum it stopped', () => {
    const table = likelihoodTable(twoKinds({ pages: 200, visits: 10, seed: 95 }), grid)
    const early = fitMixture(table, { tolerance: 0.05 })
    const late = fitMixture(table, { tolerance: 1e-4 })
    const lost = late.path.at(-1)! - early.path.at(-1)!
    expect(lost).toBeGreaterThan(0)
    expect(lost).toBeLessThanOrEqual(200 * (early.gradient - 1))
  })
})
