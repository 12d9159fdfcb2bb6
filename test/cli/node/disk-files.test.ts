import { linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DiskFiles } from '../../../src/cli/node/files.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

function inFolder(): (name: string) => string {
  const folder = tempFolder()
  return (name) => join(folder, name)
}

const database = 'SQLite format 3\0 and more'

describe('DiskFiles', () => {
  it('writes over an older report', async () => {
    const at = inFolder()
    const files = new DiskFiles()
    await files.save(at('report.html'), 'one, and longer')
    await files.save(at('report.html'), 'two')
    expect(readFileSync(at('report.html'), 'utf8')).toBe('two')
  })

  it('never writes over a database, nor over what lies beside it', async () => {
    const at = inFolder()
    const files = new DiskFiles()
    writeFileSync(at('pages.db'), database)
    symlinkSync(at('pages.db'), at('link.html'))
    for (const name of [
      'pages.db',
      'link.html',
      'pages.db-wal',
      'pages.db-shm',
      'pages.db-journal',
    ])
      for (const write of [() => files.createFile(at(name)), () => files.save(at(name), 'x')])
        await expect(write()).rejects.toMatchObject({
          code: 'replaces-database',
          message: expect.stringMatching(/name another file/),
        })
    expect(readFileSync(at('pages.db'), 'utf8')).toBe(database)
    expect(() => readFileSync(at('pages.db-wal'))).toThrow(/ENOENT/)
  })

  it('never writes over what it has read, by whatever path', async () => {
    const at = inFolder()
    const files = new DiskFiles()
    writeFileSync(at('visits.csv'), 'a log')
    symlinkSync(at('visits.csv'), at('by-link.csv'))
    linkSync(at('visits.csv'), at('by-name.csv'))
    for await (const _ of (await files.open(at('visits.csv'))).chunks);
    const paths = ['visits.csv', 'by-link.csv', 'by-name.csv'].map(at)
    for (const path of [...paths, relative('.', at('visits.csv'))])
      await expect(files.save(path, 'x')).rejects.toMatchObject({ code: 'replaces-input' })
    expect(readFileSync(at('visits.csv'), 'utf8')).toBe('a log')
  })

  it('knows what will be read before it is', async () => {
    const at = inFolder()
    const files = new DiskFiles()
    writeFileSync(at('input.csv'), 'a log')
    await expect(files.mayReplace(at('input.csv'), [at('input.csv')])).rejects.toMatchObject({
      code: 'replaces-input',
    })
    await files.mayReplace(at('other.csv'), [at('input.csv')])
  })

  it('knows before the work that its folder is not there, or that it is one itself', async () => {
    const at = inFolder()
    const files = new DiskFiles()
    for (const [name, reason] of [
      ['none/rates.parquet', /rates\.parquet: its folder does not exist; name another file$/],
      ['.', /it is a folder; name another file$/],
    ] as const)
      for (const ask of [() => files.mayReplace(at(name)), () => files.createFile(at(name))])
        await expect(ask()).rejects.toMatchObject({
          code: 'unwritable-file',
          message: expect.stringMatching(reason),
        })
  })
})
