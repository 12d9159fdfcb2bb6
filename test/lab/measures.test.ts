import { describe, expect, it } from 'vitest'
import { replayCollection } from '../../src/lab/evaluate/collection.js'
import type { Contender } from '../../src/lab/evaluate/contender.js'
import { contenders } from '../../src/lab/evaluate/contenders.js'
import { evaluate, evaluateParts, meanRows } from '../../src/lab/evaluate/evaluate.js'
import { PageCalibration, trueMeanRate } from '../../src/lab/evaluate/policy-replay.js'
import type { RecordedChanges } from '../../src/model/history.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'

const start = 4 * DAY
const run = { seed: 1, warmUp: 0 }
const page = (
  id: string,
  { source = 'a', changes = [] as number[], cadence = 0 } = {},
): RecordedChanges => ({
  id,
  source,
  from: start,
  until: start + 10 * DAY,
  cadence,
  changes: Float64Array.from(changes, (at) => start + at),
})
const named = (name: string): Contender => contenders.find((each) => each.name === name)!

describe('delay', () => {
  // By hand: one page, visits every 2 days. Changes at 1 d and 1.5 d are noticed at 2 d (1 and
  // 0.5 days late), one at 7 d at 8 d, and one at 9 d by no visit before the end at 10 d.
  const collection = replayCollection(
    [page('x', { changes: [DAY, 1.5 * DAY, 7 * DAY, 9 * DAY] })],
    {
      seed: 1,
    },
  )
  const [row] = evaluate(collection, { contenders: [named('equal')], budgets: [0.49], run })

  it('counts every change, to the visit that notices it or to the end', () => {
    expect(row!.stretch! * 7).toBeCloseTo(2, 1)
    const gap = row!.stretch! * 7 * DAY
    const late = [gap - DAY, gap - 1.5 * DAY, 4 * gap - 7 * DAY, 10 * DAY - 9 * DAY]
    const mean = late.reduce((sum, each) => sum + each, 0) / 4
    expect(row!.requests).toBe(4)
    expect(row!.delay! / mean).toBeCloseTo(1, 6)
    // Sketched to 0.4%: of four values, nine in ten is the greatest.
    expect(row!.delay90!).toBe(Math.max(...late))
    expect(row!.bySource).toHaveLength(1)
    expect(row!.bySource[0]).toMatchObject({ source: 'a', pages: 1, changes: 4, delay: row!.delay })
  })

  it('is unknown where nothing changes', () => {
    const still = replayCollection([page('x'), page('y')], { seed: 1 })
    const [found] = evaluate(still, { contenders: [named('equal')], budgets: [0.5], run })
    expect(found).toMatchObject({ delay: null, delayError: null, delay90: null, caught: 1 })
  })
})

/** Four sources of eight pages, two of them polled. */
function many(): RecordedChanges[] {
  const random = new Random(5)
  return Array.from({ length: 32 }, (_, i) => {
    const changes: number[] = []
    const period = DAY * 2 ** ((i % 6) - 2)
    for (let at = period * random.exponential(); at < 10 * DAY; at += period * random.exponential())
      changes.push(at)
    const source = i % 4
    return page(`p${i}`, { source: `s${source}`, changes, cadence: source < 2 ? HOUR : 0 })
  })
}

