import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { restoreStore } from '../../../src/store/sqlite/file/backup.js'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)

it('makes a store, its log and its backups for their owner alone', async () => {
  const folder = tempFolder()
  const [path, copy, back] = ['revisit.db', 'copy.db', 'back.db'].map((name) => join(folder, name))
  const before = process.umask(0o022)
  try {
    const store = await openSqliteStore({ path: path! })
    await store.addPages({ collection: 'c', pages: [{ url: 'http://a.example/' }], now: 1 })
    expect([path!, `${path}-wal`, `${path}-shm`].map(mode)).toEqual(['600', '600', '600'])
    await store.backup(copy!)
    await store.close()
    await restoreStore({ from: copy!, to: back! })
    expect([copy!, back!].map(mode)).toEqual(['600', '600'])
  } finally {
    process.umask(before)
  }
})

it('leaves the mode of a file that is there', async () => {
  const path = join(tempFolder(), 'revisit.db')
  writeFileSync(path, '')
  chmodSync(path, 0o640)
  const store = await openSqliteStore({ path })
  await store.close()
  expect(mode(path)).toBe('640')
})
