import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { crawledSite } from '../../fixtures/crawled-site.js'

const T = 1714521600
const lines = Array.from({ length: 9 }, (_, i) => `https://e.org/,${T + i * 86400},${i % 2}`)

/** A store with a page that was visited, a log, and a configuration. */
async function collection() {
  const site = await crawledSite({ '/a': { body: 'A' } })
  await site.revisit(['watch', `${site.base}/a`])
  await site.revisit(['run', '--once'])
  const [database, visits, config] = ['revisit.db', 'visits.csv', 'own.yaml'].map((name) =>
    join(site.folder, name),
  ) as [string, string, string]
  writeFileSync(visits, `url,at,changed\n${lines.join('\n')}\n`)
  writeFileSync(config, 'budget: 1/page\n')
  return { ...site, database, visits, config }
}

describe('a file that a command writes', () => {
  it('is never the store', async () => {
    const { revisit, database, visits } = await collection()
    const before = readFileSync(database)
    const simulation = ['simulate', '--process', 'poisson', '--policy', 'fixed']
    for (const args of [
      ['export', database, '--format', 'csv'],
      ['export', database, '--format', 'warc'],
      ['plan', '--csv', database],
      ['plan', '--html', database],
      ['prior', 'export', database],
      ['estimate', visits, '--html', database],
      [...simulation, '--html', database],
      ['evaluate', '--own', '--html', database],
      ['reproduce', '--html', database],
    ]) {
      const { code, out, err } = await revisit(args)
      expect({ args, code, out }).toEqual({ args, code: 2, out: '' })
      expect(err).toMatch(/revisit\.db is a database, which no report or export replaces; name/)
      expect(readFileSync(database).equals(before)).toBe(true)
    }
    expect((await revisit(['check'])).out).toMatch(/^in order: 1 page, 1 visit/)
  })

  it('is never one that the command reads', async () => {
    const { revisit, visits, config } = await collection()
    const before = [visits, config].map((path) => readFileSync(path, 'utf8'))
    for (const args of [
      ['estimate', visits, '--html', visits],
      ['evaluate', '--histories', visits, '--html', visits],
      ['evaluate', '--histories', config, '--objects', visits, '--html', visits],
      ['export', config, '--format', 'csv', '--config', config],
      ['plan', '--csv', config, '--config', config],
    ]) {
      const { code, out, err } = await revisit(args)
      expect({ args, code, out }).toEqual({ args, code: 2, out: '' })
      expect(err).toMatch(/is read by this command and would be replaced; name another file/)
    }
    expect([visits, config].map((path) => readFileSync(path, 'utf8'))).toEqual(before)
  })

  it('is never what is piped in', async () => {
    const { visits, folder } = await collection()
    const command = `"${process.execPath}" dist/cli/main.js estimate --html "$1" < "$1"`
    const found = spawnSync('sh', ['-c', command, 'sh', visits], { encoding: 'utf8' })
    expect(found).toMatchObject({ status: 2, stdout: '' })
    expect(found.stderr).toMatch(/is read by this command/)
    expect(readFileSync(join(folder, 'visits.csv'), 'utf8')).toMatch(/^url,at,changed\n/)
  })

  it('may be an older one of its kind', async () => {
    const { revisit, visits, folder } = await collection()
    for (const args of [
      ['estimate', visits, '--html', join(folder, 'report.html')],
      ['export', join(folder, 'table.csv')],
    ])
      for (let i = 0; i < 2; i++) expect(await revisit(args)).toMatchObject({ code: 0 })
    expect(readFileSync(join(folder, 'table.csv'), 'utf8')).toMatch(/^url,/)
  })
})
