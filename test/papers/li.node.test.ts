import { gM4, m1, m2, m3, m4 } from 'revisit/estimators'
import { Random } from 'revisit/numeric'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import {
  binMean,
  gM4Tail,
  keptShare,
  m1Tail,
  m1TailByGaps,
  m3Tail,
  meanValues,
} from '../../papers/li/closed-forms.js'
import { overUnit, upTo } from '../../papers/li/integral.js'
import { exponential, pareto, paretoTwin, uniform, weibull } from '../../papers/li/laws.js'
import { verdictOf } from '../../papers/li/part.js'
import { tableOne } from '../../papers/li/part-table-one.js'
import { mostErrors, overPaths, worstDeviation } from '../../papers/li/paths.js'
import { published } from '../../papers/li/reference.js'
import { li, runParts } from '../../papers/li/run.js'
import type { Sizes } from '../../papers/li/sizes.js'
import * as spacings from '../../papers/li/spacings.js'
import { deviationAt, places, simulatedTail } from '../../papers/li/tails.js'
import { visitsOf, watch } from '../../papers/li/watch.js'
import type { PaperResult } from '../../src/lab/report/paper.js'

const oracles = inject('oracles')

/** A tenth of the quick run. */
const tiny: Sizes = {
  curve: { paths: 40, until: 1500 },
  shareVisits: 1500,
  derivative: { until: 4000 },
  meanError: [
    { until: 1e2, paths: 200 },
    { until: 1e3, paths: 200 },
    { until: 1e4, paths: 60 },
    { until: 1e5, paths: 12 },
  ],
  spacingError: { paths: 30, until: 10_000, meanGaps: [100, 10, 1, 0.3, 0.1] },
  tableOne: [
    { until: 1e2, paths: 1000 },
    { until: 1e3, paths: 500 },
    { until: 1e4, paths: 100 },
    { until: 1e5, paths: 30 },
  ],
  pairs: [
    { until: 1e3, paths: 10 },
    { until: 1e4, paths: 5 },
    { until: 1e5, paths: 2 },
  ],
}

describe('the closed forms', () => {
  it('integrate exactly', () => {
    // By hand: the integral of -ln u is 1, of u^-1/3 is 3/2, of cos from 0 to 1 is sin 1.
    expect(overUnit((u) => -Math.log(u))).toBeCloseTo(1, 10)
    expect(overUnit((u) => u ** (-1 / 3))).toBeCloseTo(1.5, 10)
    expect(upTo(1, Math.cos)).toBeCloseTo(Math.sin(1), 12)
  })

  it('give the share kept at lambda 1', () => {
    // Shared oracles: .75, .596347, .666667.
    const share = (spacing: spacings.Spacing) => keptShare({ law: pareto, spacing })
    expect(share(spacings.constant)).toBe(0.75)
    expect(share(spacings.exponential)).toBeCloseTo(0.5963473623, 9)
    expect(share(spacings.uniform)).toBeCloseTo(2 / 3, 9)
  })

  it.skipIf(oracles === null)('equal the shared oracles (skipped where absent)', () => {
    const { p_const, p_exp, p_unif, G1tail_exp, G3tail, ED3, ED4, M6_bin_expect } = oracles.li
    for (const lambda of ['0.1', '1', '10']) {
      const share = (spacing: spacings.Spacing) =>
        keptShare({ law: pareto, spacing: spacings.scaled(spacing, 1 / Number(lambda)) })
      expect(share(spacings.constant)).toBeCloseTo(p_const[lambda], 10)
      expect(share(spacings.exponential)).toBeCloseTo(p_exp[lambda], 8)
      expect(share(spacings.uniform)).toBeCloseTo(p_unif[lambda], 8)
    }
    const model = m1Tail({ law: pareto, spacing: spacings.exponential })
    for (const [x, tail] of Object.entries<number>(G1tail_exp))
      expect(model(Number(x))).toBeCloseTo(tail, 8)
    G3tail.forEach((tail: number, n: number) => {
      expect(m3Tail({ law: pareto, delta: 1 })(n)).toBeCloseTo(tail, 12)
    })
    const { d3, d4 } = meanValues({ law: pareto, delta: 1 })
    expect(d3).toBeCloseTo(ED3, 12)
    expect(d4).toBeCloseTo(ED4, 9)
    for (const [y, mean] of Object.entries<number>(M6_bin_expect))
      expect(binMean(pareto, { y: Number(y), h: 0.05 })).toBeCloseTo(mean, 9)
  })

  it("give G-M4's tail", () => {
    // Shared oracles: .8602, .6498, .3376 at .5, 1, 2.
    const tails = [0.5, 1, 2].map(gM4Tail(pareto))
    expect(tails.map((tail) => Number(tail.toFixed(4)))).toEqual([0.8602, 0.6498, 0.3376])
  })

  it('give one tail by ages and by gaps, for any pair of laws', () => {
    for (const law of [pareto, exponential, uniform, weibull(0.6), weibull(2)])
      for (const spacing of [spacings.constant, spacings.exponential, spacings.pareto])
        for (const x of [0.1, 0.5, 0.9])
          expect(m1Tail({ law, spacing })(x)).toBeCloseTo(m1TailByGaps({ law, spacing })(x), 5)
  })

  it('know a Weibull of shape 1 as the exponential', () => {
    for (const x of [0.1, 1, 3]) {
      expect(weibull(1).gapTail(x)).toBeCloseTo(exponential.gapTail(x), 12)
      expect(weibull(1).contentTail(x)).toBeCloseTo(exponential.contentTail(x), 12)
    }
  })

  it('have a twin of the Pareto with its content ages at whole gaps and other update gaps', () => {
    // By hand: E[U] = 1 / G(1) = 4/3; P(U > 1) = (1/4 - 1/9) / (3/4) = 5/27.
    const twin = paretoTwin()
    expect(twin.process.changePeriod).toBeCloseTo(4 / 3, 3)
    expect(twin.gapTail(1)).toBeCloseTo(5 / 27, 12)
    for (const n of [1, 2, 7]) expect(twin.contentTail(n)).toBe(pareto.contentTail(n))
  })

  it.each(Object.entries({ ...spacings }).filter(([, each]) => typeof each === 'object'))(
    'have gaps of mean 1: %s',
    (_, each) => {
      const spacing = each as spacings.Spacing
      expect(spacing.expect((gap) => gap)).toBeCloseTo(1, 6)
      const random = new Random(7)
      let total = 0
      for (let i = 0; i < 50_000; i++) total += spacing.draw(random)
      // The hyperexponential has the largest spread, 2.3: error .01.
      expect(Math.abs(total / 50_000 - 1)).toBeLessThan(0.05)
    },
  )
})

