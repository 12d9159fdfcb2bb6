import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/model/errors.js'
import { historyOf, type Outcome, outcomes, type Visit } from '../../src/model/history.js'

const visit = (at: number, outcome: Outcome, more: Partial<Visit> = {}): Visit => ({
  at,
  outcome,
  ...more,
})

describe('historyOf', () => {
  it('keeps the first visit and pairs the rest', () => {
    expect(historyOf([visit(10, 'first'), visit(30, 'changed'), visit(60, 'unchanged')])).toEqual({
      start: { at: 10 },
      observations: [
        { at: 30, gap: 20, changed: true },
        { at: 60, gap: 30, changed: false },
      ],
    })
  })

  it('counts the content age of the first visit', () => {
    expect(historyOf([visit(100, 'first', { lastModified: 40 })])?.start).toEqual({
      at: 100,
      contentAge: 60,
    })
  })

  it('takes a first visit that claims a change as first: there is nothing to pair it with', () => {
    expect(historyOf([visit(1, 'changed'), visit(2, 'unchanged')])?.observations).toHaveLength(1)
  })

  it.each(['failed', 'gone', 'refused'] as const)('widens the gap over a %s visit', (outcome) => {
    const history = historyOf([visit(0, 'first'), visit(5, outcome), visit(9, 'unchanged')])
    expect(history?.observations).toEqual([{ at: 9, gap: 9, changed: false }])
  })

  it('starts a new gap at a later first visit without closing the old one', () => {
    const history = historyOf([visit(0, 'first'), visit(5, 'first'), visit(9, 'changed')])
    expect(history?.observations).toEqual([{ at: 9, gap: 4, changed: true }])
  })

  it('is null when no visit succeeded', () => {
    expect(historyOf([])).toBeNull()
    expect(historyOf([visit(1, 'failed')])).toBeNull()
  })

  it.each([
    [
      'equal times',
      [visit(1, 'first', { line: 2 }), visit(1, 'changed', { line: 3 })],
      'time-not-forward',
    ],
    [
      'backward times',
      [visit(5, 'first', { line: 2 }), visit(4, 'failed', { line: 3 })],
      'time-not-forward',
    ],
    [
      'times from the future',
      [visit(5, 'first', { line: 2 }), visit(101, 'changed', { line: 3 })],
      'time-in-future',
    ],
    [
      'times that are no number',
      [visit(5, 'first', { line: 2 }), visit(Number.NaN, 'changed', { line: 3 })],
      'bad-time',
    ],
  ])('refuses %s, naming the line', (_, visits, code) => {
    const refused = expect(() => historyOf(visits, { now: 100 }))
    refused.toThrow(InputError)
    refused.toThrow(
      expect.objectContaining({ code, line: 3, message: expect.stringMatching(/^line 3: /) }),
    )
  })

  it('does not believe a Last-Modified that what we saw contradicts', () => {
    const history = historyOf([
      visit(100, 'first', { lastModified: 200 }), // in the visit's future
      visit(200, 'changed', { lastModified: 50 }), // old date on new content
      visit(300, 'unchanged', { lastModified: 290 }), // new date on old content
      visit(400, 'unchanged', { lastModified: 150 }),
    ])
    expect(history?.start).toEqual({ at: 100 })
    expect(history?.observations.map((each) => each.contentAge)).toEqual([
      undefined,
      undefined,
      250,
    ])
  })

  it('has gaps that are positive and, without firsts, add up to the time between successful visits', () => {
    const someVisits = fc.array(
      fc.record({
        step: fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
        outcome: fc.constantFrom(...outcomes),
      }),
      { minLength: 1, maxLength: 40 },
    )
    fc.assert(
      fc.property(someVisits, (steps) => {
        let at = 0
        const visits = steps.map(({ step, outcome }, i) => {
          at += step
          return visit(at, i > 0 && outcome === 'first' ? 'failed' : outcome)
        })
        const history = historyOf(visits)
        if (history === null) return
        for (const each of history.observations) expect(each.gap).toBeGreaterThan(0)
        const last = history.observations.at(-1)
        const total = history.observations.reduce((sum, each) => sum + each.gap, 0)
        if (last) expect(total).toBeCloseTo(last.at - history.start.at, 3)
      }),
      { seed: 1 },
    )
  })
})
