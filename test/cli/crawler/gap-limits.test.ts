import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limitsOf, plannersOf } from '../../../src/crawler/page-planners.js'
import type { PageRecord } from '../../../src/model/page.js'
import { DAY, HOUR, type Json, YEAR } from '../../../src/model/units.js'
import { aView } from '../../contracts/policy.js'
import { crawledSite } from '../../fixtures/crawled-site.js'

const page = (settings: Record<string, Json>) =>
  ({ id: '1', host: 'h.example', importance: 1, hints: null, settings }) as unknown as PageRecord

describe('limits of a page', () => {
  const gap = fc.double({ min: 1, max: 3 * YEAR, noNaN: true })
  const forAll = fc
    .record({ shortestGap: fc.option(gap), longestGap: fc.option(gap) })
    .filter(({ shortestGap, longestGap }) => (shortestGap ?? 0) <= (longestGap ?? Infinity))
  const policy = fc.constantFrom('auto', 'fixed:gap=1h', 'with-hints(nutch)', 'malcolm-armitage')

  it('never let it be visited sooner than its shortest gap', () => {
    const changePeriods = fc.constantFrom(60, DAY, YEAR)
    fc.assert(
      fc.property(
        forAll,
        policy,
        gap,
        fc.option(gap),
        changePeriods,
        (all, name, own, other, p) => {
          const settings = { shortest: own, ...(other === null ? {} : { longest: other }) }
          const planner = plannersOf({ policy: name, ...all })(page(settings))
          expect(planner.policy.nextGap(aView({ changePeriod: p }))).toBeGreaterThanOrEqual(own)
        },
      ),
      { seed: 13 },
    )
  })

  it('go before those of all pages, one by one', () => {
    const all = { shortestGap: 2 * HOUR, longestGap: 4 * HOUR }
    expect(limitsOf(all)(page({}))).toEqual({ minGap: 2 * HOUR, maxGap: 4 * HOUR })
    expect(limitsOf(all)(page({ shortest: DAY }))).toEqual({ minGap: DAY, maxGap: DAY })
    expect(limitsOf(all)(page({ longest: HOUR }))).toEqual({ minGap: HOUR, maxGap: HOUR })
  })

  it.each([
    ['auto', { status: 500 }, 'tried again after 3.3 months'],
    ['auto', { status: 503, headers: { 'retry-after': '60' } }, 'tried again after 3.3 months'],
    ['nutch', { status: 403 }, 'asked again after 3.3 months'],
    ['fixed:gap=1h', { status: 410 }, 'visited again after 3.3 months'],
  ])('hold after a visit that failed: %s, %j', async (name, answer, reported) => {
    const { base, revisit } = await crawledSite({ '/a': answer })
    await revisit(['watch', `${base}/a`, '--shortest', '100d', '--policy', name])
    await revisit(['run', '--once'])
    const { due, lastVisit } = JSON.parse((await revisit(['show', `${base}/a`, '--json'])).out)
    expect(due.at - lastVisit.at).toBe(100 * DAY)
    expect(due.reason).toContain(reported)
  })

  it('leave a server that asks for a minute at its word where none is set', async () => {
    const { base, revisit } = await crawledSite({
      '/a': { status: 503, headers: { 'retry-after': '60' } },
    })
    await revisit(['watch', `${base}/a`])
    await revisit(['run', '--once'])
    const { due, lastVisit } = JSON.parse((await revisit(['show', `${base}/a`, '--json'])).out)
    expect(due.at - lastVisit.at).toBe(60)
  })

  it.each([
    [['--shortest', '200d'], []],
    [
      ['--shortest', '2h'],
      ['--longest-gap', '1h'],
    ],
    [
      ['--shortest', '2h', '--policy', 'fixed:gap=10min'],
      ['--longest-gap', '1h'],
    ],
  ])('hold in a run: watch %j, run %j', async (watch, run) => {
    const { base, revisit } = await crawledSite({ '/a': { body: '<p>a</p>' } })
    await revisit(['watch', `${base}/a`, '--no-noise-check', ...watch])
    await revisit(['run', '--once', ...run])
    const { due, lastSeen, settings } = JSON.parse(
      (await revisit(['show', `${base}/a`, '--json'])).out,
    )
    expect(due.at - lastSeen).toBeGreaterThanOrEqual(settings.shortest - 1e-3)
  })
})
