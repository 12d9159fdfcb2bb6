import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../../src/model/index.js'
import { Random } from '../../../src/numeric/index.js'
import {
  heardNews,
  type NewsTally,
  newsLift,
  noNews,
  worthNewsVisit,
} from '../../../src/schedule/index.js'

/** Visits after news of which a share found a change, where 0.2 was expected. */
function tallyOf({ visits, share, seed = 1 }: { visits: number; share: number; seed?: number }) {
  const random = new Random(seed)
  let tally: NewsTally = noNews
  for (let i = 0; i < visits; i++)
    tally = heardNews(tally, { changed: random.uniform() < share, chance: 0.2 })
  return tally
}

/** A page that stays fresh for all of its wait. */
const calm = (untilDue: number) => ({ untilDue, freshTime: () => untilDue })

describe('news of neighbours', () => {
  it('is worth nothing before it has proved itself', () => {
    expect(newsLift(noNews)).toBe(0)
    expect(newsLift(tallyOf({ visits: 19, share: 1 }))).toBe(0)
    expect(worthNewsVisit(noNews, { ...calm(30 * DAY), price: 1 })).toBe(false)
  })

  // By hand: 30 of 30 changed, 0.2 expected: 1 - 0.2 - 2 sqrt(0.9839 x 0.0161 / 30) = 0.754.
  it('is worth the lower bound of what it adds', () => {
    expect(newsLift(tallyOf({ visits: 30, share: 1 }))).toBeCloseTo(0.754, 3)
  })

  it('is not believed where pages change on their own, in 19 of 20 sites and more', () => {
    const fooled = Array.from({ length: 200 }, (_, seed) =>
      newsLift(tallyOf({ visits: 100, share: 0.2, seed })),
    ).filter((lift) => lift > 0)
    expect(fooled.length).toBeLessThanOrEqual(10)
  })

  it('calls for a visit only where the stale time it saves is worth the request', () => {
    const tally = tallyOf({ visits: 100, share: 0.9 })
    expect(worthNewsVisit(tally, { ...calm(2 * DAY), price: 6 * HOUR })).toBe(true)
    expect(worthNewsVisit(tally, { ...calm(3 * HOUR), price: 6 * HOUR })).toBe(false)
    const restless = { untilDue: 2 * DAY, freshTime: () => 3 * HOUR }
    expect(worthNewsVisit(tally, { ...restless, price: 6 * HOUR })).toBe(false)
  })

  it('is forgotten when it is no longer so', () => {
    let tally = tallyOf({ visits: 2000, share: 1 })
    expect(newsLift(tally)).toBeGreaterThan(0.7)
    for (let i = 0; i < 2000; i++) tally = heardNews(tally, { changed: false, chance: 0.2 })
    expect(newsLift(tally)).toBe(0)
  })
})
