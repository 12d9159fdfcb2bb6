import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChangeLog } from '../../src/lab/process/change-log.js'
import { constantGaps, hyperexponentialGaps, weibullGaps } from '../../src/lab/process/gap-laws.js'
import { powerLawTrend } from '../../src/lab/process/inhomogeneous-poisson.js'
import { poisson } from '../../src/lab/process/poisson.js'
import { replay } from '../../src/lab/process/replay.js'
import { DAY, HOUR } from '../../src/model/units.js'

const laws = [
  poisson({ period: HOUR }),
  weibullGaps({ period: HOUR, shape: 0.5 }),
  hyperexponentialGaps({
    phases: [
      { share: 4, period: 60 },
      { share: 1, period: 5 * HOUR },
    ],
  }),
  powerLawTrend({ scale: 2 * HOUR, shape: 1.5 }),
]

describe('ChangeLog', () => {
  it.each(laws)('$name: the seed decides the changes, not who asks when', (process) => {
    const whole = new ChangeLog({ process, seed: 5, from: 0 })
    const times = whole.between({ from: 0, to: 10 * DAY })
    const asked = fc.array(fc.double({ min: 0, max: 10 * DAY, noNaN: true }), { maxLength: 30 })
    fc.assert(
      fc.property(asked, (moments) => {
        const log = new ChangeLog({ process, seed: 5, from: 0 })
        for (const at of moments) {
          const upTo = times.filter((time) => time <= at)
          expect(log.versionAt(at)).toBe(upTo.length)
          expect(log.lastChangeAt(at)).toBe(upTo.at(-1) ?? whole.lastChangeAt(0))
          expect(log.between({ from: at / 2, to: at })).toEqual(
            upTo.filter((time) => time > at / 2),
          )
          expect(log.firstBetween({ from: at / 2, to: at })).toBe(
            upTo.find((time) => time > at / 2) ?? Infinity,
          )
        }
      }),
      { seed: 61, numRuns: 30 },
    )
    expect(times.length).toBeGreaterThan(50)
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })

  // By hand: 100 gaps of an hour in 100 hours, wherever the first one is cut.
  it('gives the very times of the process', () => {
    const log = new ChangeLog({ process: constantGaps({ period: HOUR }), seed: 1, from: 7 })
    const times = log.between({ from: 7, to: 7 + 100 * HOUR })
    expect(times).toHaveLength(100)
    times.slice(1).forEach((time, i) => {
      expect(time - times[i]!).toBeCloseTo(HOUR, 6)
    })
    expect(log.lastChangeAt(7)).toBeCloseTo(times[0]! - HOUR, 6)
  })

  it('gives the times of a record, where a stride holds two at most', () => {
    const times = Float64Array.of(0, 10, 11, 50, 80)
    const log = new ChangeLog({ process: replay({ times, end: 100 }), seed: 1, from: 0, grain: 5 })
    expect(log.between({ from: 0, to: 100 })).toEqual([10, 11, 50, 80])
  })

  // By hand: first 10, last 18, five changes in the stride, so one every 2.
  it('spreads what a stride does not tell', () => {
    const times = Float64Array.of(0, 10, 11, 12, 13, 18)
    const log = new ChangeLog({ process: replay({ times, end: 40 }), seed: 1, from: 0, grain: 20 })
    expect(log.between({ from: 0, to: 40 })).toEqual([10, 12, 14, 16, 18])
  })

  // The mean of 20,000 exponential gaps has a standard error of 0.7%.
  it('keeps the period of a Poisson page', () => {
    const log = new ChangeLog({ process: poisson({ period: HOUR }), seed: 2, from: 0 })
    expect(log.versionAt(20_000 * HOUR) / 20_000).toBeCloseTo(1, 1)
  })

  it('forgets old changes, still counts them, and says so when asked for them', () => {
    const process = poisson({ period: HOUR })
    const long = new ChangeLog({ process, seed: 3, from: 0 })
    const short = new ChangeLog({ process, seed: 3, from: 0, keep: 50 })
    const end = 1000 * HOUR
    expect(short.versionAt(end)).toBe(long.versionAt(end))
    expect(short.lastChangeAt(end)).toBe(long.lastChangeAt(end))
    const recent = { from: end - 24 * HOUR, to: end }
    expect(short.between(recent)).toEqual(long.between(recent))
    expect(() => short.versionAt(HOUR)).toThrow(/forgotten; ask earlier/)
    expect(() => short.between({ from: 0, to: end })).toThrow(/forgotten/)
    expect(() => long.versionAt(-1)).toThrow(/before the start/)
    expect(() => long.versionAt(Infinity)).toThrow(/finite/)
  })

  it('refuses a grain or a memory that cannot be', () => {
    const process = poisson({ period: HOUR })
    expect(() => new ChangeLog({ process, seed: 1, from: 0, grain: 0 })).toThrow(/grain/)
    expect(() => new ChangeLog({ process, seed: 1, from: 0, keep: 0 })).toThrow(/keep/)
  })
})
