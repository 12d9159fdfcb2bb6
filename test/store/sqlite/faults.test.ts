import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { EnvironmentError } from '../../../src/model/errors.js'
import type { FileStore, Store } from '../../../src/model/store.js'
import type { VisitReport } from '../../../src/model/visit-record.js'
import { Random } from '../../../src/numeric/random.js'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { aVisit } from '../../fixtures/a-visit.js'
import { readOnlyView, smallDisk } from '../../fixtures/small-mount.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

const now = 1_700_000_000
const collection = 'c'
const url = 'https://a.example/'
const mountRefused = 'this machine does not let the test mount a file system'

const add = (store: Store) => store.addPages({ collection, now, pages: [{ url }] })

/** Records visits with new content of 20 KB each until one is refused. */
async function fill(
  store: Store,
): Promise<{ acknowledged: number; fault: unknown; report: VisitReport }> {
  const random = new Random(5)
  for (let visits = 0; ; visits++) {
    const at = now + visits
    const [lease] = await store.leasePages({
      pages: [{ collection, url }],
      now: at,
      ttl: 1,
      worker: 'w',
    })
    const body = Uint8Array.from({ length: 20_000 }, () => random.below(256))
    const report: VisitReport = {
      lease: lease!,
      visit: aVisit({ at, outcome: 'changed' }),
      due: { at, reason: 'at once' },
      content: { body },
    }
    try {
      await store.recordVisits([report])
    } catch (fault) {
      return { acknowledged: visits, fault, report }
    }
  }
}

async function expectWhole(store: Store, acknowledged: number): Promise<void> {
  const visits = await store.visitsOf({ collection, url })
  expect(visits.map(({ at }) => at - now)).toEqual([...Array(acknowledged).keys()])
  expect(await store.check()).toEqual([])
}

describe('a full disk', () => {
  it('refuses with what to do, keeps all that was acknowledged, and goes on once there is room', async ({
    skip,
  }) => {
    const disk = smallDisk({ kibibytes: 1280 })
    if (disk === null) return skip(mountRefused)
    const path = join(disk, 'revisit.db')
    const ballast = join(disk, 'ballast')
    writeFileSync(ballast, Buffer.alloc(300_000))
    const store = await openSqliteStore({ path, retention: { newest: 99, youngerThan: 0 } })
    await add(store)
    const { acknowledged, fault, report } = await fill(store)
    expect(acknowledged).toBeGreaterThan(3)
    expect(fault).toBeInstanceOf(EnvironmentError)
    expect(fault).toMatchObject({ code: 'disk-full' })
    expect(String(fault)).toMatch(/Free some space/)
    await expectWhole(store, acknowledged)
    rmSync(ballast)
    expect(await store.recordVisits([report])).toEqual(['recorded'])
    await expectWhole(store, acknowledged + 1)
    await store.close()
    const again = await openSqliteStore({ path })
    await expectWhole(again, acknowledged + 1)
    await again.close()
  })

  it('is what a store at its limit of bytes looks like', async () => {
    const path = join(tempFolder(), 'revisit.db')
    const retention = { newest: 99, youngerThan: 0 }
    const store = await openSqliteStore({ path, retention, maxBytes: 600_000 })
    await add(store)
    const { acknowledged, fault } = await fill(store)
    expect(fault).toMatchObject({ code: 'disk-full' })
    // 600,000 bytes hold some of 20,000 each, beside the tables.
    expect(acknowledged).toBeGreaterThan(15)
    await expectWhole(store, acknowledged)
    await store.close()
    expect(statSync(path).size).toBeLessThanOrEqual(600_000)
    const wider = await openSqliteStore({ path })
    await expectWhole(wider, acknowledged)
    await wider.close()
  })
})

