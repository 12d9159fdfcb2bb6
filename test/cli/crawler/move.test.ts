import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { collectionChecksums } from '../../../src/crawler/move/store-checksums.js'
import { openPostgresStore } from '../../../src/store/postgres/store.js'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { newDatabase } from '../../fixtures/postgres.js'
import { runCli } from '../../fixtures/run-cli.js'
import { tempFolder } from '../../fixtures/temp-folder.js'
import { fill, killedMove } from './moved-store.js'

const collection = 'news'

describe('revisit move', () => {
  it('killed twice leaves the same counts, checksums and next visits', async () => {
    const folder = tempFolder()
    const [from, to] = [join(folder, 'from.db'), join(folder, 'to.db')]
    const source = await openSqliteStore({ path: from, unsynced: true })
    await fill(source, { collection, pages: 800, visits: 5, seed: 4 })
    const before = await collectionChecksums(source, collection)
    await source.close()
    await killedMove(from, to, 500)
    await killedMove(from, to, 2_000)
    const { code, out } = await runCli(['move', from, to, '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual([{ collection, from: before, to: before, same: true }])
    expect(before.visits.count).toBe(4_000)

    const target = await openSqliteStore({ path: to })
    expect(await target.check()).toEqual([])
    // Lists are known under the ids of the new store, and channels go on at the same visit.
    const list = (await target.getPage({ collection, url: 'https://h7.example/7' }))!
    expect(list.hints).toMatchObject({ kinds: { sitemap: { source: list.id } } })
    expect(await target.getSetting(collection, 'auto-lists')).toEqual({ [list.id]: 3 })
    expect(await target.outbox.channels(collection)).toMatchObject([
      { name: 'hook', enabled: true, cursor: await target.lastVisitNumber() },
    ])
    const { changes } = await target.inbox.list({ collection, limit: 9 })
    expect(changes).toMatchObject([{ added: 'new', seen: false }])
    await target.close()

    const again = await runCli(['move', from, to])
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('has 800 pages')])
  }, 120_000)

  it('goes to PostgreSQL and back, and refuses a store at work', async () => {
    const folder = tempFolder()
    const [from, back] = [join(folder, 'from.db'), join(folder, 'back.db')]
    const source = await openSqliteStore({ path: from, unsynced: true })
    await fill(source, { collection, pages: 120, visits: 4, seed: 5 })
    const before = await collectionChecksums(source, collection)
    await source.close()
    const server = await newDatabase()
    const there = await runCli(['move', from, server])
    expect([there.code, there.err]).toEqual([0, ''])
    expect(there.out).toMatch(/news +next visits +120 +[\da-f]{16} +same/)
    const store = await openPostgresStore({ url: server })
    expect(await collectionChecksums(store, collection)).toEqual(before)
    const now = Date.now() / 1000
    await store.noteWorker({ name: 'w', role: 'worker', version: '1', now })
    const busy = await runCli(['move', server, back])
    expect([busy.code, busy.err]).toEqual([2, expect.stringContaining('stop them first')])
    expect(existsSync(back)).toBe(false)
    await store.releaseWorker('w')
    await store.close()
    const home = await runCli(['move', server, back, '--json'])
    expect(JSON.parse(home.out)).toEqual([{ collection, from: before, to: before, same: true }])
  }, 120_000)

  it('refuses a crawl of the frontier before anything is moved, and takes the rest by name', async () => {
    const folder = tempFolder()
    const [from, to] = [join(folder, 'from.db'), join(folder, 'to.db')]
    const source = await openSqliteStore({ path: from, unsynced: true })
    await source.addPages({ collection, now: 1, pages: [{ url: 'https://a.example/' }] })
    const item = { collection: 'DEFAULT', key: 'b.example', url: 'HTTPS://b.example/x/../y#z' }
    await source.queues.discover([{ ...item, metadata: {} }], 1)
    await source.close()
    const all = await runCli(['move', from, to])
    expect([all.code, all.err]).toEqual([2, expect.stringContaining('is a crawl of the frontier')])
    expect(existsSync(to)).toBe(false)
    const one = await runCli(['move', from, to, '--only', collection, '--json'])
    expect(JSON.parse(one.out)).toMatchObject([{ collection, same: true }])
    const none = await runCli(['list', '--database', from])
    expect(none.out).toContain(
      'no pages here; other collections: DEFAULT, news (--collection NAME)',
    )
    // Its addresses are shown as they were sent.
    const shown = await runCli([
      ...['show', item.url, '--database', from, '--collection', 'DEFAULT'],
    ])
    expect([shown.code, shown.out]).toEqual([0, expect.stringContaining(item.url)])
    // Nor are pages added to it by hand.
    const { code, err } = await runCli([
      ...['watch', 'https://c.example/', '--database', from, '--collection', 'DEFAULT'],
    ])
    expect([code, err]).toEqual([2, expect.stringContaining('is a crawl of the frontier')])
  })
})
