import { describe, expect, it } from 'vitest'
import { DAY } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { autoLearner, memoryOf } from '../../src/planner/posterior/learner.js'
import { defaultChangeLaw } from '../../src/planner/prior/default-prior.js'
import { PriorLearner } from '../../src/planner/prior/prior-learner.js'
import { historyFromGaps } from '../contracts/estimator.js'

/** Pages that change five days in a row, then rest: from their first visit on, or somewhere in the log. */
function histories({ busyAt, seed }: { busyAt: 'first' | 'anywhere'; seed: number }) {
  return Array.from({ length: 60 }, (_, page) => {
    const random = Random.stream({ seed, index: page })
    const from = busyAt === 'first' ? 0 : Math.floor(36 * random.uniform())
    const gaps = Array.from({ length: 40 }, (_, visit) =>
      visit >= from && visit < from + 5 ? DAY : -DAY,
    )
    return historyFromGaps(gaps)
  })
}

function learned({ fromFirst }: { fromFirst: boolean }) {
  const base = autoLearner()
  const learner = new PriorLearner<object>({ pages: 120, learnerFor: () => base })
  for (const [group, busyAt] of [
    ['articles', 'first'],
    ['terms', 'anywhere'],
  ] as const)
    for (const history of histories({ busyAt, seed: 3 })) {
      learner.add(group, { page: history, memory: memoryOf(history) })
      learner.addHistory(group, history, { fromFirst })
    }
  const work = learner.learn({ how: 'a test', base: defaultChangeLaw })
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}

describe('PriorLearner', () => {
  it('learns which group is followed from its pages’ beginning', () => {
    const { whole, groups } = learned({ fromFirst: true })
    expect(groups.articles!.newShare).toBeGreaterThan(0.8)
    expect(groups.terms!.newShare).toBeLessThan(0.3)
    expect(whole.newShare).toBeGreaterThan(groups.terms!.newShare!)
    expect(whole.newShare).toBeLessThan(groups.articles!.newShare!)
  })

  it('takes no later gap for a first one', () => {
    const { whole, groups } = learned({ fromFirst: false })
    expect(groups.articles!.newShare).toBeCloseTo(whole.newShare!, 5)
  })
})