describe('watching', () => {
  it('sees each visit up to the end, with true content ages', () => {
    const law = uniform
    const seen = watch({
      law,
      spacing: spacings.constantGap(0.1),
      until: 100,
      random: new Random(1),
    })
    const { times, changed, contentAges } = seen.stretches[0]!
    expect(visitsOf(seen)).toBe(1000 + Number(times.at(-1)! > 99.95))
    expect(changed.length).toBe(times.length - 1)
    for (let i = 0; i < changed.length; i++) {
      const sinceBefore = times[i + 1]! - times[i]!
      // Unchanged content is older by the gap, changed content is younger than the gap.
      if (changed[i] === 1) expect(contentAges[i + 1]!).toBeLessThanOrEqual(sinceBefore)
      else expect(contentAges[i + 1]!).toBeCloseTo(contentAges[i]! + sinceBefore, 9)
    }
  })

  it('makes room for more visits than expected', () => {
    const wild: spacings.Spacing = { name: 'wild', draw: () => 0.01, expect: (f) => f(10) }
    const seen = watch({ law: pareto, spacing: wild, until: 50, random: new Random(2) })
    expect(visitsOf(seen)).toBeGreaterThan(4990)
    expect(seen.stretches[0]!.times.at(-1)).toBeCloseTo(50, 1)
  })
})

