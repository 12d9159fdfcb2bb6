import { describe, expect, it } from 'vitest'
import { gridPrior, logGrid } from '../../src/estimators/prior/grid-prior.js'
import type { RatePrior } from '../../src/estimators/prior/rate-prior.js'
import { irregularMleLearner } from '../../src/estimators/rate/irregular-mle.js'
import { posteriorWith } from '../../src/estimators/rate/posterior.js'
import type { PageRecord } from '../../src/model/page.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { noChance, packState, unpackState } from '../../src/planner/learned-step.js'
import { shippedRates } from '../../src/planner/prior/shipped-rates.js'
import { learnerNamed, plannerOf, policyOf } from '../../src/planner/registry.js'
import { firstStep, step } from '../../src/planner/step.js'
import { describePolicy } from '../contracts/policy.js'
import { byEquation2, type SeenGap } from '../fixtures/grimes-ford-rule.js'

const pair = [
  { gap: 69 * HOUR, changed: true },
  { gap: 13 * HOUR, changed: false },
]
const at = 1_700_000_000

describe('grimes-ford with two pseudo-gaps', () => {
  const planner = plannerOf('grimes-ford:prior=pseudo:69h/13h')

  it('begins at the estimate from the pair alone, and says so with the number', () => {
    const { due } = firstStep(planner, { at }, noChance)
    // One changed gap c and one unchanged u: c / (e^(rc) - 1) = u, so the period is c / ln(1 + c / u).
    const expected = (69 * HOUR) / Math.log1p(69 / 13)
    expect((due.at as number) - at).toBeCloseTo(expected, 3)
    expect(expected / HOUR).toBeCloseTo(37.46, 2)
    expect(due.reason).toBe(
      'new: pages like it, by the prior given, change about every 37 hours (best first gap by two pseudo-gaps, 2.9 days changed, 13 hours unchanged); next visit after that time',
    )
  })

  it('goes on at the estimate from the pair and all gaps, visit by visit', () => {
    const random = new Random(11)
    for (const truth of [3 * HOUR, 2 * DAY, 60 * DAY]) {
      let { state, due } = firstStep(planner, { at }, noChance)
      const gaps: SeenGap[] = [...pair]
      for (let visit = 0; visit < 25; visit++) {
        const gap = (due.at as number) - state.at
        expect(Math.abs(gap / byEquation2(gaps) - 1)).toBeLessThan(0.01)
        const changed = random.uniform() < -Math.expm1(-gap / truth)
        gaps.push({ gap, changed })
        const next = step(planner, state, { at: state.at + gap, gap, changed })
        state = next.state
        due = next.due
      }
      expect(due.reason).toMatch(/^changes about every .*; next visit after that time$/)
    }
  })

  it('takes the factor of Figure 2 from the first gap on', () => {
    const { due } = firstStep(
      plannerOf('grimes-ford:factor=0.8,prior=pseudo:69h/13h'),
      { at },
      noChance,
    )
    expect(((due.at as number) - at) / HOUR).toBeCloseTo((0.8 * 69) / Math.log1p(69 / 13), 6)
    expect(due.reason).toContain('next visit after 0.8 of that')
  })
})

describe('grimes-ford without a prior', () => {
  const planner = plannerOf('grimes-ford:prior=none')

  it("begins at the paper's own 11 days and says that nothing is known", () => {
    const { due } = firstStep(planner, { at }, noChance)
    expect((due.at as number) - at).toBe(11 * DAY)
    expect(due.reason).toBe(
      "new, with no prior: first gap of 11 days, the best for the paper's own pages",
    )
    const set = firstStep(plannerOf('grimes-ford:prior=none,first=2d'), { at }, noChance)
    expect(set.due.reason).toBe('new, with no prior: first gap of 2 days, as set')
  })

  // Section 3.3: all time sampled while nothing changed, the shortest gap while everything did.
  it('has the substitutes of the edge cases', () => {
    let { state } = firstStep(planner, { at }, noChance)
    for (const gap of [DAY, 3 * DAY])
      state = step(planner, state, { at: state.at + gap, gap, changed: false }).state
    expect(state.changePeriod).toBe(4 * DAY)
    let { state: other } = firstStep(planner, { at }, noChance)
    for (const gap of [DAY, 3 * DAY])
      other = step(planner, other, { at: other.at + gap, gap, changed: true }).state
    expect(other.changePeriod).toBe(DAY)
  })
})

