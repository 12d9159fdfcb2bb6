import { describe, expect, it } from 'vitest'
import { detectionGap, detectionGapLearner } from '../../src/estimators/rate/detection-gap.js'
import { evidenceOf } from '../../src/estimators/rate/evidence.js'
import { DAY, MINUTE } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { begin, firstStep, PageState, proceed, resume, step } from '../../src/planner/step.js'
import { dueWithin, parseAllowedHours } from '../../src/policies/allowed-hours.js'
import { nutch } from '../../src/policies/crawlers.js'
import { malcolmArmitage2 } from '../../src/policies/malcolm-armitage.js'
import { poissonPage } from '../fixtures/poisson-page.js'

const planner = { policy: malcolmArmitage2({ maxChanges: 3 }), learner: detectionGapLearner }

describe('step', () => {
  it('gives state, estimate and due time, and leaves the state before it alone', () => {
    const first = firstStep(planner, { at: 1000 }, new Random(1))
    expect(first.due).toMatchObject({ at: 1000 + 10 * MINUTE })
    const frozen = structuredClone({ ...first.state, random: null })
    const second = step(planner, first.state, { at: 1600, gap: 600, changed: false })
    expect({ ...first.state, random: null }).toEqual(frozen)
    // No change in ten minutes: the estimate is the time sampled, so the gap doubles with it.
    expect(second.changePeriod).toBe(600)
    expect(second.state).toMatchObject({ at: 1600, visits: 2, changes: 0, plannedGap: 600 })
  })

  it('says never when the policy stops', () => {
    let now = firstStep(planner, { at: 0 }, new Random(1))
    for (let at = 1; at <= 3; at++)
      now = step(planner, now.state, { at: at * DAY, gap: DAY, changed: true })
    expect(now.due).toMatchObject({ at: 'never', reason: expect.stringContaining('3 changes') })
  })

  it('is the fast path in pure form', () => {
    const history = poissonPage(
      { changePeriod: 2 * DAY, gaps: new Float64Array(50).fill(DAY) },
      new Random(7),
    )
    for (const each of [planner, { policy: nutch, learner: null }]) {
      let pure = firstStep(each, history.start, new Random(2))
      const fast = new PageState({ learner: each.learner, random: new Random(2) })
      fast.plannedGap = begin(each, fast, { at: 0, contentAge: Number.NaN })
      for (const observation of history.observations) {
        pure = step(each, pure.state, observation)
        fast.plannedGap = proceed(each, fast, { ...observation, contentAge: Number.NaN })
        expect(fast).toEqual(pure.state)
      }
    }
  })

  it('estimates what the estimator of the same name does', () => {
    const history = poissonPage(
      { changePeriod: 2 * DAY, gaps: new Float64Array(50).fill(DAY) },
      new Random(8),
    )
    let now = firstStep(planner, history.start, new Random(1))
    for (const observation of history.observations) now = step(planner, now.state, observation)
    expect(now.changePeriod).toBeCloseTo(detectionGap.estimate(history).changePeriod!, 6)
    expect(now.state.changes).toBe(evidenceOf(history).changes)
  })
})

describe('resume', () => {
  it('starts a new gap and keeps what was learned', () => {
    const first = firstStep(planner, { at: 0 }, new Random(1))
    const second = step(planner, first.state, { at: DAY, gap: DAY, changed: false })
    const third = resume(planner, second.state, { at: 100 * DAY })
    // The hundred days in between were not compared, so no change in a day is still all that is known.
    expect(third).toMatchObject({ changePeriod: DAY, due: { at: 101 * DAY } })
    expect(third.state).toMatchObject({ at: 100 * DAY, visits: 3, changes: 0 })
  })
})

describe('dueWithin', () => {
  const morning = parseAllowedHours('8-9')
  const due = { at: 10 * 3600, reason: 'why' }

  it('moves a due time into the allowed hours, and says so once', () => {
    const moved = dueWithin(due, morning)
    expect(moved).toEqual({
      at: DAY + 8 * 3600,
      reason: 'why; deferred to its allowed hours',
    })
    expect(dueWithin({ ...moved, at: DAY }, morning)).toEqual(moved)
    expect(dueWithin({ ...due, at: 8 * 3600 + 1 }, morning).at).toBe(8 * 3600 + 1)
    expect(dueWithin({ ...due, at: 'never' }, morning).at).toBe('never')
    expect(dueWithin(due, null)).toBe(due)
  })
})
