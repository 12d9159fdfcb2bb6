import { describe, expect, it } from 'vitest'
import { annealedPlanners } from '../../src/lab/evaluate/annealed-priors.js'
import { replayCollection } from '../../src/lab/evaluate/collection.js'
import type { RecordedChanges } from '../../src/model/history.js'
import { DAY } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { noChance } from '../../src/planner/learned-step.js'
import { firstStep } from '../../src/planner/step.js'

const start = 1_700_000_000

/** Pages of a source that change at random, followed for a year. */
function pages(source: string, { period, count }: { period: number; count: number }) {
  return Array.from({ length: count }, (_, page): RecordedChanges => {
    const random = Random.stream({ seed: page + 1, index: source.charCodeAt(0) })
    const changes: number[] = []
    let at = start + period * random.exponential()
    for (; at < start + 365 * DAY; at += period * random.exponential()) changes.push(at)
    const until = start + 365 * DAY
    const times = Float64Array.from(changes)
    return { id: `${source}${page}`, source, from: start, until, cadence: 0, changes: times }
  })
}

describe('grimes-ford in the evaluation', () => {
  const firstGap = (sources: readonly RecordedChanges[], source: string) => {
    const collection = replayCollection(sources, { seed: 1 })
    const planners = annealedPlanners({ collection, perDay: 1, run: { seed: 1, warmUp: 0 } })
    const planner = planners(collection.sourceNames.indexOf(source))
    const { due } = firstStep(planner, { at: start }, noChance)
    return { gap: (due.at as number) - start, reason: due.reason }
  }

  it('begins where the pages of the other sources are, never its own', () => {
    const all = [
      ...pages('a', { period: 2 * DAY, count: 20 }),
      ...pages('b', { period: 8 * DAY, count: 20 }),
    ]
    // All pages elsewhere have one period: the pair's own estimate lies within a factor of 1.5 of it.
    expect(Math.abs(Math.log(firstGap(all, 'a').gap / (8 * DAY)))).toBeLessThan(Math.log(1.5))
    expect(Math.abs(Math.log(firstGap(all, 'b').gap / (2 * DAY)))).toBeLessThan(Math.log(1.5))
    expect(firstGap(all, 'a').reason).toContain('pages like those of other sources')
  })

  it('has no prior where there is no other source', () => {
    const { gap, reason } = firstGap(pages('a', { period: 2 * DAY, count: 5 }), 'a')
    expect(gap).toBe(11 * DAY)
    expect(reason).toContain('with no prior')
  })
})
