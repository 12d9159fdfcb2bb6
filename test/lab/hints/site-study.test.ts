import { describe, expect, it } from 'vitest'
import { siteStudy, siteStudyAt } from '../../../src/lab/hints-study/site-study.js'
import { DAY } from '../../../src/model/units.js'

const small = { pages: 12, days: 100 } as const
const seeds = [11, 12]
const both = (
  options: Pick<Parameters<typeof siteStudy>[0], 'publisher' | 'hintUse' | 'price'>,
) => {
  const all = seeds.map((seed) => siteStudy({ ...small, ...options, seed }))
  const visits = all.reduce((sum, each) => sum + each.visits, 0)
  return { visits, freshness: all.reduce((sum, each) => sum + each.freshness, 0) / all.length }
}

describe('the default on a site that tells of its changes', () => {
  it('is much fresher for the same visits where hints are honest, and more than with moved gaps', () => {
    const [seed] = seeds as [number]
    const of = { ...small, publisher: 'honest', seed } as const
    const bare = siteStudy({ ...of, hintUse: 'none' })
    const near = { visits: bare.visits, rounds: 5 }
    const moved = siteStudyAt({ ...of, hintUse: 'moved' }, near)
    const hintState = siteStudyAt({ ...of, hintUse: 'evidence' }, near)
    expect(hintState.visits).toBeLessThan(1.1 * bare.visits)
    expect(hintState.freshness).toBeGreaterThan(bare.freshness + 0.1)
    expect(hintState.freshness).toBeGreaterThan(moved.freshness)
  })

  it.each([
    { publisher: 'lying', price: 0.25 * DAY },
    { publisher: 'lying', price: 2 * DAY },
    { publisher: 'stuck', price: 0.25 * DAY },
    { publisher: 'stuck', price: 2 * DAY },
  ] as const)('makes few more visits where hints are $publisher, at $price s a request', (of) => {
    const { publisher, price } = of
    const bare = both({ publisher, hintUse: 'none', price })
    const hintState = both({ publisher, hintUse: 'evidence', price })
    expect(hintState.visits).toBeLessThanOrEqual(1.05 * bare.visits)
    // Two sites of 12 pages: one seed alone scatters by about a point.
    expect(hintState.freshness).toBeGreaterThan(bare.freshness - 0.02)
  })

  it('does exactly as without where nobody tells anything', () => {
    const of = { publisher: 'missing' } as const
    expect(both({ ...of, hintUse: 'evidence' })).toEqual(both({ ...of, hintUse: 'none' }))
  })
})
