import { describe, expect, it } from 'vitest'
import { logGrid } from '../../src/estimators/prior/grid-prior.js'
import { replayCollection } from '../../src/lab/evaluate/collection.js'
import {
  autoAloneForecaster,
  autoForecaster,
  type GroupForecaster,
  groupPosteriorForecaster,
} from '../../src/lab/evaluate/forecasters.js'
import {
  type Forecast,
  groupForecasts,
  pageForecasts,
} from '../../src/lab/evaluate/prediction-scores.js'
import type { RecordedChanges } from '../../src/model/history.js'
import { DAY } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { openChangeLaw } from '../../src/planner/posterior/posterior.js'

const start = 7 * DAY * 2800
const length = 60 * DAY
const gap = 2 * DAY

/** Pages of one source, each with a pace of its own; some appear later. */
function objects(): RecordedChanges[] {
  return Array.from({ length: 24 }, (_, page) => {
    const random = Random.stream({ seed: 4, index: page })
    const from = start + (page % 4) * 7.5 * DAY
    const changes: number[] = []
    for (let at = from; at < start + length; at += DAY * (1 + (page % 5)) * random.exponential())
      if (at > from) changes.push(at)
    const until = start + length
    return {
      id: `p${page}`,
      source: 'a',
      from,
      until,
      cadence: 0,
      changes: Float64Array.from(changes),
    }
  })
}

const grid = logGrid({ shortest: DAY / 10, longest: 1000 * DAY, nodes: 31 })
const flat = { periods: grid, masses: new Float64Array(31).fill(1 / 31) }
const learning: readonly (readonly [string, () => GroupForecaster])[] = [
  ['auto', () => autoForecaster(openChangeLaw)],
  ['posterior-with-group-prior', () => groupPosteriorForecaster(flat, gap)],
]

function predicted(recorded: RecordedChanges[], make: () => GroupForecaster): Forecast[] {
  const collection = replayCollection(recorded, { seed: 1, length })
  const pages = collection.ids.map((_, page) => page)
  return [...groupForecasts(collection, { pages, gap, forecaster: make() })]
}

/** The same pages, but one visit sees the opposite of what it saw; all others see what they saw. */
function withOneOther({ page, at, changed }: Forecast): RecordedChanges[] {
  return objects().map((object, index) => {
    if (index !== page) return object
    const outside = object.changes.filter((each) => each <= start + at - gap || each > start + at)
    const changes = changed ? outside : [...outside, start + at - gap / 2].sort((a, b) => a - b)
    return { ...object, changes: Float64Array.from(changes) }
  })
}

describe.each(learning)('forecasts of a group by %s', (_, make) => {
  const plain = predicted(objects(), make)
  const late = plain.filter((each) => each.at > 20 * DAY && each.at < 40 * DAY)

  it.each([0, 7, 30, 61])('know nothing of what a visit saw until it is over (%i)', (index) => {
    const other = late[index]!
    const again = predicted(withOneOther(other), make)
    expect(again).toHaveLength(plain.length)
    const moved: Forecast[] = []
    again.forEach((each, i) => {
      const before = plain[i]!
      expect([each.page, each.at]).toEqual([before.page, before.at])
      const isOther = each.page === other.page && each.at === other.at
      expect(each.changed).toBe(isOther ? !before.changed : before.changed)
      if (each.at <= other.at) expect(each.chance).toBe(before.chance)
      else if (each.chance !== before.chance) moved.push(each)
    })
    expect(moved.some((each) => each.page === other.page)).toBe(true)
    expect(moved.some((each) => each.page !== other.page)).toBe(true)
  })

  it('are one for each visit at even gaps', () => {
    for (const { page, at, before } of plain)
      expect(at).toBeCloseTo((page % 4) * 7.5 * DAY + (before + 1) * gap, 3)
    expect(plain).toHaveLength([30, 26, 22, 18].reduce((sum, each) => sum + 6 * each, 0))
  })

  it('expect of a page that comes late what its group has shown', () => {
    const busy = objects().map((object) => {
      const days = Math.round((object.until - object.from) / DAY)
      const changes = Float64Array.from(
        { length: days },
        (_, day) => object.from + (day + 0.5) * DAY,
      )
      return { ...object, changes }
    })
    const firsts = predicted(busy, make).filter((each) => each.before === 0)
    const chance = (page: number) => firsts.find((each) => each.page === page)!.chance
    expect(chance(3)).toBeGreaterThan(chance(0) + 0.2)
    expect(chance(0)).toBe(chance(4))
  })
})

describe('forecasts of one page', () => {
  it('are those of the group before anything was learned anew', () => {
    const collection = replayCollection(objects(), { seed: 1, length })
    const forecaster = autoAloneForecaster(openChangeLaw)
    const alone = [...pageForecasts(collection, { page: 0, gap, forecaster })]
    const [first] = predicted(objects(), () => autoForecaster(openChangeLaw))
    expect(alone).toHaveLength(30)
    expect(alone[0]).toEqual(first)
  })
})
