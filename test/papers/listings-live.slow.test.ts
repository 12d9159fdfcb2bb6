import { describe, expect, it } from 'vitest'
import { type FollowedPage, followedByCommand } from '../fixtures/followed-on-demo.js'
import { barrelGap, expectRuled, listing1, listing2 } from '../fixtures/papers-rules.js'

const real = ['--for', '2min']

describe('live over HTTP on the demo web for two minutes, by the command', () => {
  it('malcolm-armitage-2 plans every page by Listing 2', async () => {
    const pages = await followedByCommand('malcolm-armitage-2', real)
    expectRuled(pages, ({ visits }, count) => listing2(visits.slice(0, count)))
    // Gaps from the shortest on, doubled before a change is seen, and shortened by changes.
    expect(pages.some(({ visits }) => visits.some(({ changed }) => changed))).toBe(true)
  }, 250_000)

  it('malcolm-armitage-1 plans every page by Listing 1', async () => {
    const all = await followedByCommand('malcolm-armitage-1', real)
    const dated = ({ visits }: FollowedPage) =>
      visits.every(({ contentAge }) => contentAge !== null)
    const undated = ({ visits }: FollowedPage) =>
      visits.every(({ contentAge }) => contentAge === null)
    const pages = all.filter((page) => dated(page) || undated(page))
    expectRuled(pages, ({ visits }, count) => listing1(visits.slice(0, count)))
    expect(pages.filter(dated).length).toBeGreaterThan(10)
    // Otherwise none was slow enough for a fifth of its change period.
    expect(pages.some(({ planned }) => Number(planned) > 86_401)).toBe(true)
  }, 250_000)

  it('barrels plans every page by the barrel of what it declares', async () => {
    const all = await followedByCommand('barrels', real)
    // Their change period is another by now than when the page was made.
    const pages = all.filter(({ law }) => law !== 'trending')
    expectRuled(pages, barrelGap)
    expect(new Set(pages.map(barrelGap)).size).toBe(4)
  }, 250_000)
})
