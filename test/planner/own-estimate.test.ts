import { describe, expect, it } from 'vitest'
import { irregularMle } from '../../src/estimators/rate/irregular-mle.js'
import type { Observation } from '../../src/model/history.js'
import { HOUR } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { believedPeriod } from '../../src/planner/change-period.js'
import { ownEstimate } from '../../src/planner/collection/page-posterior.js'
import { AutoMinds } from '../../src/planner/collection/planners.js'
import { pageAfter } from '../fixtures/page-after.js'

const start = 1_700_000_000
const period = 36 * HOUR
/** How often the list is looked at. */
const look = 3 * HOUR

/** A Poisson page that is visited when a look at its list tells of a change, and then only. */
function visitedOnNews(): Observation[] {
  const random = new Random(4)
  const observations: Observation[] = []
  let seenAt = start
  while (observations.length < 40) {
    const changedAt = seenAt + period * random.exponential()
    const at = start + Math.ceil((changedAt - start) / look) * look
    const calmFor = Math.max(0, at - look - seenAt)
    observations.push({ at, gap: at - seenAt, changed: true, calmFor, contentAge: at - changedAt })
    seenAt = at
  }
  return observations
}

describe('the default on its own page', () => {
  it('knows how often a page changes that was only visited when its list told of a change', () => {
    const minds = new AutoMinds()
    const observations = visitedOnNews()
    const told = observations.map(({ calmFor: _, contentAge: __, ...logged }) => logged)
    const history = { start: { at: start }, observations: told }
    const page = pageAfter(observations, { minds, start })
    const own = ownEstimate(page, { minds, history, level: 0.95 })!
    expect(own.changePeriod! / period).toBeGreaterThan(0.6)
    expect(own.changePeriod! / period).toBeLessThan(1.7)
    expect(own.method).toBe('auto')
    // Lists tell the same.
    expect(believedPeriod(minds.mindFor(page), page)).toBeCloseTo(own.changePeriod!, 6)
    // A log from before calm was kept, in which every visit found a change, knows no such thing.
    expect(irregularMle.estimate(history).changePeriod).toBeLessThan(period / 3)
    const whole = { ...history, observations }
    expect(irregularMle.estimate(whole).changePeriod! / period).toBeGreaterThan(0.6)
    expect(irregularMle.estimate(whole).changePeriod! / period).toBeLessThan(1.7)
  })

  it('says nothing of pages that it has not compared, or that another policy follows', () => {
    const minds = new AutoMinds()
    const page = pageAfter(visitedOnNews(), { minds, start })
    const history = { start: { at: start }, observations: [] }
    expect(ownEstimate(page, { minds, history, level: 0.95 })).toBeNull()
    expect(ownEstimate(page, { minds, history: null, level: 0.95 })).toBeNull()
    const other = { ...page, state: { learner: 'nutch/none', numbers: new Float64Array(3) } }
    const some = { start: { at: start }, observations: visitedOnNews() }
    expect(ownEstimate(other, { minds, history: some, level: 0.95 })).toBeNull()
  })
})
