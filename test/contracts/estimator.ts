import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Estimate, Estimator } from '../../src/model/estimate.js'
import type { History, Observation } from '../../src/model/history.js'

/** A History from hand-written gaps: positive with a change, negative without. */
export function historyFromGaps(
  gaps: readonly number[],
  start: { at?: number; contentAge?: number } = {},
): History {
  let at = start.at ?? 0
  const observations = gaps.map((signed) => {
    at += Math.abs(signed)
    return { at, gap: Math.abs(signed), changed: signed > 0 }
  })
  const { contentAge } = start
  return {
    start: contentAge === undefined ? { at: start.at ?? 0 } : { at: start.at ?? 0, contentAge },
    observations,
  }
}

/** The same History on a clock that runs `factor` times as fast and starts elsewhere. */
export function scaled(
  history: History,
  { factor, shift = 0 }: { factor: number; shift?: number },
): History {
  const rescale = <T extends { at: number; gap?: number; contentAge?: number }>(each: T): T => ({
    ...each,
    at: each.at * factor + shift,
    ...(each.gap === undefined ? {} : { gap: each.gap * factor }),
    ...(each.contentAge === undefined ? {} : { contentAge: each.contentAge * factor }),
  })
  return { start: rescale(history.start), observations: history.observations.map(rescale) }
}

/** Histories as hostile as the type allows: gaps over many scales, content ages present, absent or mixed. */
export function histories({
  minLength = 0,
  maxLength = 30,
  widest = 1e9,
  tiny = 0,
} = {}): fc.Arbitrary<History> {
  const least = fc.constantFrom(0, tiny)
  const gap = fc.oneof(
    fc.constantFrom(1, 60, 86_400),
    fc.double({ min: -6, max: Math.log10(widest), noNaN: true }).map((power) => 10 ** power),
  )
  const step = fc.record({
    gap,
    changed: fc.boolean(),
    reported: fc.boolean(),
    share: fc.oneof(least, fc.double({ min: 1e-6, max: 1, noNaN: true })),
  })
  const first = fc.option(fc.oneof(least, fc.double({ min: 1e-6, max: widest, noNaN: true })))
  return fc.tuple(first, fc.array(step, { minLength, maxLength })).map(([startAge, steps]) => {
    let at = 0
    let content = startAge ?? Number.NaN
    const observations = steps.map(({ gap: length, changed, reported, share }): Observation => {
      at += length
      content = changed ? share * length : content + length
      const known = reported && Number.isFinite(content)
      return { at, gap: length, changed, ...(known ? { contentAge: content } : {}) }
    })
    return {
      start: { at: 0, ...(startAge === null ? {} : { contentAge: startAge }) },
      observations,
    }
  })
}

