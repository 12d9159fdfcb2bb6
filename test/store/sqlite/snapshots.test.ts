import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Lease } from '../../../src/model/lease.js'
import { digestOf } from '../../../src/store/content.js'
import { openSqliteStore, type SqliteStore } from '../../../src/store/sqlite/store.js'
import { aVisit } from '../../fixtures/a-visit.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

const now = 1_700_000_000
const collection = 'c'
const urls = ['https://a.example/', 'https://b.example/']
const [a, b] = urls.map((url) => ({ collection, url })) as [Ref, Ref]
const words = Buffer.from('the same words on both pages '.repeat(50))

type Ref = { collection: string; url: string }

async function twoPages() {
  const path = join(tempFolder(), 'revisit.db')
  const store = await openSqliteStore({ path })
  await store.addPages({ collection, now, pages: urls.map((url) => ({ url })) })
  const terms = { collection, now, limit: 2, perHost: 1, ttl: 60, worker: 'w' }
  const leases = await store.leaseDue(terms)
  return { path, store, leaseA: leases[0]!, leaseB: leases[1]! }
}

const report = (lease: Lease, at: number, body: Uint8Array = words) => ({
  lease,
  visit: aVisit({ at }),
  due: { at, reason: '' },
  content: { body },
  keepLease: true,
})

/** Contents in the store, and what is wrong with their references. */
async function contents(store: SqliteStore) {
  return { many: (await store.totals()).snapshots, problems: await store.check() }
}

describe('a content that is kept', () => {
  it('is one for two pages that found it in one commit', async () => {
    const { store, leaseA, leaseB } = await twoPages()
    await store.recordVisits([report(leaseA, now + 1), report(leaseB, now + 1)])
    expect(await contents(store)).toEqual({ many: 1, problems: [] })
    expect(await store.versionsOf(a)).toHaveLength(1)
    expect(await store.versionsOf(b)).toHaveLength(1)
    await store.removePages([a])
    expect(await store.snapshot(digestOf(words))).toEqual(words)
    await store.removePages([b])
    expect(await contents(store)).toEqual({ many: 0, problems: [] })
    await store.close()
  })

  it('is one version where two visits of a page in one commit found it', async () => {
    const { store, leaseA } = await twoPages()
    await store.recordVisits([report(leaseA, now + 1), report(leaseA, now + 2)])
    expect(await store.versionsOf(a)).toMatchObject([{ at: now + 1 }])
    expect(await contents(store)).toEqual({ many: 1, problems: [] })
    await store.close()
  })

  it('is a version again once another came between', async () => {
    const { store, leaseA } = await twoPages()
    const other = Buffer.from('other words')
    await store.recordVisits([
      report(leaseA, now + 1),
      report(leaseA, now + 2, other),
      report(leaseA, now + 3),
    ])
    expect((await store.versionsOf(a)).map(({ digest }) => digest)).toEqual(
      [words, other, words].map(digestOf),
    )
    expect(await contents(store)).toEqual({ many: 2, problems: [] })
    await store.close()
  })

  it('is one where another process added it after it was looked for', async () => {
    const { path, store, leaseA, leaseB } = await twoPages()
    const other = await openSqliteStore({ path })
    // Both have looked before either commits.
    const results = [
      store.recordVisits([report(leaseA, now + 1)]),
      other.recordVisits([report(leaseB, now + 1)]),
    ]
    expect((await Promise.all(results)).flat()).toEqual(['recorded', 'recorded'])
    expect(await contents(store)).toEqual({ many: 1, problems: [] })
    await other.removePages([b])
    expect(await store.snapshot(digestOf(words))).toEqual(words)
    await store.close()
    await other.close()
  })

  it('is there where another process let it go after it was found', async () => {
    const { path, store, leaseA, leaseB } = await twoPages()
    await store.recordVisits([report(leaseA, now + 1)])
    const other = await openSqliteStore({ path })
    const recorded = store.recordVisits([report(leaseB, now + 2)])
    const removed = other.removePages([a])
    expect(await Promise.all([recorded, removed])).toEqual([['recorded'], 1])
    expect(await contents(store)).toEqual({ many: 1, problems: [] })
    expect(await store.snapshot(digestOf(words))).toEqual(words)
    await store.close()
    await other.close()
  })

  it('is not there after a commit that failed, and is with the next', async () => {
    const { store, leaseA } = await twoPages()
    // Nothing that a column can hold: the commit fails at its second visit.
    const broken = { ...report(leaseA, now + 2), due: { at: now, reason: undefined as never } }
    await expect(store.recordVisits([report(leaseA, now + 1), broken])).rejects.toThrow()
    expect(await contents(store)).toEqual({ many: 0, problems: [] })
    expect(await store.recordVisits([report(leaseA, now + 3)])).toEqual(['recorded'])
    expect(await store.versionsOf(a)).toMatchObject([{ at: now + 3 }])
    expect(await contents(store)).toEqual({ many: 1, problems: [] })
    await store.close()
  })

  it('is let go by a rule that became tighter, though few visits were made since', async () => {
    const { path, store, leaseA } = await twoPages()
    const body = (of: number) => Buffer.from(`version ${of}`)
    for (let at = 1; at <= 4; at++) await store.recordVisits([report(leaseA, now + at, body(at))])
    await store.close()
    const tight = await openSqliteStore({ path, retention: { newest: 2, youngerThan: 0 } })
    await tight.recordVisits([report(leaseA, now + 5, body(5))])
    expect((await tight.versionsOf(a)).map(({ at }) => at)).toEqual([now + 4, now + 5])
    expect(await contents(tight)).toEqual({ many: 2, problems: [] })
    await tight.close()
  })
})
