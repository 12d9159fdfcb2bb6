import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plottedAxis } from '../../../src/lab/figures/axis.js'
import {
  durationTicks,
  durationUnit,
  evenSteps,
  extentOf,
  logTicks,
  numberLabel,
  shareLabel,
} from '../../../src/lab/figures/ticks.js'

const HOUR = 3600
const DAY = 86_400
const labels = (low: number, high: number, most = 8) =>
  durationTicks({ low, high }, { most }).map(({ label }) => label)

describe('ticks of durations', () => {
  it.each([
    [30, 2 * HOUR, ['30 s', '1 min', '3 min', '10 min', '30 min', '1 h']],
    [HOUR, 30 * DAY, ['1 h', '3 h', '6 h', '12 h', '1 day', '3 days', '1 week', '2 weeks']],
    [DAY, 4e8, ['1 day', '1 week', '1 month', '3 months', '1 year', '10 years']],
    [0.001, 10, ['0.001 s', '0.01 s', '0.1 s', '1 s', '2 s', '3 s', '5 s', '10 s']],
    // Too narrow for the ladder: round numbers of one unit.
    [50 * HOUR, 55 * HOUR, ['2.1 days', '2.15 days', '2.2 days', '2.25 days']],
  ])('from %d to %d s', (low, high, expected) => {
    expect(labels(low, high)).toEqual(expected)
  })

  it('never crowd, never leave the axis, always ascend', () => {
    const ends = fc.tuple(
      fc.double({ min: -90, max: 90, noNaN: true }),
      fc.double({ min: 1e-6, max: 60, noNaN: true }),
    )
    fc.assert(
      fc.property(ends, fc.integer({ min: 2, max: 12 }), ([power, more], most) => {
        const [low, high] = [10 ** power, 10 ** (power + more)]
        const ticks = durationTicks({ low, high }, { most })
        expect(ticks.length).toBeLessThanOrEqual(most + 2)
        ticks.forEach(({ at, label }, i) => {
          expect(at).toBeGreaterThanOrEqual(low * (1 - 1e-9))
          expect(at).toBeLessThanOrEqual(high * (1 + 1e-9))
          if (i > 0) expect(at).toBeGreaterThan(ticks[i - 1]!.at)
          expect(label).toMatch(/^[\d.e-]+ \w+$/)
        })
      }),
      { seed: 61, numRuns: 500 },
    )
  })

  it('pick the unit of a linear axis by its length', () => {
    expect([100, 400, 3 * HOUR, 3 * DAY, 100 * DAY, 1e9].map((x) => durationUnit(x).many)).toEqual([
      'seconds',
      'minutes',
      'hours',
      'days',
      'months',
      'years',
    ])
  })
})

describe('ticks of numbers', () => {
  it.each([
    [{ low: 0, high: 1 }, 5, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [{ low: -3, high: 12 }, 4, [0, 5, 10]],
    [{ low: 1000, high: 1001 }, 2, [1000, 1000.5, 1001]],
  ])('even steps over %o', (extent, most, expected) => {
    expect(evenSteps(extent, { most })).toEqual(expected)
  })

  it.each([
    [{ low: 0.5, high: 20 }, 6, [0.5, 1, 2, 5, 10, 20]],
    [{ low: 1, high: 1e6 }, 7, [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]],
    [{ low: 1, high: 1e12 }, 7, [1, 100, 10_000, 1e6, 1e8, 1e10, 1e12]],
  ])('logarithmic over %o', (extent, most, expected) => {
    expect(logTicks(extent, { most })).toEqual(expected)
  })

  it.each([
    [0, '0'],
    [1234.5, '1,234.5'],
    [0.1 + 0.2, '0.3'],
    [3e9, '3e9'],
    [-2.5e-7, '-2.5e-7'],
  ])('%d is written %s', (value, expected) => {
    expect(numberLabel(value)).toBe(expected)
  })

  it('shares are in percent', () => {
    expect([0, 0.05, 0.07, 1].map(shareLabel)).toEqual(['0%', '5%', '7%', '100%'])
  })
})

describe('the domain of an axis', () => {
  it('holds the values that can be shown, and gives a lone one room', () => {
    expect(extentOf({ title: 'x' }, [3, 1, Number.NaN, Infinity, null])).toEqual({
      low: 1,
      high: 3,
    })
    expect(extentOf({ title: 'x' }, [5])).toEqual({ low: 4.5, high: 5.5 })
    expect(extentOf({ title: 'x', scale: 'log' }, [8, 0, -1])).toEqual({ low: 4, high: 16 })
    expect(extentOf({ title: 'x', kind: 'time' }, [HOUR])).toEqual({ low: 0, high: 2 * HOUR })
    expect(extentOf({ title: 'x', kind: 'share' }, [7])).toEqual({ low: 0, high: 1 })
    expect(extentOf({ title: 'x' }, [Number.NaN, undefined])).toBeNull()
    expect(extentOf({ title: 'x', fromZero: true, domain: [2, 9] }, [100])).toEqual({
      low: 2,
      high: 9,
    })
    expect(extentOf({ title: 'x', margin: 0.1 }, [0, 10])).toEqual({ low: -1, high: 11 })
  })

  it('leaves out points beyond it, and takes edges of bands as far as it goes', () => {
    const axis = plottedAxis(
      { title: 'x', domain: [10, 20] },
      { along: 'y', room: 200, values: [] },
    )!
    expect(axis.at(15)).toBe(15)
    expect([axis.at(9), axis.at(21), axis.at(null), axis.at(Number.NaN)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect([axis.edge(5, 'low'), axis.edge(null, 'high'), axis.edge(12, 'low')]).toEqual([
      10, 20, 12,
    ])
  })

  it('says which days it spans, since labels leave out the year', () => {
    const values = [Date.UTC(2025, 10, 3) / 1000, Date.UTC(2026, 1, 4) / 1000]
    const axis = plottedAxis({ title: 'time', kind: 'time' }, { along: 'x', room: 600, values })!
    expect(axis.scale.label).toBe('time (UTC, 2025-11-03 to 2026-02-04)')
  })

  it('tells hours by the clock of 24, with the date where it is a new one', () => {
    const values = [Date.UTC(2026, 0, 5) / 1000, Date.UTC(2026, 0, 6, 12) / 1000]
    const { scale } = plottedAxis(
      { title: 'time', kind: 'time' },
      { along: 'x', room: 600, values },
    )!
    const label = scale.tickFormat as (tick: Date, i: number, ticks: Date[]) => string
    const ticks = [0, 12, 24, 36].map((hour) => new Date(Date.UTC(2026, 0, 5, hour)))
    expect(ticks.map(label)).toEqual(['00:00\n5 Jan', '12:00', '00:00\n6 Jan', '12:00'])
  })

  it('puts a linear axis of durations in its unit', () => {
    const axis = plottedAxis(
      { title: 'gap', kind: 'duration', fromZero: true },
      { along: 'x', room: 600, values: [5 * DAY] },
    )!
    expect(axis.scale.label).toBe('gap (days)')
    expect(axis.at(2 * DAY)).toBe(2)
  })
})
