import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChangeProcess, Timeline } from '../../src/lab/process/change-process.js'
import { Random } from '../../src/numeric/random.js'
import { mean, variance } from '../../src/numeric/summary.js'
import { kolmogorov, kolmogorovBetween } from '../fixtures/kolmogorov.js'

/** What is known of a process without running it. */
export interface ClosedForms {
  /** Where timelines start; 0 by default. */
  readonly from?: number
  /** The time that tests measure by, about one gap. */
  readonly unit: number
  /** Chance that the content age at the start is at most x; null for a record, which has one. */
  readonly contentAge: ((x: number) => number) | null
  /** Chance that the first change comes within x of the start; the law of the content age by default. */
  readonly residual?: (x: number) => number
  /** Whether any moment finds the law that the start finds. */
  readonly stationary?: boolean
  /** Gaps, where they all have one law; variance null where it or its spread is infinite. */
  readonly gap?: {
    readonly mean: number
    readonly variance: number | null
    readonly below?: (x: number) => number
  }
  /** Mean number of changes in the first x. */
  readonly changes: (x: number) => number
  /** Variance of that number, where it has a closed form. */
  readonly countVariance?: (x: number) => number
  /** How far a timeline can go; for ever by default. */
  readonly end?: number
}

/** Passed by chance once in a thousand; the seeds are fixed, so it holds always or never. */
const rare = 1.95