describe('grimes-ford with what was fitted', () => {
  const ratePrior: RatePrior = {
    kind: 'pseudo-gaps',
    from: 'the 12 of visits.csv',
    pseudoGaps: { changed: 10 * HOUR, unchanged: 2 * HOUR },
  }

  it('follows it by default, and the shipped pseudo-gaps where nothing was fitted', () => {
    const own = firstStep(plannerOf('grimes-ford', { ratePrior }), { at }, noChance)
    expect((own.due.at as number) - at).toBeCloseTo((10 * HOUR) / Math.log1p(5), 3)
    expect(own.due.reason).toMatch(
      /^new: pages like the 12 of visits\.csv change about every 5\.6 hours/,
    )
    const usual = firstStep(plannerOf('grimes-ford'), { at }, noChance)
    if (shippedRates.kind !== 'pseudo-gaps') throw new Error('the shipped prior is two pseudo-gaps')
    const { changed, unchanged } = shippedRates.pseudoGaps
    expect((usual.due.at as number) - at).toBeCloseTo(changed / Math.log1p(changed / unchanged), 3)
    expect(usual.due.reason).toContain('pages like those of the histories shipped with Revisit')
  })

  it('begins at the best first gap of a whole law, then follows the median of the posterior', () => {
    const grid = logGrid({ shortest: HOUR, longest: 100 * DAY, nodes: 61 })
    const law = gridPrior(
      grid,
      grid.map((period) => Math.exp(-(Math.log(period / (5 * DAY)) ** 2))),
    )
    const whole: RatePrior = { kind: 'law', from: 'the 60 of log.csv', law, firstGap: 3 * DAY }
    const planner = plannerOf('grimes-ford', { ratePrior: whole })
    const first = firstStep(planner, { at }, noChance)
    expect((first.due.at as number) - at).toBe(3 * DAY)
    expect(first.due.reason).toBe(
      'new: the best first gap for pages like the 60 of log.csv is 3 days',
    )
    const exact = posteriorWith({ prior: law })
    let { state } = first
    const observations: { at: number; gap: number; changed: boolean }[] = []
    for (const [i, gap] of [3 * DAY, DAY, 2 * DAY, 5 * HOUR].entries()) {
      const observation = { at: state.at + gap, gap, changed: i % 2 === 0 }
      observations.push(observation)
      const next = step(planner, state, observation)
      state = next.state
      const { changePeriod } = exact.estimate({ start: { at }, observations })
      expect(Math.abs(state.changePeriod / changePeriod! - 1)).toBeLessThan(1e-9)
      expect((next.due.at as number) - state.at).toBeCloseTo(state.changePeriod, 3)
    }
  })

  it('keeps what a page has shown when the prior is another', () => {
    const planners = ['none', 'fitted', 'pseudo:69h/13h'].map((prior) =>
      plannerOf(`grimes-ford:prior=${prior}`, { ratePrior }),
    )
    const before = step(planners[0]!, firstStep(planners[0]!, { at }, noChance).state, {
      at: at + DAY,
      gap: DAY,
      changed: true,
    })
    const state = packState(planners[0]!, before.state)
    const page = { lastSeen: at + DAY, state } as PageRecord
    for (const planner of planners) {
      const read = unpackState(planner, page, noChance)
      expect(read?.memory).toEqual(before.state.memory)
    }
  })
})

describe('the prior of a name', () => {
  it.each([
    ['grimes-ford:prior=lots', /grimes-ford: prior: "lots" is no prior; write fitted, none, or/],
    ['grimes-ford:prior=pseudo:69h', /changed and an unchanged pseudo-gap/],
    ['grimes-ford:prior=pseudo:69h/soon', /"soon" is not a duration/],
    ['grimes-ford:prior=pseudo:0h/3h', /pseudo-gaps are positive durations/],
  ])('refuses %s', (spec, message) => expect(() => policyOf(spec)).toThrow(message))

  it("is the learner's too", () => {
    const memory = new Float64Array(learnerNamed('irregular-mle').size)
    const learner = learnerNamed('irregular-mle:prior=pseudo:10h/2h')
    learner.start(memory, Number.NaN)
    expect(learner.changePeriod(memory) / HOUR).toBeCloseTo(10 / Math.log1p(5), 9)
    expect(() => learnerNamed('detection-gap:prior=none')).toThrow(/has no parameter "prior"/)
    expect(() => irregularMleLearner({ pseudoGaps: { changed: 0, unchanged: 1 } })).toThrow(
      /positive/,
    )
  })
})

for (const spec of ['grimes-ford:prior=none', 'grimes-ford:prior=pseudo:69h/13h,factor=0.8'])
  describePolicy(policyOf(spec))
