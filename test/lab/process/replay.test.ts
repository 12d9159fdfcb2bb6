import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replay } from '../../../src/lab/process/replay.js'
import { Random } from '../../../src/numeric/random.js'

const random = new Random(1)

describe('replay', () => {
  it('takes the first time as the start of the record, not as a change', () => {
    const process = replay({ times: Float64Array.of(10, 20, 30), end: 50 })
    expect(process.changePeriod).toBe(20)
    const timeline = process.timeline({ from: 10, random })
    expect(timeline.lastChange).toBe(10)
    expect(timeline.advance(50)).toBe(true)
    expect([timeline.changes, timeline.firstChange, timeline.lastChange]).toEqual([2, 20, 30])
  })

  it('starts within the record, with the changes before it in the past', () => {
    const timeline = replay({ times: Float64Array.of(10, 20, 30), end: 50 }).timeline({
      from: 20,
      random,
    })
    expect(timeline.lastChange).toBe(20)
    expect(timeline.advance(29.5)).toBe(false)
    expect(timeline.advance(30)).toBe(true)
    expect(timeline.changes).toBe(1)
  })

  it('has an infinite period where no change was recorded', () => {
    const process = replay({ times: Float64Array.of(10), end: 50 })
    expect(process.changePeriod).toBe(Infinity)
    expect(process.timeline({ from: 10, random }).advance(50)).toBe(false)
  })

  it('walks in any steps as in one, exactly', () => {
    const record = fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 60 })
    const stops = fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 30 })
    fc.assert(
      fc.property(record, stops, (changes, walk) => {
        const times = Float64Array.from([0, ...changes]).sort()
        const process = replay({ times, end: 1000 })
        const small = process.timeline({ from: 0, random })
        let [count, first] = [0, Infinity]
        for (const to of [...walk.sort((a, b) => a - b), 1000]) {
          small.advance(to)
          count += small.changes
          first = Math.min(first, small.firstChange)
        }
        const big = process.timeline({ from: 0, random })
        big.advance(1000)
        expect([count, first, small.lastChange]).toEqual([
          big.changes,
          big.firstChange,
          big.lastChange,
        ])
      }),
      { seed: 81, numRuns: 100 },
    )
  })

  it.each([
    ['time-not-forward', [1, 3, 2], 9, /time 3 of 3: .*sort the times/],
    ['duplicate-time', [1, 3, 3], 9, /time 3 of 3: .*twice/],
    ['bad-time', [1, Number.NaN], 9, /time 2 of 2/],
    ['time-after-end', [1, 10], 9, /time 2 of 2: .*end of the record/],
    ['empty-record', [], 9, /at least the time of its start/],
    ['bad-record-end', [9], 9, /no later than it starts/],
    ['bad-record-end', [1, 2], Infinity, /ends/],
  ])('refuses by %s', (code, times, end, message) => {
    const make = () => replay({ times: Float64Array.from(times), end })
    expect(make).toThrow(expect.objectContaining({ code, name: 'InputError' }))
    expect(make).toThrow(message)
  })

  it('names the line of the file', () => {
    const lineOf = (index: number) => 100 + index
    expect(() => replay({ times: Float64Array.of(1, 3, 3), end: 9, lineOf })).toThrow(
      expect.objectContaining({ line: 102, message: expect.stringMatching(/^line 102: .*twice/) }),
    )
  })

  it('refuses to leave the record', () => {
    const process = replay({ times: Float64Array.of(10, 20), end: 50 })
    const refused = expect.objectContaining({ code: 'outside-record' })
    expect(() => process.timeline({ from: 9, random })).toThrow(refused)
    expect(() => process.timeline({ from: 51, random })).toThrow(refused)
    expect(() => process.timeline({ from: 10, random }).advance(51)).toThrow(refused)
  })
})
