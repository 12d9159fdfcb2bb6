import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { changeSetting, type Store } from '../../../src/model/store.js'
import { settleTerms } from '../../../src/planner/collection/collection-controller.js'
import { Keys } from '../../../src/server/safety/keys.js'
import { Sessions } from '../../../src/server/safety/sessions.js'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

const collection = 'c'

/** One file, opened twice as by two processes. */
async function twoHandles(): Promise<[Store, Store]> {
  const path = join(tempFolder(), 'revisit.db')
  const stores: [Store, Store] = [await openSqliteStore({ path }), await openSqliteStore({ path })]
  onTestFinished(async () => {
    for (const store of stores) await store.close()
  })
  return stores
}

describe('a setting that two processes change at once', () => {
  it('loses no change of either', async () => {
    const stores = await twoHandles()
    const name = 'found a.example'
    const changes = stores.flatMap((store) =>
      Array.from({ length: 40 }, () =>
        changeSetting(store, { collection, name }, (before) => Number(before ?? 0) + 1),
      ),
    )
    const seen = (await Promise.all(changes)).map((before) => before ?? 0)
    expect(await stores[1].getSetting(collection, name)).toBe(80)
    // Each saw what the one before it wrote.
    expect(seen.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 80 }, (_, i) => i))
  })

  it('keeps the keys of both, and one of two of the same name', async () => {
    const stores = await twoHandles()
    const [one, two] = stores.map((store) => new Keys({ store, collection })) as [Keys, Keys]
    const names = Array.from({ length: 10 }, (_, at) => `key-${at}`)
    await Promise.all(names.map((name, at) => (at % 2 === 0 ? one : two).add(name, at)))
    expect((await one.list()).map(({ name }) => name).sort()).toEqual(names)
    const same = await Promise.allSettled([one.add('same', 1), two.add('same', 1)])
    expect(same.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const removed = await Promise.all([one.remove('key-1'), two.remove('key-2')])
    expect(removed).toEqual([true, true])
    expect(await two.list()).toHaveLength(9)
  })

  it('keeps the sessions of both, and ends the one that ends', async () => {
    const stores = await twoHandles()
    const [one, two] = stores.map((store) => new Sessions({ store, collection })) as [
      Sessions,
      Sessions,
    ]
    const ids = await Promise.all(
      Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? one : two).open('key', 1)),
    )
    for (const id of ids) expect(await one.holderOf(id, 5)).toBeDefined()
    await Promise.all([one.end(ids[0]!, 6), two.end(ids[1]!, 6)])
    const left = await Promise.all(ids.map((id) => two.holderOf(id, 9)))
    expect(left.map((key) => key !== undefined)).toEqual(ids.map((_, at) => at > 1))
  })

  it('keeps the terms that were planned by last, not those of a slower process', async () => {
    const stores = await twoHandles()
    await stores[0].putSetting(collection, 'plan-terms', 'old')
    await settleTerms({ store: stores[0], collection, terms: 'slow' }, async () => {
      await settleTerms({ store: stores[1], collection, terms: 'quick' }, async () => true)
      return true
    })
    expect(await stores[0].getSetting(collection, 'plan-terms')).toBe('quick')
  })
})
