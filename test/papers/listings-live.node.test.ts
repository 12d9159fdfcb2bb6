import { describe, expect, it } from 'vitest'
import { DAY } from '../../src/model/units.js'
import { type FollowedPage, followedStepwise } from '../fixtures/followed-on-demo.js'
import { barrelGap, expectRuled, listing1, listing2 } from '../fixtures/papers-rules.js'

// For two minutes by the command: listings-live.slow.test.ts.
describe('live over HTTP on the demo web, by name', () => {
  it('malcolm-armitage-2 plans every page by Listing 2', async () => {
    const pages = await followedStepwise('malcolm-armitage-2', DAY / 2)
    expectRuled(pages, ({ visits }, count) => listing2(visits.slice(0, count)))
    // Gaps from the shortest on, doubled before a change is seen, and shortened by changes.
    expect(pages.some(({ visits }) => visits.some(({ changed }) => changed))).toBe(true)
  }, 60_000)

  it('malcolm-armitage-1 plans every page by Listing 1', async () => {
    const all = await followedStepwise('malcolm-armitage-1', 2 * DAY)
    const dated = ({ visits }: FollowedPage) =>
      visits.every(({ contentAge }) => contentAge !== null)
    const undated = ({ visits }: FollowedPage) =>
      visits.every(({ contentAge }) => contentAge === null)
    const pages = all.filter((page) => dated(page) || undated(page))
    expectRuled(pages, ({ visits }, count) => listing1(visits.slice(0, count)))
    expect(pages.filter(dated).length).toBeGreaterThan(10)
    // Otherwise none was slow enough for a fifth of its change period.
    expect(pages.some(({ planned }) => Number(planned) > 86_401)).toBe(true)
  }, 60_000)

  it('barrels plans every page by the barrel of what it declares', async () => {
    const all = await followedStepwise('barrels', 2 * DAY)
    // Their change period is another by now than when the page was made.
    const pages = all.filter(({ law }) => law !== 'trending')
    expectRuled(pages, barrelGap)
    expect(new Set(pages.map(barrelGap)).size).toBe(4)
  }, 60_000)
})
