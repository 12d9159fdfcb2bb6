import { describe, expect, it } from 'vitest'
import { runAuto } from '../../src/lab/evaluate/auto-replay.js'
import { type ReplayCollection, replayCollection } from '../../src/lab/evaluate/collection.js'
import { changeLawsElsewhere } from '../../src/lab/evaluate/leave-one-out-priors.js'
import { runRule, visitsAllowed, visitsUsed } from '../../src/lab/evaluate/policy-replay.js'
import { predictionScores } from '../../src/lab/evaluate/prediction-scores.js'
import { Scores } from '../../src/lab/scores.js'
import type { RecordedChanges } from '../../src/model/history.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { openChangeLaw } from '../../src/planner/posterior/posterior.js'
import { rateEstimators } from '../../src/planner/registry.js'
import { fixed } from '../../src/policies/fixed-and-random.js'

const start = 7 * DAY * 2800
const length = 150 * DAY
const run = { seed: 1, warmUp: 30 * DAY }

/** Source a changes at random, b in bursts, c every working day at about 17 h. */
function objects(): RecordedChanges[] {
  return Array.from({ length: 45 }, (_, page) => {
    const random = Random.stream({ seed: 9, index: page })
    const source = 'abc'[page % 3]!
    const changes: number[] = []
    const period = DAY * 2 ** (1 + (page % 5))
    for (let at = start; at < start + length; ) {
      if (source === 'c') at += DAY
      else
        at += period * random.exponential() * (source === 'b' && random.uniform() < 0.7 ? 0.1 : 1)
      changes.push(source === 'c' ? at - (at % DAY) + 17 * HOUR + 600 * random.uniform() : at)
    }
    const distinct = changes.filter((at) => at < start + length)
    return {
      id: `p${page}`,
      source,
      from: start,
      until: start + length,
      cadence: 0,
      changes: Float64Array.from(distinct),
    }
  })
}
const collection: ReplayCollection = replayCollection(objects(), { seed: 1, length })
const summed = (scores: readonly Scores[]) => {
  const all = new Scores()
  for (const each of scores) all.add(each)
  return all
}
const fresh = (scores: readonly Scores[]) => summed(scores).freshness

describe('runAuto', () => {
  const perDay = 1
  const options = { ...run, perDay, lawFor: changeLawsElsewhere(collection) }
  const { scores } = runAuto(collection, options)

  it('keeps its budget without hindsight', () => {
    const share = visitsUsed(scores) / visitsAllowed(collection, { perDay })
    expect(share).toBeGreaterThan(0.9)
    expect(share).toBeLessThan(1.02)
  })

  it('keeps copies fresher than equal visits', () => {
    const planner = { policy: fixed({ gap: DAY / perDay }), learner: null }
    const equal = runRule(collection, () => planner, { ...run, stretch: 1 })
    expect(fresh(scores)).toBeGreaterThan(fresh(equal) + 0.02)
  })

  it('makes the same visits again', () => {
    const { scores: again } = runAuto(collection, options)
    expect(again.map((each) => each.freshTime)).toEqual(scores.map((each) => each.freshTime))
  })

  it('walks every page from its start to its end', () => {
    scores.forEach((each, page) => {
      expect(each.time).toBeCloseTo(collection.until[page]! - collection.from[page]!, 3)
    })
  })
})

describe('runAuto for other objectives', () => {
  /** Two sources of Poisson pages: every third changes about every three hours, others every 3 to 12 days. */
  const unlike = replayCollection(
    Array.from({ length: 24 }, (_, page): RecordedChanges => {
      const random = Random.stream({ seed: 4, index: page })
      const period = page % 3 === 0 ? 3 * HOUR : DAY * 3 * (1 + (page % 4))
      const [from, until] = [start, start + 60 * DAY]
      const changes: number[] = []
      for (let at = from; at < until; at += period * random.exponential()) changes.push(at)
      const source = page % 2 === 0 ? 'even' : 'odd'
      return {
        id: `p${page}`,
        source,
        from,
        until,
        cadence: 0,
        changes: Float64Array.from(changes),
      }
    }),
    { seed: 1, length: 60 * DAY },
  )
  const options = { ...run, perDay: 0.5, neighbours: false, lawFor: changeLawsElsewhere(unlike) }
  const usual = summed(runAuto(unlike, options).scores)

  it.each(['delay', 'changes-caught'] as const)(
    'keeps its budget and gets more of it: %s',
    (objective) => {
      const { scores } = runAuto(unlike, { ...options, objective })
      const share = visitsUsed(scores) / visitsAllowed(unlike, { perDay: 0.5 })
      expect(share).toBeGreaterThan(0.85)
      expect(share).toBeLessThan(1.15)
      const mine = summed(scores)
      expect(mine.freshness).toBeLessThan(usual.freshness)
      // Both met the same changes: the sum of their delays differs as the sums of when they were noticed do.
      const saved = (usual.noticedAt - mine.noticedAt) / usual.changes
      if (objective === 'delay') expect(saved).toBeGreaterThan(HOUR)
      else expect(mine.caught).toBeGreaterThan(1.2 * usual.caught)
    },
  )
})

describe('changeLawsElsewhere', () => {
  it('teaches a source nothing of its own pages', () => {
    const slower = objects().map((object) =>
      object.source === 'a' ? { ...object, changes: object.changes.slice(0, 1) } : object,
    )
    const law = (objectsOf: RecordedChanges[], source: string) => {
      const made = replayCollection(objectsOf, { seed: 1, length })
      return changeLawsElsewhere(made)(made.sourceNames.indexOf(source))
    }
    expect(law(slower, 'a').masses).toEqual(law(objects(), 'a').masses)
    expect(law(slower, 'b').masses).not.toEqual(law(objects(), 'b').masses)
  })

  it('knows nothing where there is one source', () => {
    const alone = replayCollection(
      objects().filter((each) => each.source === 'a'),
      { seed: 1, length },
    )
    expect(changeLawsElsewhere(alone)(0)).toBe(openChangeLaw)
  })
})

describe('predictionScores', () => {
  const rows = predictionScores(collection, { perDay: 1, seed: 1 })

  it('counts the same observations for everyone, the first ten apart', () => {
    for (const row of rows) {
      expect(row.observations).toBe(rows[0]!.observations)
      const tens = 10 * collection.ids.length
      const whole = row.firstTen * tens + row.later * (row.observations - tens)
      expect(row.logLoss * row.observations).toBeCloseTo(whole, 6)
    }
  })

  it('holds every estimator that gives a change rate, the default last', () => {
    const names = rows.map((row) => row.estimator)
    expect(names).toEqual([...new Set(names)])
    for (const { name, needsContentAge } of rateEstimators)
      if (!needsContentAge) expect(names).toContain(name)
    expect(names.at(-1)).toBe('auto')
    const reported = predictionScores(collection, { perDay: 1, seed: 1, lastModified: true })
    expect(reported.map((row) => row.estimator)).toContain('last-modified')
  })

  // By hand: with nothing known yet a chance of 1/2 costs ln 2; no estimator is that bad in the long run.
  it('is below a coin in the long run, and finite', () => {
    for (const row of rows) expect(row.later).toBeLessThan(Math.LN2)
  })
})
