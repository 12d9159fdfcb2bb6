import { describe, expect, it } from 'vitest'
import { PriorLesson } from '../../../src/engine/auto/prior-lesson.js'
import { memoryOf } from '../../../src/estimate/index.js'
import { DAY } from '../../../src/model/index.js'
import { Random } from '../../../src/numeric/index.js'
import { historyFromGaps } from '../../contracts/estimator.js'

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

async function learned({ fromFirst }: { fromFirst: boolean }) {
  const lesson = new PriorLesson({ pages: 120 })
  for (const [group, busyAt] of [
    ['articles', 'first'],
    ['terms', 'anywhere'],
  ] as const)
    for (const history of histories({ busyAt, seed: 3 })) {
      lesson.add(group, memoryOf(history))
      lesson.addHistory(group, history, { fromFirst })
    }
  return lesson.learn({ how: 'a test', pause: async () => {} })
}

describe('PriorLesson', () => {
  it('learns which group is followed from its pages’ beginning', async () => {
    const { whole, groups } = await learned({ fromFirst: true })
    expect(groups.articles!.newShare).toBeGreaterThan(0.8)
    expect(groups.terms!.newShare).toBeLessThan(0.3)
    expect(whole.newShare).toBeGreaterThan(groups.terms!.newShare!)
    expect(whole.newShare).toBeLessThan(groups.articles!.newShare!)
  })

  it('takes no later gap for a first one', async () => {
    const { whole, groups } = await learned({ fromFirst: false })
    expect(groups.articles!.newShare).toBeCloseTo(whole.newShare!, 5)
  })
})
