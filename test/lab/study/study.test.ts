import { describe, expect, it } from 'vitest'
import { processes } from '../../../src/lab/process/registry.js'
import { runStudy } from '../../../src/lab/study/run-study.js'
import { type StudySpec, studyOf } from '../../../src/lab/study/study.js'
import { StudyTally, studyResult } from '../../../src/lab/study/study-result.js'
import { OptionError } from '../../../src/model/errors.js'
import { DAY, MINUTE } from '../../../src/model/units.js'

const aSpec = (more: Partial<StudySpec> = {}): StudySpec => ({
  process: 'poisson:period=3d',
  policy: 'fixed:gap=1d',
  pages: 2_000,
  length: 120 * DAY,
  seed: 1,
  ...more,
})

function found(more: Partial<StudySpec> = {}) {
  const spec = aSpec(more)
  const study = studyOf(spec)
  return studyResult(study, runStudy(study, { from: 0, to: spec.pages }))
}

function expectNear(measured: { value: number | null; standardError: number | null }, is: number) {
  expect(measured.standardError).toBeGreaterThan(0)
  expect(Math.abs(measured.value! - is)).toBeLessThan(5 * measured.standardError!)
}

describe('the estimate of a study', () => {
  it('is not known where every page was visited once', () => {
    const once = found({ policy: 'fixed:gap=400d', length: 2 * DAY, pages: 2 })
    expect(once.visits.value).toBe(1)
    const unknown = { value: null, standardError: null }
    expect(once.estimate).toEqual({ bias: unknown, spread: unknown, quantiles: [] })
  })
})

describe('the scores of a study', () => {
  // Cho & Garcia-Molina 2000: with x = gap / period, freshness of evenly spaced visits to Poisson
  // changes is (1 - e^-x) / x, mean copy age gap (1/2 - 1/x + (1 - e^-x) / x^2). The chance of a
  // needless visit is e^-x, and (1 - e^-x) / x of the changes are caught.
  it.each([0.2, 1, 4])('match the closed forms at %s gaps a period', (x) => {
    const gap = 3 * DAY * x
    const length = gap * Math.round((240 * DAY) / gap)
    const result = found({ policy: `fixed:gap=${gap}`, length })
    const fresh = -Math.expm1(-x) / x
    expectNear(result.freshness, fresh)
    expectNear(result.copyAge, gap * (1 / 2 - 1 / x + -Math.expm1(-x) / x ** 2))
    expectNear(result.needless, Math.exp(-x))
    expectNear(result.caught, fresh)
    expect(result.visits.value).toBe(1 + Math.round(length / gap))
  })

  it.each([
    ['exponential', 1],
    ['uniform', 1],
  ] as const)('%s visits have the mean asked for', (law, mean) => {
    const { visits } = found({ policy: `random-gaps-${law}:mean=${mean}d` })
    // By hand, for exponential gaps: Poisson, so 1 + 120; uniform ones add E[gap^2] / (2 mean^2) - 1 = -1/3.
    expectNear(visits, law === 'exponential' ? 121 : 120 + 2 / 3)
  })

  // By hand: a Poisson page visited at Poisson times is fresh a share mu / (mu + lambda) of the time.
  it('match the closed form for exponential visits', () => {
    expectNear(
      found({ policy: 'random-gaps-exponential:mean=1d', length: 2000 * DAY, pages: 300 })
        .freshness,
      3 / 4,
    )
  })
})

