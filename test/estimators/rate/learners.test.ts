import { describe, expect, it } from 'vitest'
import { detectionGap } from '../../../src/estimators/rate/detection-gap.js'
import {
  irregularMle,
  irregularMleLearner,
  irregularMleWith,
} from '../../../src/estimators/rate/irregular-mle.js'
import { meanContentAge } from '../../../src/estimators/rate/mean-content-age.js'
import { consistentWindowLearner } from '../../../src/estimators/trend/window-learner.js'
import type { History } from '../../../src/model/history.js'
import type { Learner } from '../../../src/model/policy.js'
import { DAY, HOUR } from '../../../src/model/units.js'
import { Random } from '../../../src/numeric/random.js'
import { learnerNamed, learners, rateEstimator } from '../../../src/planner/registry.js'
import { poissonPage } from '../../fixtures/poisson-page.js'

function learned(learner: Learner, history: History): number {
  const memory = new Float64Array(learner.size)
  learner.start(memory, history.start.contentAge ?? Number.NaN)
  for (const { gap, changed, contentAge = Number.NaN } of history.observations) {
    learner.learn(memory, { gap, changed, contentAge })
  }
  return learner.changePeriod(memory)
}

const random = new Random(71)
const gaps = () => Float64Array.from({ length: 80 }, () => DAY * random.exponential() + HOUR)
const pages = Array.from({ length: 60 }, (_, i) =>
  poissonPage({ changePeriod: DAY * (0.2 + i), gaps: gaps(), tellsAge: true }, random),
)

describe.each(learners.map((each) => [each.name, each] as const))('learner %s', (name, learner) => {
  // 0.3% for the binned likelihood, rounding for the others.
  const within = name === 'irregular-mle' ? 3e-3 : 1e-9

  // The window learner predicts the next update instead; it has tests of its own below. The
  // default answers with the middle of its posterior, its estimator with the median: tests in auto/.
  if (name !== 'consistent-window' && name !== 'auto')
    it('agrees with the estimator of its name', () => {
      for (const history of pages) {
        const exact = rateEstimator(
          name === 'malcolm-armitage' ? 'mean-content-age' : name,
        ).estimate(history)
        if (exact.changePeriod === null) continue
        expect(Math.abs(learned(learner, history) - exact.changePeriod)).toBeLessThanOrEqual(
          within * exact.changePeriod,
        )
      }
    })

  it('knows nothing but its prior at the start, and forgets the page before', () => {
    const memory = new Float64Array(learner.size).fill(7)
    learner.start(memory, Number.NaN)
    const clean = new Float64Array(learner.size)
    learner.start(clean, Number.NaN)
    expect(memory).toEqual(clean)
    if (name !== 'auto') expect(learner.changePeriod(memory)).toBe(0)
  })

  it('never says NaN', () => {
    const memory = new Float64Array(learner.size)
    for (const [gap, changed, contentAge] of [
      [1e-3, true, 0],
      [1e12, false, Number.NaN],
      [1e12, true, 1e12],
      [1, true, Number.NaN],
    ] as const) {
      learner.start(memory, Number.NaN)
      for (let i = 0; i < 5; i++) {
        learner.learn(memory, { gap, changed, contentAge })
        expect(learner.changePeriod(memory)).toBeGreaterThanOrEqual(0)
        expect(learner.changePeriod(memory)).toBeLessThan(Infinity)
      }
    }
  })
})

