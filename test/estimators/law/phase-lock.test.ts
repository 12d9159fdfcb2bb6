import { describe, expect, it } from 'vitest'
import { phaseLock } from '../../../src/estimators/law/phase-lock.js'
import { Random } from '../../../src/numeric/random.js'
import { constant, dailyHistory, exponential, pareto, renewalHistory } from './renewal.js'

describe('phaseLock', () => {
  // The paper's example, section III-C: U = 1, S = 2, so every gap changed and every content age is 0.
  const locked = (visits: number) =>
    renewalHistory({ random: new Random(1), update: constant, gap: () => 2, visits })

  it('sees the lock of U = 1, S = 2 by its content ages', () => {
    expect(phaseLock(locked(20))).toMatchObject({ kind: 'locked', evidence: 'same-phase', beat: 2 })
    expect(phaseLock(locked(20)).advice).toMatch(/varied gaps/)
  })

  it('cannot decide it without content ages', () => {
    expect(phaseLock(dailyHistory(Array(20).fill(1)))).toMatchObject({
      kind: 'undecided',
      evidence: 'every-gap-changed',
    })
    expect(phaseLock(locked(4))).toMatchObject({ kind: 'undecided', evidence: 'too-few-changes' })
  })

  it.each([
    ['every third gap', [0, 0, 1]],
    ['U = 2.5, S = 1: after 2, after 3, in turn', [0, 1, 0, 0, 1]],
  ])('sees a pattern that repeats: %s', (_, pattern) => {
    const history = dailyHistory(Array(8).fill(pattern).flat())
    expect(phaseLock(history)).toMatchObject({ kind: 'locked', evidence: 'periodic-pattern' })
  })

  it('puts the chance of a pattern by hand', () => {
    // By hand: runs of 2, 2, 2, 2, 2 gaps, 6 changes in 12: four repeats at 1/2 * 1/2 each.
    const verdict = phaseLock(dailyHistory([0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]))
    expect(verdict.kind).toBe('free')
    expect(verdict.chance).toBeCloseTo(1 / 256, 12)
  })

  it('keeps the beat through a missed visit', () => {
    const { start, observations } = locked(20)
    const missed = observations.flatMap((seen, i) => {
      if (i === 7) return []
      return i === 8 ? [{ ...seen, gap: 4 }] : [seen]
    })
    expect(phaseLock({ start, observations: missed })).toMatchObject({ kind: 'locked', beat: 2 })
  })

  it('leaves random pages and varied gaps alone', () => {
    let alarms = 0
    for (let seed = 0; seed < 200; seed++) {
      const random = new Random(seed)
      const even = renewalHistory({ random, update: pareto, gap: constant, visits: 40 })
      if (phaseLock(even).kind === 'locked') alarms++
      const bare = dailyHistory(even.observations.map(({ changed }) => changed))
      if (phaseLock(bare).kind === 'locked') alarms++
    }
    expect(alarms).toBeLessThanOrEqual(1)
    const spread = renewalHistory({
      random: new Random(2),
      update: constant,
      gap: exponential,
      visits: 50,
    })
    expect(phaseLock(spread)).toMatchObject({ kind: 'free', evidence: 'gaps-vary', beat: null })
    expect(phaseLock(dailyHistory([])).kind).toBe('free')
  })
})