/** Everything every process owes its caller, and its own closed forms. */
export function describeProcess(process: ChangeProcess, truth: ClosedForms): void {
  const { from = 0, unit, end = Infinity } = truth
  const start = (seed: number) => process.timeline({ from, random: new Random(seed) })
  const many = (count: number, see: (timeline: Timeline) => number): number[] => {
    const random = new Random(31)
    return Array.from({ length: count }, () => see(process.timeline({ from, random })))
  }

  describe(`${process.name}: ${process.summary}, as a process`, () => {
    it('has a kebab-case name, a summary and a period', () => {
      expect(process.name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      expect(process.summary.length).toBeGreaterThan(10)
      expect(process.changePeriod).toBeGreaterThan(0)
    })

    it('keeps its word on any walk: times go forward, fields agree', () => {
      const steps = fc.array(
        fc.oneof(
          fc.constantFrom(0, 0.5, 1),
          fc.integer({ min: 1, max: 20_000 }).map((k) => k / 1000),
        ),
        { maxLength: 30 },
      )
      fc.assert(
        fc.property(steps, fc.integer(), (walk, seed) => {
          expectSoundWalk(start(seed), { walk, from, unit, end })
        }),
        { seed: 32, numRuns: 60 },
      )
    })

    it('does the same for the same seed, and something else for another', () => {
      const reported = (seed: number) => {
        const timeline = start(seed)
        return [0.1, 0.3, 2, 2.5, 7, 7, 12].flatMap((at) => {
          timeline.advance(Math.min(end, from + at * unit))
          return [timeline.changes, timeline.firstChange, timeline.lastChange]
        })
      }
      expect(reported(33)).toEqual(reported(33))
      if (truth.contentAge !== null) expect(reported(33)).not.toEqual(reported(34))
    })

    it('has the mean number of changes in a stretch, and its spread', () => {
      for (const units of [0.3, 30]) {
        const length = Math.min(end - from, units * unit)
        const counts = many(3000, (timeline) => countIn(timeline, from + length))
        const error = Math.sqrt(variance(counts) / counts.length)
        const expected = truth.changes(length)
        expect(Math.abs(mean(counts) - expected), `in ${units} units`).toBeLessThanOrEqual(
          4 * error + 1e-9 * expected,
        )
        const spread = truth.countVariance?.(length)
        if (spread !== undefined) expectVariance(counts, { expected: spread, unit: 1 })
      }
    })

    it('walks in small steps as in one, in law', () => {
      const length = Math.min(end - from, 5 * unit)
      const oneStep = seenAtEnd({ process, from, length, steps: 1, seed: 35 })
      const smallSteps = seenAtEnd({ process, from, length, steps: 40, seed: 36 })
      for (const what of ['counts', 'firsts', 'lasts'] as const)
        expect(kolmogorovBetween(oneStep[what], smallSteps[what]), what).toBeLessThan(rare)
    })

    const { contentAge } = truth
    if (contentAge !== null) {
      it('starts with the content age and the residual of its law', () => {
        const found = many(4000, (timeline) => from - timeline.lastChange)
        expect(kolmogorov(found, { below: contentAge })).toBeLessThan(rare)
        const awaited = many(4000, (timeline) => firstAfter(timeline, { from, unit }))
        expect(kolmogorov(awaited, { below: truth.residual ?? contentAge })).toBeLessThan(rare)
      })
    }

    if (contentAge !== null && truth.stationary === true) {
      it.each([0.37, 11])('is in equilibrium after %s units as at the start', (units) => {
        const at = from + units * unit
        const found = many(4000, (timeline) => {
          timeline.advance(at)
          return at - timeline.lastChange
        })
        expect(kolmogorov(found, { below: contentAge })).toBeLessThan(rare)
      })
    }

    const { gap } = truth
    if (gap !== undefined) {
      it('has gaps of the mean, the variance and the law of its closed form', () => {
        const step = gap.mean / 500
        const gaps = gapsOf(start(37), { from, step, count: 3000 })
        const error = Math.sqrt((gap.variance ?? variance(gaps)) / gaps.length)
        expect(Math.abs(mean(gaps) - gap.mean)).toBeLessThanOrEqual(4 * error + 1e-9 * gap.mean)
        if (gap.variance !== null) expectVariance(gaps, { expected: gap.variance, unit: gap.mean })
        if (gap.below !== undefined)
          expect(kolmogorov(gaps, { below: gap.below, from: step })).toBeLessThan(rare)
      })
    }
  })
}

function expectSoundWalk(
  timeline: Timeline,
  { walk, from, unit, end }: { walk: readonly number[]; from: number; unit: number; end: number },
): void {
  let present = from
  let before = timeline.lastChange
  expect(before).toBeLessThanOrEqual(from)
  for (const step of walk) {
    const to = Math.min(end, present + step * unit)
    const changed = timeline.advance(to)
    const { changes, firstChange, lastChange } = timeline
    expect(changed).toBe(changes > 0)
    expect(Number.isSafeInteger(changes)).toBe(true)
    expect(Number.isFinite(lastChange)).toBe(true)
    if (changed) {
      expect(firstChange).toBeGreaterThanOrEqual(present)
      expect(lastChange).toBeGreaterThanOrEqual(firstChange)
      expect(lastChange).toBeLessThanOrEqual(to)
      if (changes === 1) expect(lastChange).toBe(firstChange)
    } else {
      expect(changes).toBe(0)
      expect(firstChange).toBe(Infinity)
      expect(lastChange).toBe(before)
    }
    present = to
    before = lastChange
  }
}

function countIn(timeline: Timeline, to: number): number {
  timeline.advance(to)
  return timeline.changes
}

/** How long the first change is in coming; stretches double, so a calm of ages is crossed at once. */
function firstAfter(timeline: Timeline, { from, unit }: { from: number; unit: number }): number {
  for (let length = unit / 64; length < 1e9 * unit; length *= 2)
    if (timeline.advance(from + length)) return timeline.firstChange - from
  return Infinity
}

function seenAtEnd({
  process,
  from,
  length,
  steps,
  seed,
}: {
  process: ChangeProcess
  from: number
  length: number
  steps: number
  seed: number
}) {
  const random = new Random(seed)
  const seen = { counts: [] as number[], firsts: [] as number[], lasts: [] as number[] }
  for (let page = 0; page < 2000; page++) {
    const timeline = process.timeline({ from, random })
    let count = 0
    let first = Infinity
    for (let step = 1; step <= steps; step++) {
      timeline.advance(from + (length * step) / steps)
      count += timeline.changes
      first = Math.min(first, timeline.firstChange)
    }
    seen.counts.push(count)
    seen.firsts.push(first)
    seen.lasts.push(timeline.lastChange)
  }
  return seen
}

/**
 * Gaps as steps far shorter than most of them see them. Of three and more
 * changes in one step only the sum of the gaps is known; it is shared out
 * alike, which moves no gap across the length of a step.
 */
function gapsOf(
  timeline: Timeline,
  { from, step, count }: { from: number; step: number; count: number },
): number[] {
  const gaps: number[] = []
  let before = Number.NaN
  for (let k = 1; gaps.length < count; k++) {
    if (!timeline.advance(from + k * step)) continue
    const { changes, firstChange, lastChange } = timeline
    if (!Number.isNaN(before)) {
      gaps.push(firstChange - before)
      for (let i = 1; i < changes; i++) gaps.push((lastChange - firstChange) / (changes - 1))
    }
    before = lastChange
  }
  return gaps
}

/** Within 4 standard errors of a variance, the error from the sample's own fourth moment. */
function expectVariance(
  values: readonly number[],
  { expected, unit }: { expected: number; unit: number },
): void {
  const centre = mean(values)
  const squares = values.map((value) => (value - centre) ** 2)
  const error = Math.sqrt(variance(squares) / values.length)
  expect(Math.abs(variance(values) - expected)).toBeLessThanOrEqual(4 * error + 1e-9 * unit * unit)
}
