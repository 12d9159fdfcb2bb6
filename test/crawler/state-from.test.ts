import { describe, expect, it } from 'vitest'
import { irregularMleLearner } from '../../src/estimators/rate/irregular-mle.js'
import { type History, splitUnchanged, withUnchangedFor } from '../../src/model/history.js'
import { DAY } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { stateFrom } from '../../src/planner/learned-step.js'
import { autoPolicy } from '../../src/planner/policy.js'
import { autoLearner } from '../../src/planner/posterior/learner.js'
import { firstStep, type Planner, stepOn } from '../../src/planner/step.js'
import { fixed } from '../../src/policies/fixed-and-random.js'

/** Visited every ten days or so, when its list, polled daily, reported a change. */
const history: History = {
  start: { at: 0 },
  observations: [9, 21, 30, 42, 50].map((day, i, days) => {
    const gap = (day - (days[i - 1] ?? 0)) * DAY
    return withUnchangedFor({ at: day * DAY, gap, changed: true }, gap - DAY)
  }),
}

describe('stateFrom', () => {
  it('gives the default what it would have learned in the loop', () => {
    const planner: Planner = { policy: autoPolicy(), learner: autoLearner() }
    const { memory, changes, visits } = stateFrom(planner, history, new Random(1))
    let { state } = firstStep(planner, history.start, new Random(1))
    for (const each of history.observations) ({ state } = stepOn(planner, state, each))
    expect(memory).toEqual(state.memory)
    expect([visits, changes]).toEqual([6, 5])
    expect(planner.learner!.changePeriod(memory)).toBeGreaterThan(4 * DAY)
  })

  it('gives a learner that knows only gaps the unchanged time as a gap of its own', () => {
    const planner: Planner = { policy: fixed({ gap: DAY }), learner: irregularMleLearner() }
    const state = stateFrom(planner, history, new Random(1))
    expect(state.memory).toEqual(stateFrom(planner, splitUnchanged(history), new Random(1)).memory)
    expect([state.visits, state.changes, state.gap]).toEqual([6, 5, 8 * DAY])
    expect(planner.learner!.changePeriod(state.memory)).toBeGreaterThan(6 * DAY)
    expect(planner.learner!.changePeriod(state.memory)).toBeLessThan(15 * DAY)
  })
})
