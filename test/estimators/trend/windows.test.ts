import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ConsistentWindow,
  consistentWindows,
} from '../../../src/estimators/trend/consistent-windows.js'
import { paperThreshold, type WindowOptions } from '../../../src/estimators/trend/window-rule.js'
import { OptionError } from '../../../src/model/errors.js'
import { DAY } from '../../../src/model/units.js'
import { followWindow } from '../../fixtures/follow-window.js'
import { seriesAt, timesOf } from './series.js'

const strict: WindowOptions = { threshold: { seconds: 0 } }
const cut = (gaps: number[], options: WindowOptions = strict) =>
  consistentWindows(seriesAt(timesOf(gaps)), options)
const shape = (gaps: number[], options?: WindowOptions) =>
  cut(gaps, options).map((window) => [window.state, window.points.length])

describe('consistentWindows', () => {
  it('names the state by what the change rate does', () => {
    expect(shape([5, 5, 5, 5])).toEqual([['constant', 4]])
    expect(shape([9, 7, 5, 3])).toEqual([['increasing', 4]])
    expect(shape([3, 5, 7, 9])).toEqual([['decreasing', 4]])
  })

  it('starts a new window, and t, at the point that does not fit', () => {
    // By hand: gaps 1 2 3 4 grow, 20 17 14 11 shrink; 20 still grows, so it ends the first window.
    const windows = cut([1, 2, 3, 4, 20, 17, 14, 11, 8])
    expect(windows.map((window) => window.state)).toEqual(['decreasing', 'increasing'])
    expect(windows.map((window) => window.origin)).toEqual([0, 30])
    expect(windows.map((window) => window.times)).toEqual([
      [1, 3, 6, 10, 30],
      [17, 31, 42, 50],
    ])
  })

  it('goes backward from the last three points too', () => {
    // By hand: seen from the end 8 11 14 17 20 shrink towards the end, 4 does not belong.
    expect(shape([1, 2, 3, 4, 20, 17, 14, 11, 8], { ...strict, direction: 'backward' })).toEqual([
      ['decreasing', 4],
      ['increasing', 5],
    ])
  })

  it('lets a point stray up to the threshold, by itself or in sum', () => {
    // By hand: growing gaps with two steps back, of 2 each.
    const gaps = [10, 20, 30, 28, 40, 38, 50]
    const per = (seconds: number): WindowOptions => ({ threshold: { seconds } })
    expect(shape(gaps, { ...per(2), equalWithin: 0 })).toEqual([['decreasing', 7]])
    expect(cut(gaps, { ...per(2), equalWithin: 0 })[0]).toMatchObject({ discrepancy: 4, noise: 2 })
    expect(shape(gaps, { ...per(4), equalWithin: 0, discrepancy: 'summed' })).toEqual([
      ['decreasing', 7],
    ])
    // The second step back ends the window at 5 points; the two left over are merged back.
    expect(cut(gaps, { ...per(3), equalWithin: 0, discrepancy: 'summed' })[0]).toMatchObject({
      merged: 2,
    })
  })

  it('measures the threshold in mean gaps as well', () => {
    // By hand: after 10, 10, 10 a gap of 45 strays by 35: 3.5 mean gaps.
    const gaps = [10, 10, 10, 10, 45, 10, 10, 10]
    const points = (meanGaps: number) =>
      cut(gaps, { threshold: { meanGaps } }).map((window) => window.points.length)
    expect(points(3.4)).toEqual([4, 4])
    expect(points(3.5)).toEqual([8])
  })

  it('judges by running means and against the mean of the window on demand', () => {
    // By hand: gaps 4 8 6 6 6: running means 4 6 6 6 6 never fall; the gaps do, once.
    const rising = [4, 8, 6, 6, 6]
    expect(cut(rising, { ...strict, judgedBy: 'running-means' })[0]).toMatchObject({
      state: 'decreasing',
      noise: 0,
    })
    expect(cut(rising, { ...strict, equalWithin: 0 })[0]).toMatchObject({ noise: 1 })
    // By hand: 12 after 10, 14, 14: 2 below the last, and on the near side of the mean 12.67 by 10%.
    const above = [10, 14, 14, 12]
    expect(cut(above, { ...strict, comparedWith: 'window-mean' })[0]!.noise).toBe(0)
    expect(cut(above, { ...strict, comparedWith: 'previous' })[0]!.noise).toBe(1)
  })

  it('merges short windows half and half, the odd point to the side named', () => {
    // By hand: 4 growing gaps, 3 shrinking (25, 15, 5), then 4 growing from 100.
    const gaps = [10, 20, 30, 40, 25, 15, 5, 100, 200, 300, 400]
    expect(shape(gaps)).toEqual([
      ['decreasing', 6],
      ['decreasing', 5],
    ])
    expect(shape(gaps, { ...strict, oddPoint: 'later' })).toEqual([
      ['decreasing', 5],
      ['decreasing', 6],
    ])
    expect(cut(gaps).map((window) => window.merged)).toEqual([2, 1])
    expect(shape(gaps, { ...strict, minimumPoints: 3 })).toHaveLength(3)
  })

  it('gives a short end to its only neighbour and leaves a lone short window', () => {
    expect(shape([10, 20, 30, 40, 5])).toEqual([['decreasing', 5]])
    expect(shape([1, 2])).toEqual([['decreasing', 2]])
    expect(shape([])).toEqual([])
  })

  it('has the threshold of the paper as an option', () => {
    expect(paperThreshold).toEqual({ seconds: 3 * DAY })
  })

  it.each([
    [{ threshold: { seconds: -1 } }],
    [{ threshold: { meanGaps: Number.NaN } }],
    [{ equalWithin: -0.1 }],
    [{ minimumPoints: 0 }],
  ])('refuses %j', (options) => {
    expect(() => cut([1, 2, 3], options)).toThrow(OptionError)
  })

  const someGaps = fc.array(fc.double({ min: 1e-3, max: 1e3, noNaN: true }), { maxLength: 60 })
  const someOptions: fc.Arbitrary<WindowOptions> = fc.record({
    direction: fc.constantFrom('forward', 'backward'),
    threshold: fc.oneof(
      fc.record({ seconds: fc.double({ min: 0, max: 100, noNaN: true }) }),
      fc.record({ meanGaps: fc.double({ min: 0, max: 4, noNaN: true }) }),
    ),
    discrepancy: fc.constantFrom('per-point', 'summed'),
    judgedBy: fc.constantFrom('gaps', 'running-means'),
    comparedWith: fc.constantFrom('previous', 'window-mean'),
    oddPoint: fc.constantFrom('earlier', 'later'),
    minimumPoints: fc.integer({ min: 1, max: 6 }),
  })

  it('holds every point once, in order, in windows of at least the minimum', () => {
    fc.assert(
      fc.property(someGaps, someOptions, (gaps, options) => {
        const series = seriesAt(timesOf(gaps))
        const windows = consistentWindows(series, options)
        expect(windows.flatMap((window) => window.points)).toEqual(series.points)
        let origin = series.origin
        for (const window of windows) {
          expect(window.origin).toBe(origin)
          expect(window.times).toEqual(window.points.map((point) => point.at - origin))
          if (windows.length > 1)
            expect(window.points.length).toBeGreaterThanOrEqual(options.minimumPoints!)
          origin = window.points.at(-1)!.at
        }
      }),
      { seed: 12 },
    )
  })

  it('is the same in any unit of time, with the threshold in mean gaps', () => {
    fc.assert(
      fc.property(someGaps, fc.integer({ min: -20, max: 20 }), (gaps, power) => {
        const scaled = gaps.map((gap) => gap * 2 ** power)
        expect(shape(scaled, {})).toEqual(shape(gaps, {}))
      }),
      { seed: 13 },
    )
  })
})

