import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { crawledSite } from '../../fixtures/crawled-site.js'

describe('a store file that was cut to nothing', () => {
  it('is told once as what it is, by the command that begins a new store in it', async () => {
    const { base, folder, revisit, spawned } = await crawledSite()
    const path = join(folder, 'revisit.db')
    await revisit(['watch', `${base}/a`])
    truncateSync(path, 0)
    const first = await spawned(['run', '--once'])
    expect(first.err).toContain('revisit.db was empty (0 bytes), and a new store was begun in it')
    expect(first.err).toMatch(/restore BACKUP --replace\n.*no page is watched/)
    const again = await revisit(['watch', `${base}/a`])
    expect(again).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^1 new page\nfirst visit as soon as run or serve runs; again within about [^\n]+\n$/,
      ),
      err: '',
    })
  })

  it('is not told where there was no file', async () => {
    const { base, revisit } = await crawledSite()
    expect(await revisit(['watch', `${base}/a`])).toMatchObject({ code: 0, err: '' })
  })

  it.each([['list'], ['check'], ['backup', 'copy.db']])(
    'is refused by what only looks: %s',
    async (...args) => {
      const { folder, revisit } = await crawledSite()
      const path = join(folder, 'revisit.db')
      writeFileSync(path, '')
      const { code, err } = await revisit(args)
      expect(code).toBe(3)
      expect(err).toContain(`${path} is empty (0 bytes), and no store`)
      expect(err).toMatch(/revisit restore BACKUP --replace.*revisit watch/)
      expect(statSync(path).size).toBe(0)
    },
  )
})

describe.each([
  [
    'an empty file',
    (path: string) => truncateSync(path, 0),
    /is empty \(0 bytes\), but its log .*revisit\.db-wal is not/,
  ],
  ['no file', (path: string) => rmSync(path), /is missing, but its log .*revisit\.db-wal is there/],
])('%s beside a log that is not empty', (_, lose, reported) => {
  /** The log of a store that was never closed, without what it belongs to. */
  async function torn() {
    const site = await crawledSite()
    const path = join(site.folder, 'revisit.db')
    const backup = join(site.folder, 'good.db')
    const store = await openSqliteStore({ path })
    await store.addPages({ collection: 'default', pages: [{ url: `${site.base}/a` }], now: 0 })
    await store.backup(backup)
    const log = readFileSync(`${path}-wal`)
    expect(log.length).toBeGreaterThan(0)
    await store.close()
    lose(path)
    writeFileSync(`${path}-wal`, log)
    return { site, path, backup, log }
  }

  it('is refused by every command, and the log is left as it is', async () => {
    const { site, path, log } = await torn()
    for (const args of [['watch', `${site.base}/b`], ['run', '--once'], ['list']]) {
      const { code, err } = await site.revisit(args)
      expect(code).toBe(3)
      expect(err).toMatch(reported)
      expect(err).toContain('revisit restore BACKUP --replace')
    }
    const check = await site.revisit(['check'])
    expect(check.code).toBe(5)
    expect(check.out).toContain('one half of a store')
    expect(existsSync(path) && statSync(path).size > 0).toBe(false)
    expect(readFileSync(`${path}-wal`)).toEqual(log)
  })

  it('gives way to a backup, and is kept beside it', async () => {
    const { site, path, backup, log } = await torn()
    expect((await site.revisit(['restore', backup, '--replace'])).code).toBe(0)
    expect((await site.revisit(['check'])).out).toMatch(/^in order: 1 page/)
    expect(readFileSync(`${path}.damaged-wal`)).toEqual(log)
  })
})
