import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../src/model/units.js'
import {
  GuaranteeCount,
  guaranteeWarning,
  sharesWith,
} from '../../src/planner/budget/guarantees.js'

/** Six pages, of which the first have these longest gaps. */
function six(...longest: readonly number[]) {
  const count = new GuaranteeCount()
  for (let page = 0; page < 6; page++)
    count.addFollower(`http://h${page}.example/`, longest[page] ?? null)
  return count.promises
}

describe('promises to single pages', () => {
  it('say nothing where the budget keeps them', () => {
    expect(guaranteeWarning(six(), { requestsPerDay: 6 })).toBeNull()
    expect(guaranteeWarning(six(DAY, DAY), { requestsPerDay: 6 })).toBeNull()
    expect(guaranteeWarning(six(HOUR), { requestsPerDay: 60 })).toBeNull()
  })

  it('name pages and numbers where they ask for more than the budget leaves', () => {
    const text = guaranteeWarning(six(HOUR), { requestsPerDay: 6 })
    expect(text).toBe(
      '1 page with a longest gap or a policy of its own asks for 24 requests a day (http://h0.example/ 24), the budget is 6; the other 5 pages keep 2.5, half of what would be theirs: about 26.5 a day will be spent',
    )
    expect(sharesWith(six(HOUR), 6).total).toBe(26.5)
  })

  it('name three, those that ask for most, and how many more', () => {
    const text = guaranteeWarning(six(4 * HOUR, 2 * HOUR, HOUR, 3 * HOUR), { requestsPerDay: 6 })
    expect(text).toContain(
      '(http://h2.example/ 24, http://h1.example/ 12, http://h3.example/ 8 and 1 more)',
    )
  })

  it('also speak where less than half of their share would be left to the others', () => {
    expect(guaranteeWarning(six(DAY / 4), { requestsPerDay: 6 })).toContain('about 6.5 a day')
  })

  it('tell of a limit that is never exceeded, and write addresses as they are asked to', () => {
    const shown = () => 'SHOWN'
    const text = guaranteeWarning(six(HOUR), { requestsPerDay: 6, most: 10, shown })
    expect(text).toContain('SHOWN 24')
    expect(text).toContain('requests-per-day (10) is never exceeded')
  })

  it('count policies of their own, and leave out who asks for nothing', () => {
    const count = new GuaranteeCount()
    count.addFollower('http://a.example/', null)
    count.addOwn('http://b.example/', HOUR)
    count.addOwn('http://c.example/', null)
    expect(count.promises).toMatchObject({ pages: 2, requestsPerDay: 24, followers: 1, free: 1 })
    expect(guaranteeWarning(count.promises, { requestsPerDay: null })).toBeNull()
  })
})
