import { describe, expect, it } from 'vitest'
import { httpTotals, runHttpExperiment } from '../../papers/hattab/http-experiment.js'
import { printed } from '../../papers/hattab/printed.js'
import { sitesLike } from '../../papers/hattab/sites.js'
import { WEEK } from '../../src/model/units.js'

describe('ten small sites over real HTTP', () => {
  it('are visited as weekly visits and tags demand', async () => {
    const sites = sitesLike(printed.sites)
    const run = await runHttpExperiment(sites, { length: 4 * WEEK, seed: 2, progress: () => {} })
    const totals = (crawler: 'typical' | 'tags', path: string) => httpTotals(run, { crawler, path })
    // By hand: ten pages of a kind, four weeks, from the first Monday on.
    for (const path of ['/', '/archive', '/imprint'])
      expect(totals('typical', path).visits).toBe(40)
    const never = totals('tags', '/imprint')
    expect(never).toMatchObject({ visits: 10, changes: 0, caught: 0, freshness: 1 })
    // By hand: changed on four Wednesdays, seen on the three Mondays after the first three.
    const weekly = totals('tags', '/archive')
    expect(weekly).toMatchObject({ visits: 40, changes: 40, caught: 30, needless: 0 })
    // By hand: fresh from Monday to Wednesday noon, 2.5 of 7 days (visits are seconds late).
    expect(weekly.freshness).toBeCloseTo(2.5 / 7, 3)
    const unchanged = totals('typical', '/imprint')
    expect(unchanged).toMatchObject({ notModified: 30, needless: 30 })
    expect(unchanged.bytes).toBe(never.bytes)
    const front = { typical: totals('typical', '/'), tags: totals('tags', '/') }
    expect(front.tags.caught).toBeGreaterThan(2 * front.typical.caught)
    expect(front.tags.freshness).toBeGreaterThan(front.typical.freshness)
    // A visit catches a change or is needless, but for the first of each page.
    for (const each of Object.values(front))
      expect(each.caught + each.needless).toBe(each.visits - 10)
  })
})