describe('tables by source', () => {
  const collection = replayCollection(many(), { seed: 1 })
  const some = ['equal', 'lambda-crawl', 'nutch', 'clairvoyant'].map(named)
  const [all, exact] = evaluateParts(collection, {
    contenders: some,
    budgets: [1],
    run,
    parts: [() => true, (each) => collection.exact[each] === 1],
  })

  it('add up to the whole, and those of a part to the part', () => {
    for (const rows of [all!, exact!]) {
      for (const row of rows) {
        const sum = (figure: 'changes' | 'requests') =>
          row.bySource.reduce((total, each) => total + each[figure], 0)
        expect(sum('requests')).toBe(row.requests)
        const delays = row.bySource.reduce((total, each) => total + each.delay! * each.changes, 0)
        expect(delays / sum('changes') / Math.max(1, row.delay!)).toBeCloseTo(
          row.delay! / Math.max(1, row.delay!),
          9,
        )
      }
    }
    expect(all!.map((row) => row.bySource.length)).toEqual([4, 4, 4, 4])
    expect(exact!.map((row) => row.bySource.length)).toEqual([2, 2, 2, 2])
    // A source whose pages are all exact is the same in both: it is the same run.
    expect(exact![1]!.bySource[0]).toEqual(all![1]!.bySource[2])
  })

  it('have errors by page, and the difference from equal visits has the smaller one', () => {
    const [equal, lambda] = all!
    expect(equal!.bySource[0]).toMatchObject({ overEqual: 0, overEqualError: 0 })
    for (const row of lambda!.bySource) {
      expect(row.freshnessError).toBeGreaterThan(0)
      expect(row.overEqualError).toBeGreaterThan(0)
      expect(row.delayError).toBeGreaterThan(0)
    }
    expect(lambda!.overEqualError!).toBeLessThan(lambda!.freshnessError!)
  })

  it('of several seeds are means, with the deviation over the seeds', () => {
    const runs = [1, 2, 3].map((seed) =>
      evaluate(replayCollection(many(), { seed }), {
        contenders: some,
        budgets: [1],
        run: { ...run, seed },
      }),
    )
    const mean = meanRows(runs)
    const values = runs.map((rows) => rows[0]!.freshness)
    const centre = (values[0]! + values[1]! + values[2]!) / 3
    expect(mean[0]!.freshness).toBeCloseTo(centre, 12)
    const deviation = Math.sqrt(values.reduce((sum, each) => sum + (each - centre) ** 2, 0) / 2)
    expect(deviation).toBeGreaterThan(0)
    expect(mean[0]!.spread.freshness).toBeCloseTo(deviation, 12)
    expect(mean[0]!.bySource[0]!.spread.delay).toBeGreaterThan(0)
    // Exact times do not depend on the seed, and neither do equal gaps but for their one factor.
    expect(mean[0]!.bySource[3]!.spread.freshness).toBeLessThan(0.01)
    expect(meanRows([runs[0]!])[0]).toMatchObject({
      ...runs[0]![0]!,
      bySource: runs[0]![0]!.bySource,
      spread: { freshness: null, delay: null },
    })
  })
})

describe('calibration', () => {
  const collection = replayCollection(many(), { seed: 1 })

  /** Visits as equal does, and says of every gap that 80% of it will be fresh; its bounds reach to twice a day. */
  const predicting: Contender = {
    name: 'predicting',
    summary: 'predicts 80%',
    kind: 'rule',
    compete(trial) {
      const outcome = named('equal').compete(trial)
      const calibration = outcome.scores.map(({ time, freshTime }, each) => {
        const own = new PageCalibration()
        own.gap({ length: time, predictedFresh: 0.8 * time, realisedFresh: freshTime })
        const bounds = { low: 0, high: 2 / DAY, truth: trueMeanRate(collection, each) }
        for (const observations of [9, 10, 30]) own.bounds(observations, bounds)
        return own
      })
      return { ...outcome, calibration }
    },
  }

  it('is given in all and by source, next to what came true', () => {
    const [row, other] = evaluate(collection, {
      contenders: [predicting, named('equal')],
      budgets: [1],
      run,
    })
    expect(other!.calibration).toBeNull()
    const { calibration } = row!
    expect(calibration!.predicted).toBeCloseTo(0.8, 12)
    expect(calibration!.realised).toBeCloseTo(row!.freshness, 12)
    expect(calibration!.difference).toBeCloseTo(0.8 - row!.freshness, 12)
    // Every page weighs the same and predicts the same, so the error is that of the freshness.
    expect(calibration!.differenceError).toBeCloseTo(row!.freshnessError!, 12)
    const slow = collection.ids.filter((_, each) => trueMeanRate(collection, each) <= 2 / DAY)
    expect(calibration!.bounds).toEqual([
      { after: 10, pages: 32, held: slow.length / 32 },
      { after: 30, pages: 32, held: slow.length / 32 },
      { after: 100, pages: 0, held: null },
    ])
    expect(slow.length).toBeLessThan(32)
    for (const source of row!.bySource)
      expect(source.calibration!.realised).toBeCloseTo(source.freshness, 12)
  })
})