describe('a store that cannot be written', () => {
  it('in a read-only folder says so, and can still be read', async ({ skip }) => {
    const folder = tempFolder()
    const store = await openSqliteStore({ path: join(folder, 'revisit.db') })
    await add(store)
    await store.close()
    const view = readOnlyView(folder)
    if (view === null) return skip(mountRefused)
    const path = join(view, 'revisit.db')
    await expect(openSqliteStore({ path })).rejects.toMatchObject({ code: 'store-read-only' })
    await expect(openSqliteStore({ path: join(view, 'new.db') })).rejects.toMatchObject({
      code: 'store-unreachable',
    })
    await expect(openSqliteStore({ path: join(view, 'sub', 'new.db') })).rejects.toMatchObject({
      code: 'store-unreachable',
    })
    const reader = await openSqliteStore({ path, readOnly: true })
    expect(await reader.getPage({ collection, url })).toMatchObject({ url })
    await expect(add(reader)).rejects.toMatchObject({ code: 'store-read-only' })
    await reader.close()
  })

  it('because a file is in the place of its folder says so', async () => {
    const folder = tempFolder()
    writeFileSync(join(folder, 'file'), '')
    await expect(openSqliteStore({ path: join(folder, 'file', 'x.db') })).rejects.toMatchObject({
      code: 'store-unreachable',
    })
    mkdirSync(join(folder, 'taken.db'))
    await expect(openSqliteStore({ path: join(folder, 'taken.db') })).rejects.toMatchObject({
      code: 'store-unreachable',
    })
  })

  it('because it was opened to look only says so', async () => {
    const path = join(tempFolder(), 'revisit.db')
    await expect(openSqliteStore({ path, readOnly: true })).rejects.toMatchObject({
      code: 'no-store',
    })
    await (await openSqliteStore({ path })).close()
    const reader = await openSqliteStore({ path, readOnly: true })
    await expect(add(reader)).rejects.toMatchObject({ code: 'store-read-only' })
    await reader.close()
  })
})

describe('a store in use', () => {
  it('is waited for, then refused; nothing is recorded, and the lease still holds', async () => {
    const path = join(tempFolder(), 'revisit.db')
    const store = await openSqliteStore({ path, lockWait: 0.05 })
    await add(store)
    const [lease] = await store.leaseDue({
      collection,
      now,
      limit: 1,
      perHost: 1,
      ttl: 9,
      worker: 'w',
    })
    const other = new DatabaseSync(path)
    other.exec('begin immediate')
    const report = { lease: lease!, visit: aVisit({ at: now }), due: { at: now, reason: '' } }
    await expect(store.recordVisits([report])).rejects.toMatchObject({ code: 'store-locked' })
    await expect(add(store)).rejects.toThrow(/another process/)
    expect(await store.visitsOf({ collection, url })).toEqual([])
    other.exec('rollback')
    other.close()
    expect(await store.recordVisits([report])).toEqual(['recorded'])
    await store.close()
  })

  it('by two workers gives each page to one of them', async () => {
    const path = join(tempFolder(), 'revisit.db')
    const stores = [await openSqliteStore({ path }), await openSqliteStore({ path })]
    const pages = Array.from({ length: 20 }, (_, host) => ({ url: `https://h${host}.example/` }))
    await stores[0]!.addPages({ collection, now, pages })
    const given: string[] = []
    for (let turn = 0; turn < 8; turn++) {
      const ask = { collection, now, limit: 3, perHost: 1, ttl: 60, worker: `w${turn % 2}` }
      for (const { page } of await stores[turn % 2]!.leaseDue(ask)) given.push(page.url)
    }
    expect(new Set(given).size).toBe(20)
    expect(given).toHaveLength(20)
    for (const store of stores) await store.close()
  })
})

