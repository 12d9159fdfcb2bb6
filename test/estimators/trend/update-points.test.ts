import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { updatePoints } from '../../../src/estimators/trend/update-points.js'
import { historyOf, type Visit } from '../../../src/model/history.js'

describe('updatePoints', () => {
  it('mixes told times and middles of gaps, each with its kind', () => {
    // By hand: the first change is told (26), the second lies in the middle of (40, 60].
    const history = {
      start: { at: 10 },
      observations: [
        { at: 30, gap: 20, changed: true, contentAge: 4 },
        { at: 40, gap: 10, changed: false },
        { at: 60, gap: 20, changed: true },
      ],
    }
    expect(updatePoints(history)).toEqual({
      origin: 10,
      until: 60,
      points: [
        { at: 26, kind: 'last-modified', after: 10, seenAt: 30 },
        { at: 50, kind: 'mid-gap', after: 40, seenAt: 60 },
      ],
    })
  })

  it('learns the time of a change from a later visit that found nothing new', () => {
    const history = {
      start: { at: 0 },
      observations: [
        { at: 10, gap: 10, changed: true },
        { at: 20, gap: 10, changed: false, contentAge: 13 },
      ],
    }
    expect(updatePoints(history).points).toEqual([
      { at: 7, kind: 'last-modified', after: 0, seenAt: 10 },
    ])
  })

  it('does not let that time reach over an earlier change', () => {
    const history = {
      start: { at: 0 },
      observations: [
        { at: 10, gap: 10, changed: true },
        { at: 20, gap: 10, changed: true, contentAge: 3 },
      ],
    }
    expect(updatePoints(history).points.map((point) => [point.at, point.kind])).toEqual([
      [5, 'mid-gap'],
      [17, 'last-modified'],
    ])
  })

  it('takes the middle where a clock puts the told time outside its gap', () => {
    const history = {
      start: { at: 0 },
      observations: [{ at: 10, gap: 10, changed: true, contentAge: 11 }],
    }
    expect(updatePoints(history).points[0]).toMatchObject({ at: 5, kind: 'mid-gap' })
  })

  it('starts at the first visit, or on demand at the update that visit told', () => {
    const history = { start: { at: 100, contentAge: 30 }, observations: [] }
    expect(updatePoints(history)).toEqual({ origin: 100, until: 100, points: [] })
    expect(updatePoints(history, { origin: 'first-content-age' }).origin).toBe(70)
    const unknown = { start: { at: 100 }, observations: [] }
    expect(updatePoints(unknown, { origin: 'first-content-age' }).origin).toBe(100)
  })

  it('has one point for each change, strictly increasing and inside its gap', () => {
    const visits = fc.array(
      fc.record({
        step: fc.double({ min: 1e-7, max: 1e6, noNaN: true }),
        outcome: fc.constantFrom('changed', 'unchanged', 'failed') as fc.Arbitrary<
          Visit['outcome']
        >,
        back: fc.option(fc.double({ min: -5, max: 1e6, noNaN: true })),
      }),
      { minLength: 1, maxLength: 40 },
    )
    fc.assert(
      fc.property(visits, (steps) => {
        let at = 1.7e9
        const history = historyOf(
          steps.flatMap(({ step, outcome, back }) => {
            const before = at
            at += step
            if (at === before) return []
            return [{ at, outcome, ...(back === null ? {} : { lastModified: at - back }) }]
          }),
        )
        if (history === null) return
        const { points, origin } = updatePoints(history)
        expect(points).toHaveLength(history.observations.filter((each) => each.changed).length)
        points.forEach((point, i) => {
          expect(point.at).toBeGreaterThan(i === 0 ? origin : points[i - 1]!.at)
          expect(point.at).toBeGreaterThan(point.after)
          expect(point.at).toBeLessThanOrEqual(point.seenAt)
        })
      }),
      { seed: 11 },
    )
  })
})
