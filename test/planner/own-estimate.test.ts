import { describe, expect, it } from 'vitest'
import { irregularMle } from '../../src/estimators/rate/irregular-mle.js'
import type { Observation } from '../../src/model/history.js'
import { HOUR } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { learnedPeriod } from '../../src/planner/change-period.js'
import { ownEstimate } from '../../src/planner/collection/page-posterior.js'
import { AutoPlanners } from '../../src/planner/collection/planners.js'
import { pageAfter } from '../fixtures/page-after.js'

const start = 1_700_000_000
const period = 36 * HOUR
/** How often the list is looked at. */
const every = 3 * HOUR

/** A Poisson page that is visited when a look at its list tells of a change, and then only. */
function visitedOnSignal(): Observation[] {
  const random = new Random(4)
  const observations: Observation[] = []
  let seenAt = start
  while (observations.length < 40) {
    const changedAt = seenAt + period * random.exponential()
    const at = start + Math.ceil((changedAt - start) / every) * every
    const unchangedFor = Math.max(0, at - every - seenAt)
    observations.push({
      at,
      gap: at - seenAt,
      changed: true,
      unchangedFor,
      contentAge: at - changedAt,
    })
    seenAt = at
  }
  return observations
}

describe('the default on its own page', () => {
  it('knows how often a page changes that was only visited when its list reported a change', () => {
    const planners = new AutoPlanners()
    const observations = visitedOnSignal()
    const reported = observations.map(({ unchangedFor: _, contentAge: __, ...logged }) => logged)
    const history = { start: { at: start }, observations: reported }
    const page = pageAfter(observations, { planners, start })
    const own = ownEstimate(page, { planners, history, level: 0.95 })!
    expect(own.changePeriod! / period).toBeGreaterThan(0.6)
    expect(own.changePeriod! / period).toBeLessThan(1.7)
    expect(own.method).toBe('auto')
    // Lists tell the same.
    expect(learnedPeriod(planners.plannerFor(page), page)).toBeCloseTo(own.changePeriod!, 6)
    // A log from before unchanged times were kept, in which every visit found a change, knows no such thing.
    expect(irregularMle.estimate(history).changePeriod).toBeLessThan(period / 3)
    const whole = { ...history, observations }
    expect(irregularMle.estimate(whole).changePeriod! / period).toBeGreaterThan(0.6)
    expect(irregularMle.estimate(whole).changePeriod! / period).toBeLessThan(1.7)
  })

  it('says nothing of pages that it has not compared, or that another policy follows', () => {
    const planners = new AutoPlanners()
    const history = { start: { at: start }, observations: [] }
    const once = pageAfter([], { planners, start })
    expect(ownEstimate(once, { planners, history, level: 0.95 })).toBeNull()
    const page = pageAfter(visitedOnSignal(), { planners, start })
    expect(ownEstimate(page, { planners, history: null, level: 0.95 })).toBeNull()
    const other = { ...page, state: { learner: 'nutch/none', numbers: new Float64Array(3) } }
    const some = { start: { at: start }, observations: visitedOnSignal() }
    expect(ownEstimate(other, { planners, history: some, level: 0.95 })).toBeNull()
  })

  it('counts all that was learned from, also where the visits themselves are not recorded', () => {
    const planners = new AutoPlanners()
    const observations = visitedOnSignal().map(({ at, gap }, n) => ({
      at,
      gap,
      changed: n % 3 > 0,
    }))
    const page = pageAfter(observations, { planners, start })
    const recorded = { start: { at: start }, observations }
    const whole = ownEstimate(page, { planners, history: recorded, level: 0.95 })!
    const folded = { start: { at: start }, observations: [] }
    const estimate = ownEstimate(page, { planners, history: folded, level: 0.95 })!
    // How much of the time was unchanged is not kept.
    const { visits, changes, samplingPeriod } = whole.evidence
    expect(estimate).toMatchObject({
      changePeriod: whole.changePeriod,
      bounds: whole.bounds,
      verdict: whole.verdict,
      evidence: { visits, observations: visits - 1, changes },
    })
    expect(estimate.evidence.samplingPeriod).toBeCloseTo(samplingPeriod, 3)
  })
})