/** Everything every estimator owes its caller; one that knows hours and days says why it has a unit of its own. */
export function describeEstimator(
  estimator: Estimator,
  { unitOfItsOwn }: { readonly unitOfItsOwn?: string } = {},
): void {
  describe(`${estimator.name}, as an estimator`, () => {
    it('has a kebab-case name and a summary', () => {
      expect(estimator.name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(estimator.summary.length).toBeGreaterThan(10)
    })

    it('says so when there is nothing to go by', () => {
      const { verdict, changeRate } = estimator.estimate(historyFromGaps([]))
      expect(['no-observation', 'prior-only']).toContain(verdict)
      if (verdict === 'no-observation') expect(changeRate).toBeNull()
    })

    it('gives only finite numbers, ordered bounds and true evidence, for any history', () => {
      fc.assert(
        fc.property(histories({ tiny: Number.MIN_VALUE }), (history) => {
          const estimate = estimator.estimate(history)
          expectSound(estimate)
          expectEvidence(estimate, history)
        }),
        { seed: 21, numRuns: 300 },
      )
    })

    it('is pure: frozen input, same output', () => {
      fc.assert(
        fc.property(histories(), (history) => {
          for (const each of history.observations) Object.freeze(each)
          Object.freeze(history.observations)
          expect(estimator.estimate(history)).toEqual(estimator.estimate(history))
        }),
        { seed: 22, numRuns: 30 },
      )
    })

    const ifUnitFree = unitOfItsOwn === undefined ? it : it.skip
    const why = unitOfItsOwn === undefined ? '' : ` (skipped: ${unitOfItsOwn})`
    ifUnitFree(
      `scales with the unit of time and does not care where the clock starts${why}`,
      () => {
        const factor = fc.constantFrom(1 / 3600, 0.1, 60, 86_400)
        fc.assert(
          fc.property(
            histories({ minLength: 1, maxLength: 12, widest: 1e6 }),
            factor,
            (history, by) => {
              const here = estimator.estimate(history)
              const there = estimator.estimate(scaled(history, { factor: by, shift: 1e9 }))
              expect(there.verdict).toBe(here.verdict)
              expectClose(there.changePeriod, here.changePeriod, by)
              expectClose(there.changeRate, here.changeRate, 1 / by)
              expectClose(there.bounds?.low ?? null, here.bounds?.low ?? null, 1 / by)
              expectClose(there.bounds?.high ?? null, here.bounds?.high ?? null, 1 / by)
            },
          ),
          { seed: 23, numRuns: 100 },
        )
      },
    )

    it('holds the estimate within its bounds, and widens them with the level', () => {
      fc.assert(
        fc.property(histories({ minLength: 1 }), (history) => {
          const wide = estimator.estimate(history, { level: 0.99 })
          const narrow = estimator.estimate(history, { level: 0.6 })
          for (const each of [wide, narrow]) if (each.verdict === 'ok') expectHeld(each)
          if (wide.bounds === null || narrow.bounds === null) return
          expect(wide.bounds.low).toBeLessThanOrEqual(narrow.bounds.low * (1 + 1e-9))
          expect(wide.bounds.high ?? Infinity).toBeGreaterThanOrEqual(
            (narrow.bounds.high ?? Infinity) * (1 - 1e-9),
          )
        }),
        { seed: 24, numRuns: 100 },
      )
    })

    it.each([0, 1, -0.5, 2, Number.NaN])('refuses a level of %s', (level) => {
      expect(() => estimator.estimate(historyFromGaps([1, -1]), { level })).toThrow(
        expect.objectContaining({ code: 'bad-level' }),
      )
    })
  })
}

function expectSound({ changeRate, changePeriod, bounds }: Estimate): void {
  for (const value of [changeRate, changePeriod]) {
    if (value !== null) expect(Number.isFinite(value) && value >= 0, String(value)).toBe(true)
  }
  if (changeRate !== null && changePeriod !== null && changeRate > 0)
    expect(changeRate * changePeriod).toBeCloseTo(1, 9)
  if (bounds === null) return
  expect(Number.isFinite(bounds.low) && bounds.low >= 0, `low ${bounds.low}`).toBe(true)
  if (bounds.high !== null) {
    expect(Number.isFinite(bounds.high), `high ${bounds.high}`).toBe(true)
    expect(bounds.high).toBeGreaterThanOrEqual(bounds.low)
  }
}

function expectEvidence({ evidence }: Estimate, { observations }: History): void {
  expect(evidence.observations).toBe(observations.length)
  expect(evidence.visits).toBe(observations.length + 1)
  expect(evidence.changes).toBe(observations.filter((each) => each.changed).length)
  expect(evidence.unchangedTime).toBeLessThanOrEqual(evidence.samplingPeriod)
}

function expectHeld({ bounds, changeRate }: Estimate): void {
  expect(bounds!.low).toBeLessThanOrEqual(changeRate! * (1 + 1e-9))
  expect(bounds!.high ?? Infinity).toBeGreaterThanOrEqual(changeRate! * (1 - 1e-9))
}

function expectClose(actual: number | null, expected: number | null, factor: number): void {
  if (expected === null) {
    expect(actual).toBeNull()
    return
  }
  const target = expected * factor
  expect(Math.abs(actual! - target), `${actual} against ${target}`).toBeLessThanOrEqual(
    1e-6 * Math.abs(target),
  )
}
