import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FileStore, Store } from '../../../src/model/store.js'
import { restoreStore } from '../../../src/store/sqlite/file/backup.js'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { aVisit } from '../../fixtures/a-visit.js'
import { smallDisk } from '../../fixtures/small-mount.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

const now = 1_700_000_000
const collection = 'c'

async function filled(path: string, pages = 500): Promise<FileStore> {
  const store = await openSqliteStore({ path })
  const urls = Array.from({ length: pages }, (_, at) => ({
    url: `https://h${at % 7}.example/${at}`,
  }))
  await store.addPages({ collection, now, pages: urls })
  return store
}

/** One visit of one page, with content. */
async function visit(store: Store, at: number): Promise<void> {
  const terms = { collection, now: at, limit: 1, perHost: 9, ttl: 1, worker: 'w' }
  const [lease] = await store.leaseDue(terms)
  const content = { body: Buffer.from(`body at ${at}`) }
  const due = { at, reason: '' }
  await store.recordVisits([{ lease: lease!, visit: aVisit({ at }), due, content }])
}

describe('a backup', () => {
  it('made under load is whole, of one moment, and one file', async () => {
    const folder = tempFolder()
    const store = await filled(join(folder, 'revisit.db'), 5000)
    await visit(store, now + 1)
    let done = false
    const copied = store.backup(join(folder, 'copy.db')).finally(() => {
      done = true
    })
    let visits = 1
    while (!done) await visit(store, now + ++visits)
    const reported = await copied
    expect(await store.totals()).toMatchObject({ visits })
    await store.close()
    expect(readdirSync(folder).sort()).toEqual(['copy.db', 'revisit.db'])
    const copy = await openSqliteStore({ path: join(folder, 'copy.db'), readOnly: true })
    expect(await copy.check()).toEqual([])
    const totals = await copy.totals()
    expect(totals.pages).toBe(5000)
    expect(totals.visits).toBeGreaterThanOrEqual(1)
    // A visit and its content are of one transaction, and so is their copy.
    expect(totals.versions).toBe(totals.visits)
    // The store has gone on since; what is told is what was copied.
    expect(reported).toEqual({ pages: totals.pages, visits: totals.visits })
    expect(reported.visits).toBeLessThan(visits)
    await copy.close()
  })

  it('never goes over a file that is there', async () => {
    const folder = tempFolder()
    const store = await filled(join(folder, 'revisit.db'))
    writeFileSync(join(folder, 'precious'), 'letters')
    await expect(store.backup(join(folder, 'precious'))).rejects.toMatchObject({
      code: 'file-exists',
    })
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('letters')
    await store.close()
  })

  it('that finds no room leaves no half copy', async ({ skip }) => {
    const disk = smallDisk({ kibibytes: 64 })
    if (disk === null) return skip('this machine does not let the test mount a file system')
    const store = await filled(join(tempFolder(), 'revisit.db'), 2000)
    await expect(store.backup(join(disk, 'copy.db'))).rejects.toMatchObject({ code: 'disk-full' })
    expect(readdirSync(disk)).toEqual([])
    await visit(store, now + 1)
    expect(await store.check()).toEqual([])
    await store.close()
  })

  it('into a folder that is not there says so', async () => {
    const store = await filled(join(tempFolder(), 'revisit.db'))
    await expect(store.backup('/nowhere/at/all/copy.db')).rejects.toMatchObject({
      code: 'store-unreachable',
    })
    await store.close()
  })
})

