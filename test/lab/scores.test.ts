import { describe, expect, it } from 'vitest'
import { Scores } from '../../src/lab/scores.js'

describe('Scores', () => {
  // By hand: visits at 0, 10, 20; the page changes at 4 and 7, then at 26; the end is at 30.
  function byHand(lateFrom: number): Scores {
    const scores = new Scores()
    scores.begin()
    scores.stretch({ from: 0, to: 10, firstChange: 4, changes: 2, lateFrom })
    scores.visit(true)
    scores.stretch({ from: 10, to: 20, firstChange: Infinity, changes: 0, lateFrom })
    scores.visit(false)
    scores.stretch({ from: 20, to: 30, firstChange: 26, changes: 1, lateFrom })
    return scores
  }

  it('add up by hand', () => {
    const scores = byHand(0)
    expect(scores.freshness).toBeCloseTo((4 + 10 + 6) / 30, 12)
    expect(scores.copyAge).toBeCloseTo((36 / 2 + 16 / 2) / 30, 12)
    expect(scores).toMatchObject({ visits: 3, firstVisits: 1, changes: 3, caught: 1, needless: 1 })
    expect(scores.caughtShare).toBeCloseTo(1 / 3, 12)
    expect(scores.lateFreshness).toBe(scores.freshness)
  })

  it('count late time only, from the middle of a stretch too', () => {
    // From 6 on: stale 6 to 10 (copy age 2 to 6), fresh 10 to 26, stale 26 to 30.
    const scores = byHand(6)
    expect(scores.lateTime).toBe(24)
    expect(scores.lateFreshTime).toBe(16)
    expect(scores.lateCopyAgeTime).toBe((36 - 4) / 2 + 16 / 2)
  })

  it('of many pages are the sum of theirs', () => {
    const both = byHand(6)
    both.add(byHand(6))
    expect(both.freshness).toBeCloseTo(byHand(6).freshness, 12)
    expect(both.visits).toBe(6)
  })

  it('of nothing are fresh', () => {
    expect(new Scores()).toMatchObject({
      freshness: 1,
      lateFreshness: 1,
      copyAge: 0,
      caughtShare: 1,
    })
  })
})