describe('followWindow', () => {
  const follow = (gaps: number[], options: WindowOptions = strict) => {
    const times = timesOf(gaps)
    const { points } = seriesAt(times)
    const window = consistentWindows(seriesAt(times.slice(0, -1)), options)[0]!
    return followWindow(window, { point: points.at(-1)!, options })
  }

  it('takes in a point that fits', () => {
    const followed = follow([1, 2, 3, 4, 5])
    expect(followed).toMatchObject({ outcome: 'fits', closed: null })
    expect(followed.window.times).toEqual([1, 3, 6, 10, 15])
  })

  it('starts a new window where the last points make one', () => {
    // By hand: the steps back to 28 and 17 are within 12, the one to 4 is not. From the end back,
    // 4 17 28 39 40 grow and 3 breaks it.
    const followed = follow([1, 2, 3, 40, 39, 28, 17, 4], { threshold: { seconds: 12 } })
    expect(followed.outcome).toBe('new-window')
    expect(followed.window).toMatchObject({ state: 'increasing', times: [40, 79, 107, 124, 128] })
    const { closed, window } = followed
    expect(closed!.times).toEqual([1, 3, 6])
    expect(window.origin).toBe(closed!.points.at(-1)!.at)
  })

  it('counts it as noise where they do not', () => {
    // By hand: 5 after 50 strays; from the end 5 50 40 rises, 30 falls short of that, so 3 points only.
    const followed = follow([10, 20, 30, 40, 50, 5])
    expect(followed).toMatchObject({ outcome: 'noise', closed: null })
    expect(followed.window).toMatchObject({ state: 'decreasing', noise: 1 })
    expect(followed.window.points).toHaveLength(6)
  })

  it('learns the state from its first three points', () => {
    const { points, origin } = seriesAt(timesOf([30, 20, 10]))
    const empty: ConsistentWindow = {
      ...consistentWindows({ origin, points: points.slice(0, 1) })[0]!,
      points: [],
      times: [],
    }
    const window = points.reduce((so, point) => followWindow(so, { point }).window, empty)
    expect(window).toMatchObject({ state: 'increasing', times: [30, 50, 60], origin: 0 })
  })

  it('never loses a point', () => {
    const gaps = fc.array(fc.double({ min: 1e-3, max: 1e3, noNaN: true }), {
      minLength: 4,
      maxLength: 40,
    })
    fc.assert(
      fc.property(gaps, (some) => {
        const { points, closed, window } = (() => {
          const times = timesOf(some)
          const all = seriesAt(times)
          const first = consistentWindows({ ...all, points: all.points.slice(0, -1) }, {}).at(-1)!
          const followed = followWindow(first, { point: all.points.at(-1)! })
          return { ...followed, points: [...first.points, all.points.at(-1)!] }
        })()
        expect([...(closed?.points ?? []), ...window.points]).toEqual(points)
      }),
      { seed: 14 },
    )
  })
})
