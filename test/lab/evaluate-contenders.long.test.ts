import { describe, expect, it } from 'vitest'
import { type ReplayCollection, replayCollection } from '../../src/lab/evaluate/collection.js'
import {
  annealedContender,
  contenders,
  listing1Contender,
} from '../../src/lab/evaluate/contenders.js'
import { evaluate } from '../../src/lab/evaluate/evaluate.js'
import { learnersElsewhere } from '../../src/lab/evaluate/leave-one-out-priors.js'
import { jackknifeError, ratioWithout } from '../../src/lab/evaluate/measures.js'
import { OptionError } from '../../src/model/errors.js'
import type { RecordedChanges } from '../../src/model/history.js'
import { DAY } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { subCollection } from './sub-collection.js'

const start = 1_700_000_000
const run = { seed: 1, warmUp: 30 * DAY }

/** Pages of three sources over 120 days; `factor` makes source c's pages slower. */
function objects({ factor = 1 }: { factor?: number } = {}): RecordedChanges[] {
  return Array.from({ length: 30 }, (_, page) => {
    const random = Random.stream({ seed: 2, index: page })
    const source = 'abc'[page % 3]!
    const period = DAY * 2 ** (page % 7) * (source === 'c' ? factor : 1)
    const changes: number[] = []
    let at = start + period * random.exponential()
    for (; at < start + 120 * DAY; at += period * random.exponential()) changes.push(at)
    return {
      id: `p${page}`,
      source,
      from: start,
      until: start + 120 * DAY,
      cadence: source === 'a' ? DAY / 2 : 0,
      changes: Float64Array.from(changes),
    }
  })
}
const collection: ReplayCollection = replayCollection(objects(), { seed: 1 })

describe('every contender', () => {
  const all = [...contenders, annealedContender, listing1Contender]
  const reported = { ...run, lastModified: true }
  const rows = evaluate(collection, { contenders: all, budgets: [0.1, 2], run: reported })

  it.each(rows.map((row) => [`${row.contender} at ${row.perDay}`, row] as const))(
    '%s keeps the budget and gives sane figures',
    (_, row) => {
      expect(row.usedPerDay).toBeLessThan(row.perDay * 1.06)
      for (const share of [row.freshness, row.lateFreshness, row.caught, row.needless]) {
        expect(share).toBeGreaterThanOrEqual(0)
        expect(share).toBeLessThanOrEqual(1)
      }
      expect(row.copyAge).toBeGreaterThanOrEqual(0)
      expect(row.freshnessError).toBeGreaterThanOrEqual(0)
      expect(row.stretch === null).toBe(
        row.kind === 'budget' || /oracle|clairv/.test(row.contender),
      )
    },
  )

  it('is bounded by the clairvoyant', () => {
    for (const perDay of [0.1, 2]) {
      const of = rows.filter((row) => row.perDay === perDay)
      const bound = of.find((row) => row.contender === 'clairvoyant')!
      for (const row of of) expect(row.freshness).toBeLessThanOrEqual(bound.freshness)
    }
  })

  it('gives the same figures for the same seed', () => {
    const again = evaluate(collection, { contenders: all, budgets: [0.1, 2], run: reported })
    expect(again).toEqual(rows)
  })

  it('refuses a budget of 0', () => {
    for (const contender of contenders.filter((each) => each.kind !== 'knows'))
      expect(() => contender.compete({ collection, perDay: 0, run })).toThrow(OptionError)
  })

  it('is compared with equal visits on the same changes', () => {
    const equal = rows.filter((row) => row.contender === 'equal')
    for (const row of equal) expect([row.overEqual, row.overEqualError]).toEqual([0, 0])
    const oracle = rows.find((row) => row.contender === 'oracle' && row.perDay === 0.1)!
    expect(oracle.overEqual).toBe(oracle.freshness - equal[0]!.freshness)
    const alone = evaluate(collection, {
      contenders: contenders.filter((each) => each.name === 'oracle'),
      budgets: [0.1],
      run: reported,
    })
    expect([alone[0]!.overEqual, alone[0]!.overEqualError]).toEqual([null, null])
    expect(alone[0]!.freshness).toBe(oracle.freshness)
  })
})

describe('what is learned beforehand', () => {
  /** What a source's learner believes of a page before it was seen. */
  const firstPeriod = (from: ReplayCollection, source: number) => {
    const learner = learnersElsewhere({ collection: from, perDay: 0.2, run })(source)
    const memory = new Float64Array(learner.size)
    learner.start(memory, Number.NaN)
    return learner.changePeriod(memory)
  }

  it('comes from the other sources only', () => {
    const slower = replayCollection(objects({ factor: 16 }), { seed: 1 })
    expect(firstPeriod(slower, 2)).toBe(firstPeriod(collection, 2))
    expect(firstPeriod(slower, 0)).toBeGreaterThan(1.2 * firstPeriod(collection, 0))
  })

  it('is nothing where there is no other source', () => {
    const alone = subCollection(collection, (page) => collection.sources[page] === 0)
    expect(alone.ids).toHaveLength(10)
    expect(firstPeriod(alone, 0)).toBe(0)
  })
})

describe('errors by source', () => {
  // By hand: without one of three equal sources of freshness .2, .4, .9 it is .65, .55, .3, mean .5;
  // squares .0225 + .0025 + .04 = .065, times 2/3.
  it('leave out one source at a time', () => {
    const three = [2, 4, 9].map((part) => ({ part, whole: 10 }))
    expect(jackknifeError(3, ratioWithout(three))).toBeCloseTo(Math.sqrt(0.13 / 3), 12)
    expect(jackknifeError(1, () => 1)).toBeNull()
  })

  it('are unknown where nothing is left without one of them', () => {
    const one = [
      { part: 2, whole: 10 },
      { part: 0, whole: 0 },
    ]
    expect(jackknifeError(2, ratioWithout(one))).toBeNull()
  })
})
