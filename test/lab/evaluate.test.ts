import { describe, expect, it } from 'vitest'
import { replayCollection } from '../../src/lab/evaluate/collection.js'
import { clairvoyant } from '../../src/lab/evaluate/contender.js'
import {
  PageReplay,
  runRule,
  stretchForBudget,
  visitsAllowed,
  visitsUsed,
} from '../../src/lab/evaluate/policy-replay.js'
import { Scores } from '../../src/lab/scores.js'
import type { RecordedChanges } from '../../src/model/history.js'
import { DAY, HOUR, WEEK } from '../../src/model/units.js'
import { nutch } from '../../src/policies/crawlers.js'
import { fixed } from '../../src/policies/fixed-and-random.js'

const monday = 4 * DAY // Unix time starts on a Thursday.
const object = (more: Partial<RecordedChanges> & { id: string }): RecordedChanges => ({
  source: 'a',
  from: monday,
  until: monday + 20 * DAY,
  cadence: 0,
  changes: Float64Array.of(),
  ...more,
})
const total = (pages: readonly Scores[]) => {
  const sum = new Scores()
  for (const each of pages) sum.add(each)
  return sum
}

describe('replayCollection', () => {
  it('keeps the alignment within a source and the hour of the week', () => {
    const objects = [
      object({ id: 'x', changes: Float64Array.of(monday + 3 * DAY) }),
      object({ id: 'y', from: monday + 2 * DAY, changes: Float64Array.of(monday + 5 * DAY) }),
      object({
        id: 'z',
        source: 'b',
        from: monday + 100 * WEEK,
        until: monday + 101 * WEEK,
        changes: Float64Array.of(monday + 100 * WEEK + DAY),
      }),
    ]
    const { times, from, offsets, sourceNames } = replayCollection(objects, { seed: 1 })
    expect(sourceNames).toEqual(['a', 'b'])
    expect(times[1]! - times[0]!).toBe(2 * DAY)
    expect(from[1]! - from[0]!).toBe(2 * DAY)
    const expected = [3 * DAY, 5 * DAY, DAY]
    for (const [i, at] of expected.entries())
      expect((times[i]! - at - monday) % WEEK).toBeCloseTo(0, 6)
    expect([...offsets]).toEqual([0, 1, 2, 3])
  })

  it('takes the stretch of a source that holds most object time', () => {
    const changes = Float64Array.of(monday + 50 * DAY, monday + 900 * DAY)
    const objects = [
      object({ id: 'old', until: monday + 1000 * DAY, changes }),
      object({
        id: 'short',
        until: monday + 100 * DAY,
        changes: Float64Array.of(monday + 60 * DAY),
      }),
    ]
    const collection = replayCollection(objects, { seed: 1, length: 100 * DAY })
    expect(collection.ids).toEqual(['old', 'short'])
    expect(collection.times).toHaveLength(2)
  })

  it('spreads polled changes back within the cadence, never past the change before, repeatably', () => {
    const recorded = Float64Array.from({ length: 200 }, (_, i) => monday + (i + 1) * 6 * HOUR)
    const polled = object({
      id: 'p',
      cadence: 6 * HOUR,
      until: monday + 60 * DAY,
      changes: recorded,
    })
    const one = replayCollection([polled], { seed: 1 })
    expect(replayCollection([polled], { seed: 1 }).times).toEqual(one.times)
    expect(replayCollection([polled], { seed: 2 }).times).not.toEqual(one.times)
    const exact = replayCollection([{ ...polled, cadence: 0 }], { seed: 1 }).times
    one.times.forEach((at, i) => {
      expect(at).toBeLessThanOrEqual(exact[i]!)
      expect(at).toBeGreaterThan(exact[i]! - 6 * HOUR)
      if (i > 0) expect(at).toBeGreaterThan(one.times[i - 1]!)
    })
  })

  it('refuses nothing to replay', () => {
    expect(() => replayCollection([object({ id: 'e', until: monday })], { seed: 1 })).toThrow(
      /no recorded object/,
    )
    expect(() => replayCollection([object({ id: 'e' })], { seed: 1, length: 0 })).toThrow(
      /must be positive/,
    )
  })
})

describe('replay under a budget', () => {
  const everyDay = Float64Array.from({ length: 19 }, (_, i) => monday + (i + 0.5) * DAY)
  const collection = replayCollection(
    [object({ id: 'daily', changes: everyDay }), object({ id: 'calm' })],
    { seed: 1 },
  )
  const ruled = (policy: Parameters<typeof fixed>[0] | typeof nutch) => (stretch: number) =>
    runRule(
      collection,
      () => ({
        policy: policy === nutch ? nutch : fixed(policy as { gap: number }),
        learner: null,
      }),
      {
        seed: 1,
        warmUp: 0,
        stretch,
      },
    )

  // By hand: visited at the start of each day, changed at noon: half fresh; the other page always is.
  it('scores a fixed gap by hand', () => {
    const pages = ruled({ gap: DAY })(1)
    expect(pages[0]!.freshTime).toBe(19 * 0.5 * DAY + DAY)
    expect(pages[1]!.freshness).toBe(1)
    expect(visitsUsed(pages)).toBe(40)
  })

  it('finds the stretch that just spends the budget', () => {
    const allowed = visitsAllowed(collection, { perDay: 0.5 })
    expect(allowed).toBe(20)
    for (const policy of [{ gap: HOUR }, nutch]) {
      const { scores, stretch } = stretchForBudget(ruled(policy), { allowed })
      expect(visitsUsed(scores)).toBeLessThanOrEqual(20)
      expect(visitsUsed(ruled(policy)(stretch! * 0.9))).toBeGreaterThanOrEqual(20)
    }
    expect(() => stretchForBudget(() => [], { allowed: 0 })).toThrow(/budget must be/)
  })

  it('names no stretch where none keeps the budget', () => {
    // Half a visit in all: no visit is too few, one too many, however long the gaps.
    const { scores, stretch } = stretchForBudget(ruled({ gap: DAY }), { allowed: 0.4 })
    expect(stretch).toBeNull()
    expect(visitsUsed(scores)).toBe(0)
  })

  it('is bounded by the clairvoyant, who is bounded by all changes', () => {
    for (const allowed of [1, 5, 19]) {
      const bound = total(clairvoyant(collection, { allowed, warmUp: 0 }))
      expect(bound.visits - bound.firstVisits).toBe(allowed)
      const rule = stretchForBudget(ruled({ gap: DAY }), { allowed })
      expect(bound.freshness).toBeGreaterThanOrEqual(total(rule.scores).freshness)
    }
    expect(total(clairvoyant(collection, { allowed: 19, warmUp: 0 })).freshness).toBe(1)
  })

  it('walks recorded changes exactly, in one step or in many', () => {
    const whole = new PageReplay(collection, 0)
    expect(whole.advance(20 * DAY)).toBe(true)
    const steps = new PageReplay(collection, 0)
    let changes = 0
    for (let at = 0; at <= 20 * DAY; at += HOUR) {
      steps.advance(at)
      changes += steps.changes
    }
    expect(changes).toBe(whole.changes)
    expect(steps.lastChange).toBe(whole.lastChange)
  })
})