describe('a file that is not a store of ours', () => {
  it.each([
    ['text', () => Buffer.from('dear diary, '.repeat(1000))],
    ['the database of another program', anotherProgram],
    ['a store of a newer Revisit', newerStore],
  ])('(%s) is refused and left alone', async (_, make) => {
    const path = join(tempFolder(), 'x.db')
    const bytes = make(path)
    if (bytes !== undefined) writeFileSync(path, bytes)
    const before = readFileSync(path)
    const fault = await openSqliteStore({ path }).catch((reason: unknown) => reason)
    expect(fault).toBeInstanceOf(EnvironmentError)
    expect(String(fault)).toMatch(/left alone/)
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it('of a newer Revisit names both schemas', async () => {
    const path = join(tempFolder(), 'x.db')
    newerStore(path)
    await expect(openSqliteStore({ path })).rejects.toMatchObject({
      code: 'store-newer',
      message: expect.stringMatching(/schema 999; this one knows \d+\). Update Revisit/),
    })
  })
})

describe('a damaged store', () => {
  it('that was left open is found at the start', async () => {
    const { path, store } = await manyPages()
    // Copied while open, so that its log lies beside it, as after a kill.
    const copy = join(tempFolder(), 'copy.db')
    const bytes = readFileSync(path)
    bytes.fill(0x5a, bytes.length / 2)
    writeFileSync(copy, bytes)
    writeFileSync(`${copy}-wal`, readFileSync(`${path}-wal`).subarray(0, 32))
    await store.close()
    await expect(openSqliteStore({ path: copy })).rejects.toMatchObject({ code: 'store-damaged' })
  })

  it.each([0.3, 0.5, 0.7, 0.9])(
    'that was closed well is found before anything is written: one page zeroed at %d of the file',
    async (share) => {
      const { path, store } = await manyPages()
      await store.close()
      tearPage(path, share)
      const before = readFileSync(path)
      const fault = await openSqliteStore({ path }).catch((reason: unknown) => reason)
      expect(fault).toBeInstanceOf(EnvironmentError)
      expect(fault).toMatchObject({ code: 'store-damaged' })
      expect(String(fault)).toContain(path)
      expect(String(fault)).toMatch(/revisit check.*revisit restore/)
      expect(readFileSync(path).equals(before)).toBe(true)
      const torn = await openSqliteStore({ path, readOnly: true, unseen: true })
      expect((await torn.check()).join('; ')).toMatch(/Tree \d+ page \d+/)
      await torn.close()
    },
  )

  it('met at work is told with the file and what to do', async () => {
    const { path, store } = await manyPages()
    await store.close()
    for (const share of [0.3, 0.5, 0.7, 0.9]) tearPage(path, share)
    const torn = await openSqliteStore({ path, unseen: true })
    // All pages, so that a torn one is among them, met between two rows.
    const fault = await torn.listPages({ collection, limit: 3000 }).catch((reason) => reason)
    expect(fault).toBeInstanceOf(EnvironmentError)
    expect(fault).toMatchObject({ code: 'store-damaged' })
    expect(String(fault)).toContain(path)
    await torn.close()
  })

  it('is told where a copy of a page cannot be unpacked', async () => {
    const path = join(tempFolder(), 'revisit.db')
    const store = await openSqliteStore({ path })
    await add(store)
    const [lease] = await store.leasePages({
      pages: [{ collection, url }],
      now,
      ttl: 1,
      worker: 'w',
    })
    const content = { body: Buffer.from('words '.repeat(500)) }
    const visit = aVisit({ at: now })
    await store.recordVisits([{ lease: lease!, visit, due: { at: now, reason: '' }, content }])
    const other = new DatabaseSync(path)
    other.exec('update snapshots set body = zeroblob(length(body))')
    other.close()
    const [version] = await store.versionsOf({ collection, url })
    await expect(store.snapshot(version!.digest)).rejects.toMatchObject({ code: 'store-damaged' })
    await store.close()
  })

  it.each([
    ['delete from visits where id = 1', /number of visits|out of the order/],
    ['update visits set previous = 1 where id = 3', /two successors/],
    ['update pages set newest_visit = 1', /newest visit/],
    ['update frontier set due = 5', /earliest due/],
    ['update hosts set blocked_until = 5', /block/],
    ['update snapshots set refs = 7', /number of versions/],
    ['delete from snapshots', /without content/],
    ['insert into leases values (99, 1, 1, 1, 1, 0, 0)', /leases of no page/],
    [
      'insert into visits (page, at, outcome, bytes, duration) values (99, 1, 0, 0, 0)',
      /of no page/,
    ],
  ])('is found by the check after: %s', async (sql, problem) => {
    const path = join(tempFolder(), 'revisit.db')
    const store = await openSqliteStore({ path })
    await add(store)
    for (const at of [1, 2, 3]) {
      const [lease] = await store.leasePages({
        pages: [{ collection, url }],
        now: at,
        ttl: 1,
        worker: 'w',
      })
      const content = { body: Buffer.from(`body ${at}`) }
      await store.recordVisits([
        { lease: lease!, visit: aVisit({ at }), due: { at, reason: '' }, content },
      ])
    }
    expect(await store.check()).toEqual([])
    const other = new DatabaseSync(path)
    other.exec(sql)
    other.close()
    expect((await store.check()).join('; ')).toMatch(problem)
    await store.close()
  })
})

/** As a bad sector does. */
function tearPage(path: string, share: number): void {
  const bytes = readFileSync(path)
  const at = Math.floor((bytes.length / 4096) * share) * 4096
  writeFileSync(path, bytes.fill(0, at, at + 4096))
}

async function manyPages(): Promise<{ path: string; store: FileStore }> {
  const path = join(tempFolder(), 'revisit.db')
  const store = await openSqliteStore({ path })
  const pages = Array.from({ length: 2000 }, (_, page) => ({ url: `${url}${page}` }))
  await store.addPages({ collection, now, pages })
  // Into the file, so that there is something to damage.
  await store.close()
  const again = await openSqliteStore({ path })
  await add(again)
  return { path, store: again }
}

function anotherProgram(path: string): undefined {
  const db = new DatabaseSync(path)
  db.exec('create table recipes (name text)')
  db.close()
}

function newerStore(path: string): undefined {
  const db = new DatabaseSync(path)
  db.exec(
    `create table pages (x); pragma application_id = ${0x52565354}; pragma user_version = 999`,
  )
  db.close()
}
