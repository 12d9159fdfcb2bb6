import { describe, expect, it } from 'vitest'
import { DAY } from '../../src/model/units.js'
import { hyperexponentialLaws as laws } from '../../src/numeric/hyperexponential.js'
import { Random } from '../../src/numeric/random.js'
import { FirstGaps, fitNewShare } from '../../src/planner/prior/fit-prior.js'

/** The law of widest bursts whose fast rate is about an hour. */
const burst = Array.from({ length: laws.size }, (_, law) => law).findLast(
  (law) => laws.fast[law]! > laws.slow[law]! && laws.changeRates[laws.fast[law]!]! < 24 / DAY,
)!
const masses = new Float64Array(laws.size)
masses[burst] = 1

/** First gaps of pages of that law, a share of them met at a change, the others at any moment. */
function met(newShare: number, { count, seed }: { count: number; seed: number }): FirstGaps {
  const random = new Random(seed)
  const log = new FirstGaps()
  for (let page = 0; page < count; page++) {
    const gap = DAY * (0.5 + random.uniform())
    const fresh = random.uniform() < newShare
    const quick = random.uniform() < (fresh ? laws.share[burst]! : laws.fastTime[burst]!)
    const changeRate = laws.changeRates[(quick ? laws.fast : laws.slow)[burst]!]!
    log.note({ gap, changed: random.exponential() < changeRate * gap })
  }
  return log
}

describe('fitNewShare', () => {
  // Simulated: 1,500 pages tell the share to about 2 points.
  it.each([0, 0.3, 0.9])('finds that a share of %d is followed from the beginning', (share) => {
    const found = fitNewShare([met(share, { count: 1500, seed: 6 })], {
      masses,
      towards: 0.5,
      strength: 1,
    })
    expect(Math.abs(found - share)).toBeLessThan(0.07)
  })

  it('stays with what it is drawn to where pages are few', () => {
    const about = { masses, towards: 0.2, strength: 10 }
    expect(fitNewShare([], about)).toBeCloseTo(0.2, 12)
    const few = fitNewShare([met(1, { count: 5, seed: 7 })], about)
    expect(few).toBeGreaterThan(0.2)
    expect(few).toBeLessThan(0.5)
  })

  // By hand: under Poisson laws a beginning is like any moment, so only the pull speaks.
  it('learns nothing where all laws have one rate', () => {
    const steady = new Float64Array(laws.size)
    steady[4] = 1
    const log = met(1, { count: 50, seed: 8 })
    const rows = log.likelihoods(steady)
    for (let at = 0; at < rows.length; at += 2) expect(rows[at]).toBeCloseTo(rows[at + 1]!, 12)
  })

  it('keeps the latest two thousand', () => {
    const log = met(0, { count: 500, seed: 9 })
    for (let page = 0; page < 2000; page++) log.note({ gap: DAY, changed: true })
    expect(log.size).toBe(2000)
    const rows = log.likelihoods(masses)
    expect(new Set(rows.filter((_, at) => at % 2 === 0)).size).toBe(1)
  })

  it('gives a share for any gap', () => {
    const log = new FirstGaps()
    for (const gap of [0, 1e-9, 1e12])
      for (const changed of [true, false]) log.note({ gap, changed })
    const share = fitNewShare([log], { masses, towards: 0.5, strength: 0 })
    expect(share).toBeGreaterThanOrEqual(0)
    expect(share).toBeLessThanOrEqual(1)
  })
})