describe('the estimates of a study', () => {
  it('are unbiased for many visits, with quantiles in order', () => {
    const { estimate } = found({ length: 2000 * DAY, pages: 500, learner: 'irregular-mle' })
    expect(Math.abs(estimate!.bias.value! - 1)).toBeLessThan(0.01)
    const values = estimate!.quantiles.map((each) => each.value)
    expect(values).toEqual(values.toSorted((a, b) => a - b))
    // Normal quantiles by hand: the 95% point of an unbiased estimate is 1.645 deviations up.
    const deviation = (estimate!.spread.value! / 100) * 3 * DAY
    expect(Math.abs(values[4]! / (3 * DAY + 1.645 * deviation) - 1)).toBeLessThan(0.01)
  })

  it('learn from Last-Modified only as far as it is believable', () => {
    const bias = (lastModified: string) =>
      found({ policy: 'malcolm-armitage-1', lastModified }).estimate!.bias.value!
    expect(bias('missing')).toBe(0)
    expect(Math.abs(bias('honest') - 1)).toBeLessThan(0.03)
    // By hand: ages count from the visit that saw the change, so 1 / (e^(1/3) - 1) days of 3; less in a short run.
    expect(bias('now')).toBeLessThan(1 / Math.expm1(1 / 3) / 3)
    expect(bias('now')).toBeGreaterThan(0.75)
    expect(bias('stuck')).toBeGreaterThan(1.2)
    expect(bias('random')).toBeGreaterThan(0)
  })

  it('are there for a policy that follows none, and can be left out', () => {
    expect(found().estimate).not.toBeNull()
    expect(found({ learner: 'none' }).estimate).toBeNull()
    expect(found({ learner: 'none' }).freshness).toEqual(found().freshness)
  })
})

describe('a study in parts', () => {
  it('gives the same bytes, whatever the parts and their order', () => {
    const study = studyOf(aSpec({ policy: 'random-gaps-uniform', process: 'weibull', pages: 300 }))
    const whole = JSON.stringify(studyResult(study, runStudy(study, { from: 0, to: 300 })))
    const cuts = [0, 1, 50, 177, 300]
    const parts = cuts.slice(1).map((to, i) => runStudy(study, { from: cuts[i]!, to }).state)
    for (const order of [parts, parts.toReversed()]) {
      const merged = new StudyTally()
      for (const state of order) merged.merge(new StudyTally(structuredClone(state)))
      expect(JSON.stringify(studyResult(study, merged))).toBe(whole)
    }
  })

  it('moves with the seed, and not with anything else', () => {
    const text = (seed: number) => JSON.stringify(found({ seed, pages: 50 }))
    expect(text(5)).toBe(text(5))
    expect(new Set([1, 2, 3, 4].map(text)).size).toBe(4)
  })
})

describe('any process with any policy', () => {
  it.each(processes.map((each) => each.name))('%s gives finite figures', (process) => {
    for (const policy of ['malcolm-armitage-2', 'barrels', 'nutch', 'singh', 'grimes-ford']) {
      const result = found({ process, policy, pages: 5, length: 60 * DAY })
      expect(JSON.stringify(result)).not.toMatch(/NaN|Infinity/)
      expect(result.freshness.value).toBeGreaterThan(0)
      expect(result.freshness.value).toBeLessThanOrEqual(1)
    }
  })

  it('tells nothing of chance from one page', () => {
    const { freshness, visits, estimate } = found({ pages: 1 })
    expect([freshness.standardError, visits.standardError, estimate!.spread.value]).toEqual([
      null,
      null,
      null,
    ])
  })

  it('barrels go by what an honest publisher declares', () => {
    const visits = (process: string) => found({ process, policy: 'barrels', pages: 2 }).visits.value
    expect(visits('poisson:period=3d')).toBe(121)
    expect(visits('poisson:period=8d')).toBe(1 + 17)
    expect(visits(`poisson:period=${95 * DAY}s`)).toBe(2)
    expect(visits(`poisson:period=${MINUTE}s`)).toBe(121)
  })
})

describe('studies that cannot be', () => {
  it.each([
    [{ pages: 0 }, /pages must be a whole number from 1 on; got 0/],
    [{ pages: 1.5 }, /pages/],
    [{ seed: -1 }, /seed must be a whole number from 0 on/],
    [{ length: 0 }, /above 0/],
    [{ process: 'poisson:period=-3d' }, /poisson: period is -259200, but/],
    [{ process: 'weibull:shape=0' }, /weibull: shape is 0, but/],
    [{ policy: 'fixed:gap=0s' }, /gap must be a positive duration/],
    [{ learner: 'guess' }, /no learner "guess"; there are: intuitive/],
    [{ policy: 'grimes-ford', learner: 'none' }, /follows an estimate, so it needs a learner/],
    [{ lastModified: 'shy' }, /no Last-Modified of kind "shy"; there are: honest/],
  ] as const)('are refused: %j', (more, message) => {
    expect(() => studyOf(aSpec(more))).toThrow(OptionError)
    expect(() => studyOf(aSpec(more))).toThrow(message)
  })
})
