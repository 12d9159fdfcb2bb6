import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { pollCadence } from '../../src/formats/change-times/git-histories.js'
import { readRecordedChanges } from '../../src/formats/change-times/recorded-changes.js'
import { DAY, HOUR, MINUTE } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { absent, sharedPath } from '../fixtures/shared-folder.js'

const start = 1_700_000_000 - (1_700_000_000 % DAY)

/** Some of the runs of a schedule, each late by up to `late`. */
function scheduled(
  period: number,
  { late = 0, seed = 1, share = 0.5, phase = 0, runs = 400 } = {},
) {
  const random = new Random(seed)
  return Array.from({ length: runs }, (_, i) => i)
    .filter(() => random.uniform() < share)
    .map((i) => Math.round(start + phase + i * period + late * random.uniform()))
}

describe('pollCadence', () => {
  it.each([
    [DAY, 90 * MINUTE],
    [12 * HOUR, HOUR],
    [6 * HOUR, HOUR],
    [HOUR, 12 * MINUTE],
    [30 * MINUTE, 6 * MINUTE],
    [5 * MINUTE, MINUTE],
  ])('finds a schedule of %d seconds, late by up to %d', (period, late) => {
    for (const seed of [1, 2, 3]) {
      const phase = period * 0.95
      expect(pollCadence(scheduled(period, { late, seed, phase }))).toBe(period)
    }
  })

  it('finds a schedule that was moved, and one with visits by hand between', () => {
    const moved = [
      ...scheduled(6 * HOUR, { late: HOUR }),
      ...scheduled(6 * HOUR, { late: HOUR, phase: 100 * DAY + 3 * HOUR }),
    ]
    expect(pollCadence(moved)).toBe(6 * HOUR)
    const random = new Random(4)
    const mixed = scheduled(6 * HOUR, { late: HOUR })
    for (let i = 0; i < 30; i++) mixed.push(Math.round(start + 100 * DAY * random.uniform()))
    expect(pollCadence(mixed.sort((a, b) => a - b))).toBe(6 * HOUR)
  })

  it('takes no other times for a schedule: at random, in office hours, in bursts, too few', () => {
    const random = new Random(5)
    const sorted = (list: number[]) => list.map(Math.round).sort((a, b) => a - b)
    for (let round = 0; round < 20; round++) {
      const any = Array.from(
        { length: 60 * (1 + (round % 5)) },
        () => start + 300 * DAY * random.uniform(),
      )
      expect(pollCadence(sorted(any))).toBe(0)
      const office = Array.from(
        { length: 300 },
        () => start + DAY * Math.floor(200 * random.uniform()) + HOUR * (9 + 8 * random.uniform()),
      )
      expect(pollCadence(sorted(office))).toBe(0)
      const evening = Array.from({ length: 30 }, (_, i) => start + 60 * i + 30 * random.uniform())
      expect(pollCadence(sorted(evening))).toBe(0)
    }
    expect(pollCadence(scheduled(DAY, { runs: 19, share: 1 }))).toBe(0)
    expect(pollCadence([])).toBe(0)
  })

  const [times, objects] = [sharedPath('traces/updates.csv.gz'), sharedPath('traces/objects.csv')]
  const there = times !== undefined && objects !== undefined

  // Which sources were polled, and how often, is known there from their owners.
  it.skipIf(!there)(`separates polled sources from others${there ? '' : ` (${absent})`}`, () => {
    const pages = readRecordedChanges({
      times: gunzipSync(readFileSync(times!)).toString('utf8'),
      objects: readFileSync(objects!, 'utf8'),
    })
    const bySource = new Map<string, { cadence: number; found: number }>()
    for (const source of new Set(pages.map((page) => page.source))) {
      const own = pages.filter((page) => page.source === source)
      const all = new Set(own.flatMap(({ changes }) => [...changes]))
      const found = pollCadence([...all].sort((a, b) => a - b))
      bySource.set(source, { cadence: own[0]!.cadence, found })
    }
    const rows = [...bySource.values()]
    expect(rows.filter(({ cadence, found }) => cadence === 0 && found > 0)).toEqual([])
    expect(rows.filter(({ cadence }) => cadence === 0).length).toBeGreaterThanOrEqual(10)
    const polled = rows.filter(({ cadence }) => cadence > 0)
    expect(polled.filter(({ found }) => found > 0).length).toBeGreaterThan(polled.length / 2)
    for (const name of ['tosback', 'bounty', 'scoop', 'eol-releases', 'teletext', 'dotgov'])
      expect(bySource.get(name)!.found, name).toBe(bySource.get(name)!.cadence)
  })
})
