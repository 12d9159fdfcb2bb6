import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { readRecordedChanges } from '../../src/formats/change-times/recorded-changes.js'
import { type ReplayCollection, replayCollection } from '../../src/lab/evaluate/collection.js'
import { contenders } from '../../src/lab/evaluate/contenders.js'
import { evaluate } from '../../src/lab/evaluate/evaluate.js'
import { DAY } from '../../src/model/units.js'
import { absent, sharedPath } from '../fixtures/shared-folder.js'
import { subCollection } from './sub-collection.js'

const times = sharedPath('traces/updates.csv.gz')
const objects = sharedPath('traces/objects.csv')
const there = times !== undefined && objects !== undefined

describe.skipIf(!there)(`real histories${there ? '' : ` (${absent})`}`, () => {
  const names = ['equal', 'optimal-plug-in', 'optimal-prior', 'oracle', 'clairvoyant']
  let collection: ReplayCollection
  beforeAll(() => {
    collection = replayCollection(
      readRecordedChanges({
        times: gunzipSync(readFileSync(times!)).toString('utf8'),
        objects: readFileSync(objects!, 'utf8'),
      }),
      { seed: 1 },
    )
  })

  // With another harness, on other pages, equal visits gave .81 to .83 / .914 / .96 to .97.
  it('give equal visits the freshness that they have elsewhere', () => {
    const rows = evaluate(collection, {
      contenders: contenders.filter(({ name }) => name === 'equal'),
      budgets: [0.05, 0.2, 1],
      run: { seed: 1, warmUp: 30 * DAY },
    })
    const [low, middle, high] = rows.map((row) => row.freshness)
    expect(low).toBeGreaterThan(0.81)
    expect(low).toBeLessThan(0.84)
    expect(middle).toBeGreaterThan(0.91)
    expect(middle).toBeLessThan(0.93)
    expect(high).toBeGreaterThan(0.96)
    expect(high).toBeLessThan(0.975)
  })

  // Every sixteenth page of all sources, 14.9% below; two other sixteenths 13.9% and 10.5%,
  // all pages 14% (docs/guides/default.md). Samples of a quarter of the sources scatter from 1% to 19%.
  it('are kept fresher by the default than by the best published peer, within the budget', {
    timeout: 180_000,
  }, () => {
    const some = subCollection(collection, (page) => page % 16 === 0)
    const rows = evaluate(some, {
      contenders: contenders.filter(({ name }) => ['optimal-prior', 'auto'].includes(name)),
      budgets: [0.2],
      run: { seed: 1, warmUp: 30 * DAY },
    })
    const [peer, own] = rows
    expect(1 - own!.freshness).toBeLessThan(0.92 * (1 - peer!.freshness))
    expect(own!.usedPerDay).toBeLessThan(0.2 * 1.005)
  })

  it('rank contenders by what they know, within the budget', () => {
    const rows = evaluate(collection, {
      contenders: contenders.filter(({ name }) => names.includes(name)),
      budgets: [0.2],
      run: { seed: 1, warmUp: 30 * DAY },
    })
    const fresh = Object.fromEntries(rows.map((row) => [row.contender, row.freshness]))
    expect(fresh.equal).toBeLessThan(fresh['optimal-plug-in']!)
    // A prior fitted on the other sources does not hurt; fitted to the law of periods it did (.9261).
    expect(fresh['optimal-prior']).toBeGreaterThan(fresh['optimal-plug-in']! - 0.001)
    expect(fresh.oracle).toBeGreaterThan(fresh['optimal-prior']!)
    expect(fresh.clairvoyant).toBeGreaterThan(fresh.oracle!)
    for (const row of rows) {
      expect(row.usedPerDay).toBeLessThan(0.2 * 1.005)
      expect(row.caught).toBeGreaterThan(0)
      expect(row.freshnessError).toBeLessThan(0.05)
    }
  })
})
