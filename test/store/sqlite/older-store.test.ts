import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { aVisit } from '../../fixtures/a-visit.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

/**
 * A store that the last version with schema 10 made: two and a half days of its
 * demo (45 of the pages, their newest copies), then a channel with one delivery
 * that arrived, one that failed and one that waits, three leases and a held
 * host of a worker `old:1`, and a page that was changed by hand.
 */
const file = new URL('../../fixtures/store-schema-10.db.gz', import.meta.url)
const collection = 'demo'
/** When the leases were given, for five minutes. */
const leasedAt = 1767847666.4771094
const all = { collection, limit: 100 }

function olderStore(): string {
  const path = join(tempFolder(), 'revisit.db')
  writeFileSync(path, gunzipSync(readFileSync(file)))
  return path
}

/** What the file itself holds, before anybody opens it. */
function rowsOf(path: string, query: string) {
  const db = new DatabaseSync(path, { readOnly: true })
  const rows = db.prepare(query).all()
  db.close()
  return rows
}

describe('a store of the version before', () => {
  it('is brought up to date with its pages, visits, hints, copies and settings', async () => {
    const path = olderStore()
    const [version] = rowsOf(path, 'select user_version from pragma_user_version')
    expect(version).toEqual({ user_version: 10 })
    const rows = rowsOf(path, 'select * from pages order by id')
    const store = await openSqliteStore({ path })
    expect(await store.check()).toEqual([])
    expect(await store.totals()).toMatchObject({ pages: 45, visits: 128, versions: 42 })

    const { pages } = await store.listPages(all)
    expect(
      pages.map(({ id, url, visits, changes }) => ({ id: Number(id), url, visits, changes })),
    ).toEqual(rows.map(({ id, url, visits, changes }) => ({ id, url, visits, changes })))
    expect(pages.map(({ hints }) => hints)).toEqual(
      rows.map(({ hints }) => (hints === null ? null : JSON.parse(String(hints)))),
    )
    expect(pages.filter(({ hints }) => hints !== null)).toHaveLength(33)
    expect(pages.filter(({ state }) => state?.learner === 'auto/auto')).toHaveLength(42)
    expect(pages.filter(({ movedTo }) => movedTo !== null)).toHaveLength(4)
    expect(pages.find(({ group }) => group === 'kept')).toMatchObject({
      importance: 2.5,
      settings: { headers: { cookie: 'a=b' } },
      noise: { slots: [['clock', 3]] },
    })
    for (const page of pages) {
      const visits = await store.visitsOf(page)
      expect(visits).toHaveLength(page.visits)
      expect(visits.at(-1)?.at).toBe(page.lastVisit?.at)
      for (const { digest, bytes } of await store.versionsOf(page))
        expect(await store.snapshot(digest)).toHaveLength(bytes)
    }

    const before = rowsOf(olderStore(), 'select name, value from settings')
    const settings = await store.settings(collection)
    for (const { name, value } of before) {
      // A name that was our own word until then.
      const now = name === 'auto-lesson' ? 'auto-comparisons' : String(name)
      expect(settings[now]).toEqual(JSON.parse(String(value)))
    }
    // The ledger of prices keeps the name that stores of 0.1 have.
    expect(Object.keys(settings)).toEqual(
      expect.arrayContaining(['auto-comparisons', 'auto-lists', 'auto-prior', 'auto-steering']),
    )
    await store.close()
  })

  it('goes on: leases count and run out, visits are recorded, deliveries are sent', async () => {
    const store = await openSqliteStore({ path: olderStore() })
    const now = leasedAt + 10
    expect(await store.leasingWorkers()).toEqual(['old:1'])
    expect(await store.health({ collection, now })).toMatchObject({ inFlight: 3 })
    expect(
      await store.holdHost({ host: 'elsewhere.example', now, ttl: 9, worker: 'new' }),
    ).toBeNull()

    const terms = { collection, limit: 50, perHost: 1, ahead: 50, ttl: 600, worker: 'new' }
    const leases = await store.leaseDue({ ...terms, now: leasedAt + 301 })
    expect(leases.length).toBeGreaterThan(30)
    const at = leasedAt + 400
    const reports = leases.map((lease) => ({
      lease,
      visit: aVisit({ at, outcome: 'changed', fingerprint: 'ff' }),
      due: { at: at + 60, reason: 'test' },
      state: { learner: 'auto', numbers: Float64Array.of(1, 0, 2) },
      content: { body: Buffer.from(`new content of ${lease.page.url}`) },
    }))
    expect(new Set(await store.recordVisits(reports))).toEqual(new Set(['recorded']))
    const [{ lease }] = reports as [(typeof reports)[0]]
    const after = await store.getPage(lease.page)
    expect(after).toMatchObject({
      hints: lease.page.hints,
      validators: lease.page.validators,
      visits: lease.page.visits + 1,
      changes: lease.page.changes + 1,
      lastChange: at,
      fingerprint: 'ff',
    })
    expect(await store.visitsOf(lease.page)).toHaveLength(lease.page.visits + 1)

    const [channel] = await store.outbox.channels(collection)
    expect(channel).toMatchObject({ name: 'team', failures: 1, error: 'HTTP 503' })
    const states = (await store.outbox.deliveries(all)).map(({ state }) => state)
    expect(states.sort()).toEqual(['delivered', 'pending', 'pending'])
    expect(await store.outbox.sendable({ channel: channel!.id, now, limit: 9 })).toHaveLength(2)
    expect(await store.check()).toEqual([])
    await store.close()
  })
})