describe('irregular-mle in bins', () => {
  const apart = (history: History) =>
    Math.abs(
      learned(irregularMleLearner(), history) / irregularMle.estimate(history).changePeriod! - 1,
    )

  it('is within 0.3% of the exact estimate on random pages, of many visits or few', () => {
    let worst = 0
    const draw = new Random(1234)
    for (let i = 0; i < 4000; i++) {
      const count = 3 + draw.below(60)
      const spread = 2 * draw.uniform()
      const gaps = Float64Array.from(
        { length: count },
        () => DAY * Math.exp(spread * draw.normal()),
      )
      const changePeriod = DAY * Math.exp(1.5 * draw.normal())
      const page = poissonPage({ changePeriod, gaps, tellsAge: false }, draw)
      if (irregularMle.estimate(page).verdict === 'ok') worst = Math.max(worst, apart(page))
    }
    // With 64 bins the worst of such cases was 0.9%.
    expect(worst).toBeGreaterThan(1e-5)
    expect(worst).toBeLessThan(3e-3)
  })

  it('is within 0.5% where gaps lie at both ends of a bin and three changes fall into each', () => {
    // The worst place in a bin: half of the gaps at either end. exp(-3) of them are unchanged.
    const lowEnd = 2 ** (Math.floor(4 * Math.log2(DAY)) / 4)
    const gaps = Array.from(
      { length: 400 },
      (_, i) => lowEnd * (i % 2 === 0 ? 1.0001 : 2 ** 0.2499),
    )
    let at = 0
    const observations = gaps.map((gap, i) => {
      at += gap
      // One in twenty unchanged, of either length in turn.
      return { at, gap, changed: i % 40 !== 0 && i % 40 !== 21 }
    })
    const found = apart({ start: { at: 0 }, observations })
    expect(found).toBeGreaterThan(1e-3)
    expect(found).toBeLessThan(5e-3)
  })
})

describe('consistent-window', () => {
  // By hand: updates seen in the middle of daily gaps, every other day: the wait is two days.
  it('predicts the next update of a steady page', () => {
    const observations = Array.from({ length: 40 }, (_, i) => ({
      at: (i + 1) * DAY,
      gap: DAY,
      changed: i % 2 === 1,
    }))
    const wait = learned(learnerNamed('consistent-window'), { start: { at: 0 }, observations })
    expect(Math.abs(wait / (2 * DAY) - 1)).toBeLessThan(0.25)
  })

  it('waits longer as a page slows down, by alpha less where given', () => {
    const slowing = [1, 2, 4, 8, 16, 32].map((gap, i, gaps) => ({
      at: gaps.slice(0, i + 1).reduce((a, b) => a + b) * DAY,
      gap: gap * DAY,
      changed: true,
      contentAge: 0,
    }))
    const history = { start: { at: 0 }, observations: slowing }
    const whole = learned(consistentWindowLearner({ alpha: 1 }), history)
    expect(whole).toBeGreaterThan(16 * DAY)
    expect(learned(consistentWindowLearner({ alpha: 0.7 }), history) / whole).toBeCloseTo(0.7, 9)
  })
})

describe('learners', () => {
  it('with pseudo-gaps start from the prior', () => {
    const pseudoGaps = { changed: 10 * DAY, unchanged: 4 * DAY }
    const exact = irregularMleWith({ pseudoGaps })
    const learner = irregularMleLearner({ pseudoGaps })
    const empty = { start: { at: 0 }, observations: [] }
    expect(learned(learner, empty) / exact.estimate(empty).changePeriod!).toBeCloseTo(1, 9)
    for (const history of pages.slice(0, 20)) {
      expect(
        Math.abs(learned(learner, history) / exact.estimate(history).changePeriod! - 1),
      ).toBeLessThan(5e-3)
    }
  })

  it('carry a content age through a gap without change', () => {
    const history = {
      start: { at: 0, contentAge: 5 },
      observations: [{ at: 3, gap: 3, changed: false }],
    }
    expect(learned(learnerNamed('mean-content-age'), history)).toBe(
      meanContentAge.estimate(history).changePeriod,
    )
  })

  it('have names that are listed for an unknown one', () => {
    expect(() => learnerNamed('guess')).toThrow(/there are: intuitive/)
    expect([detectionGap.name, irregularMle.name].map((name) => learnerNamed(name).name)).toEqual([
      'detection-gap',
      'irregular-mle',
    ])
  })
})
