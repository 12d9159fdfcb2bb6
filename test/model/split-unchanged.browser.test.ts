import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  historyOf,
  type Observation,
  splitUnchanged,
  unchangedTimeOf,
  type Visit,
  withUnchangedFor,
} from '../../src/model/history.js'

const first: Visit = { at: 100, outcome: 'first' }
const seen = (more: Partial<Visit>): Observation =>
  historyOf([first, { at: 200, outcome: 'changed', ...more }])!.observations[0]!

describe('the unchanged beginning of a gap', () => {
  it('is in the history where the log tells it', () => {
    expect(seen({ unchangedFor: 70 })).toEqual({
      at: 200,
      gap: 100,
      changed: true,
      unchangedFor: 70,
    })
    // Changed at 190, after the unchanged time that ended at 170.
    expect(seen({ unchangedFor: 70, lastModified: 190 })).toMatchObject({
      unchangedFor: 70,
      contentAge: 10,
    })
  })

  it.each([0, -1, 100, 101, Number.NaN, Infinity])(
    'is left out where it cannot be: %d',
    (unchangedFor) => {
      expect(seen({ unchangedFor })).toEqual({ at: 200, gap: 100, changed: true })
    },
  )

  it('is left out where the page did not change, or changed before by Last-Modified', () => {
    expect(seen({ unchangedFor: 70, outcome: 'unchanged' })).not.toHaveProperty('unchangedFor')
    // Changed at 150, while the list was thought to report no change up to 170.
    expect(seen({ unchangedFor: 70, lastModified: 150 })).not.toHaveProperty('unchangedFor')
    // A second or two is a matter of clocks.
    expect(seen({ unchangedFor: 70, lastModified: 169 })).toHaveProperty('unchangedFor')
  })
})

describe('splitUnchanged', () => {
  it('gives an unchanged gap for the unchanged time, and the rest with the change', () => {
    const reported = { at: 200, gap: 100, changed: true, contentAge: 31, unchangedFor: 70 }
    const history = {
      start: { at: 100 },
      observations: [reported, { at: 240, gap: 40, changed: false }],
    }
    expect(splitUnchanged(history)).toEqual({
      start: { at: 100 },
      observations: [
        { at: 170, gap: 70, changed: false },
        { at: 200, gap: 30, changed: true, contentAge: 30 },
        { at: 240, gap: 40, changed: false },
      ],
    })
    expect(history.observations.map(unchangedTimeOf)).toEqual([70, 40])
  })

  it('is the history itself where nothing is known', () => {
    const history = { start: { at: 0 }, observations: [{ at: 5, gap: 5, changed: true }] }
    expect(splitUnchanged(history)).toBe(history)
    expect(unchangedTimeOf(history.observations[0]!)).toBe(0)
  })

  it('keeps all time and every change, and splits once', () => {
    const gap = fc.double({ min: 1e-6, max: 1e9, noNaN: true })
    const each = fc.record({ gap, changed: fc.boolean(), unchangedFor: fc.double() })
    const property = fc.property(fc.array(each, { maxLength: 20 }), (gaps) => {
      let at = 0
      const observations = gaps.map(({ gap: length, changed, unchangedFor }) => {
        at += length
        return withUnchangedFor({ at, gap: length, changed }, unchangedFor * length)
      })
      const split = splitUnchanged({ start: { at: 0 }, observations })
      const sum = (all: readonly Observation[], of: (one: Observation) => number) =>
        all.reduce((total, one) => total + of(one), 0)
      expect(sum(split.observations, (one) => one.gap)).toBeCloseTo(
        sum(observations, (o) => o.gap),
        -3,
      )
      const changes = (all: readonly Observation[]) => all.filter((one) => one.changed).length
      expect(changes(split.observations)).toBe(changes(observations))
      expect(split.observations.every((one) => one.gap > 0)).toBe(true)
      expect(splitUnchanged(split)).toBe(split)
    })
    fc.assert(property, { seed: 1, numRuns: 200 })
  })
})