describe('restoring', () => {
  it('brings a store back as it was at the backup', async () => {
    const folder = tempFolder()
    const [path, copy] = [join(folder, 'revisit.db'), join(folder, 'copy.db')]
    const store = await filled(path)
    await visit(store, now + 1)
    const before = await store.listPages({ collection, limit: 999 })
    await store.backup(copy)
    await visit(store, now + 2)
    await store.close()
    await expect(restoreStore({ from: copy, to: path })).rejects.toMatchObject({
      code: 'file-exists',
    })
    await restoreStore({ from: copy, to: path, replace: true })
    const again = await openSqliteStore({ path })
    expect(await again.listPages({ collection, limit: 999 })).toEqual(before)
    expect(await again.check()).toEqual([])
    await visit(again, now + 3)
    await again.close()
    await restoreStore({ from: copy, to: join(folder, 'elsewhere', 'new.db') })
    expect(existsSync(join(folder, 'elsewhere', 'new.db'))).toBe(true)
  })

  it('holds nothing of what was held on its day: hosts are free at once', async () => {
    const folder = tempFolder()
    const [path, copy] = [join(folder, 'revisit.db'), join(folder, 'copy.db')]
    const store = await filled(path, 7)
    const terms = { now, ttl: 300, worker: 'of that day' }
    expect(await store.leaseDue({ ...terms, collection, limit: 3, perHost: 1 })).toHaveLength(3)
    expect(await store.holdHost({ ...terms, host: 'h6.example' })).not.toBeNull()
    const settings = { type: 'webhook' }
    const { id: channel } = await store.outbox.addChannel({
      ...{ collection, name: 'hook', settings, now, cursor: 0 },
    })
    const hold = (outbox: Store['outbox'], worker: string, at: number) =>
      outbox.holdChannel({ channel, worker, now: at, until: at + 300 })
    expect(await hold(store.outbox, 'of that day', now)).toBe(true)
    await store.backup(copy)
    await store.close()
    await restoreStore({ from: copy, to: path, replace: true })
    const again = await openSqliteStore({ path })
    const today = { now: now + 1, ttl: 300, worker: 'of today' }
    expect(await again.leasingWorkers()).toEqual([])
    expect(await hold(again.outbox, 'of today', now + 1)).toBe(true)
    expect(await again.nextDue({ collection, now: now + 1, perHost: 1 })).toBe(now + 1)
    expect(await again.leaseDue({ ...today, collection, limit: 9, perHost: 1 })).toHaveLength(7)
    expect(await again.check()).toEqual([])
    await again.close()
  })

  it('leaves a store in use alone', async () => {
    const folder = tempFolder()
    const [path, copy] = [join(folder, 'revisit.db'), join(folder, 'copy.db')]
    const store = await filled(path)
    await store.backup(copy)
    await visit(store, now + 1)
    await expect(restoreStore({ from: copy, to: path, replace: true })).rejects.toMatchObject({
      code: 'store-locked',
    })
    expect(await store.totals()).toMatchObject({ visits: 1 })
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([])
    await store.close()
  })

  it('keeps a damaged store beside the good one', async () => {
    const folder = tempFolder()
    const [path, copy] = [join(folder, 'revisit.db'), join(folder, 'copy.db')]
    const store = await filled(path)
    await store.backup(copy)
    await store.close()
    writeFileSync(path, 'no longer a store at all, '.repeat(200))
    await restoreStore({ from: copy, to: path, replace: true })
    const again = await openSqliteStore({ path })
    expect(await again.countPages({ collection })).toBe(500)
    await again.close()
    expect(readFileSync(`${path}.damaged`, 'utf8')).toMatch(/^no longer/)
  })

  it('keeps a store with one torn page beside the good one', async () => {
    const folder = tempFolder()
    const [path, copy] = [join(folder, 'revisit.db'), join(folder, 'copy.db')]
    const store = await filled(path)
    await store.backup(copy)
    await store.close()
    const bytes = readFileSync(path)
    const torn = bytes.fill(0, bytes.length - 8192, bytes.length - 4096)
    writeFileSync(path, torn)
    await restoreStore({ from: copy, to: path, replace: true })
    expect(readFileSync(`${path}.damaged`).equals(torn)).toBe(true)
    const again = await openSqliteStore({ path })
    expect(await again.countPages({ collection })).toBe(500)
    await again.close()
  })

  it('of what is no whole store is refused, and the old one stays', async () => {
    const folder = tempFolder()
    const path = join(folder, 'revisit.db')
    const store = await filled(path)
    const copy = join(folder, 'copy.db')
    await store.backup(copy)
    await store.close()
    const bytes = readFileSync(copy)
    writeFileSync(join(folder, 'text'), 'dear diary')
    writeFileSync(join(folder, 'torn'), bytes.fill(0x5a, bytes.length / 2))
    for (const from of ['text', 'torn', 'missing'])
      await expect(
        restoreStore({ from: join(folder, from), to: path, replace: true }),
      ).rejects.toThrow(/store|damaged|no file/)
    const again = await openSqliteStore({ path })
    expect(await again.countPages({ collection })).toBe(500)
    await again.close()
  })
})