describe('the judgement', () => {
  const run = { sizes: tiny, random: new Random(3) }
  const until = tiny.curve.until
  const tail = (method: typeof m1, spacing = spacings.exponential) =>
    simulatedTail(run, { method, law: pareto, spacing })

  it('accepts the right law and refuses the wrong one', () => {
    const first = tail(m1)
    expect(
      deviationAt(first, { truth: m1Tail({ law: pareto, spacing: spacings.exponential }), until }),
    ).toBeLessThan(mostErrors)
    expect(deviationAt(first, { truth: pareto.gapTail, until })).toBeGreaterThan(mostErrors)
    expect(deviationAt(first, { truth: pareto.contentTail, until })).toBeGreaterThan(mostErrors)
    expect(deviationAt(tail(m2), { truth: pareto.contentTail, until })).toBeLessThan(mostErrors)
    expect(deviationAt(tail(m2), { truth: pareto.gapTail, until })).toBeGreaterThan(mostErrors)
    expect(deviationAt(tail(gM4), { truth: gM4Tail(pareto), until })).toBeLessThan(mostErrors)
    expect(deviationAt(tail(gM4), { truth: pareto.contentTail, until })).toBeGreaterThan(mostErrors)
  })

  it('tells M3 from M4 at whole gaps', () => {
    const at = [1, 2, 3, 4]
    const found = (method: typeof m3) =>
      simulatedTail(run, { method, law: pareto, spacing: spacings.constant, at })
    const off = (method: typeof m3, truth: (n: number) => number) =>
      worstDeviation(found(method), { truth: at.map(truth), until })
    expect(off(m3, m3Tail({ law: pareto, delta: 1 }))).toBeLessThan(mostErrors)
    expect(off(m3, pareto.contentTail)).toBeGreaterThan(mostErrors)
    expect(off(m4, pareto.contentTail)).toBeLessThan(mostErrors)
    expect(off(m4, m3Tail({ law: pareto, delta: 1 }))).toBeGreaterThan(mostErrors)
  })

  it('forgives the ends of a window and no more', () => {
    // By hand: 3 / 100 is forgiven; .05 is two errors of .01 beyond it.
    const found = { mean: [0.5, 0.5], error: [0.01, 0.01] }
    expect(worstDeviation(found, { truth: [0.47, 0.53], until: 100 })).toBeCloseTo(0, 9)
    expect(worstDeviation(found, { truth: [0.45], until: 100 })).toBeCloseTo(2, 9)
    expect(worstDeviation({ mean: [1], error: [0] }, { truth: [0.5], until: 1e9 })).toBe(Infinity)
  })

  it('averages paths with their error, and leaves out those that saw nothing', () => {
    // By hand: 1, 2, 3 have mean 2 and standard error 1 / sqrt 3.
    let path = 0
    const found = overPaths({ paths: 4, random: new Random(4) }, () =>
      path++ === 3 ? null : [path],
    )
    expect(found.mean).toEqual([2])
    expect(found.error[0]).toBeCloseTo(1 / Math.sqrt(3), 12)
  })

  it('has three outcomes', () => {
    expect([verdictOf(true), verdictOf(false, true), verdictOf(false)]).toEqual([
      'holds',
      'holds in part',
      'does not hold',
    ])
  })
})

describe('a tenth of the quick run', () => {
  let result: PaperResult
  const shares: number[] = []
  beforeAll(async () => {
    result = await runParts(tiny, { seed: 5, progress: (share) => shares.push(share) })
  }, 60_000)

  it('finds each claim once, with the recorded verdict', () => {
    const found = Object.fromEntries(result.findings.map(({ claim, verdict }) => [claim, verdict]))
    expect(found).toEqual(
      Object.fromEntries(published.claims.map(({ id, recorded }) => [id, recorded])),
    )
    expect(result.findings.length).toBe(published.claims.length)
  })

  it('says what it found in words and numbers', () => {
    for (const { ours, why, claim } of result.findings) {
      expect(`${ours} ${why}`, claim).not.toMatch(/NaN|undefined|Infinity/)
      expect(ours, claim).toMatch(/\d|NWU|NBU/)
    }
  })

  it('draws every figure that was asked for, without a hole', () => {
    const files = result.figures.map(({ file }) => file)
    expect(new Set(files).size).toBe(files.length)
    for (const name of [
      '4',
      '5a',
      '5b',
      '6a',
      '6b',
      '7a',
      '7b',
      '8a',
      '8b',
      '9a',
      '9b',
      '12',
      '14a',
      '14b',
      '15a',
      '15b',
    ])
      expect(files).toContain(`figure-${name}.svg`)
    for (const { svg, caption, title } of result.figures) {
      expect(svg).not.toMatch(/NaN|undefined|No data/)
      expect(caption.length).toBeGreaterThan(40)
      expect(svg).toContain('<svg')
      expect(title).toMatch(/^(Figure|Table|Theorem)/)
    }
  })

  it('fills every row of every table', () => {
    for (const { rows, columns, title } of result.tables) {
      expect(rows.length, title).toBeGreaterThan(2)
      for (const row of rows) expect(row.length, title).toBe(columns.length)
      expect(JSON.stringify(rows)).not.toMatch(/NaN|null/)
    }
  })

  it('tells how far it is, forward only, to the end', () => {
    expect(shares.at(-1)).toBe(1)
    for (let i = 1; i < shares.length; i++)
      expect(shares[i]!).toBeGreaterThanOrEqual(shares[i - 1]! - 1e-9)
  })

  it('repeats with its seed', () => {
    const once = (seed: number) =>
      tableOne.run({
        sizes: { ...tiny, tableOne: [{ until: 1000, paths: 20 }] },
        random: new Random(seed),
        tell: () => {},
      }).tables
    expect(once(9)).toEqual(once(9))
    expect(once(9)).not.toEqual(once(10))
  })
})

it('goes by its folder and names its paper', () => {
  expect(li.name).toBe('li')
  expect(places.length).toBeGreaterThan(20)
  expect(published).toMatchObject({
    title: 'Temporal Update Dynamics under Blind Sampling',
    year: 2015,
  })
  for (const { where, says } of published.claims) expect(`${where}: ${says}`).toMatch(/\w+: \w+/)
})
