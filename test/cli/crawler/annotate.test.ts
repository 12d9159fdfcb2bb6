import { chmodSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DAY } from '../../../src/model/units.js'
import { recordName } from '../../../src/publish/folder-record.js'
import { crawledSite } from '../../fixtures/crawled-site.js'
import { testNow } from '../../fixtures/read-text.js'
import { runHere } from '../../fixtures/small-environment.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

const page = (text: string) => `<!doctype html>\r\n<html><head>\r\n<title>${text}</title>\r\n`
const tag = '<meta name="Change-Frequency" content="STATIC">'

function put(path: string, { text, at }: { text: string; at: number }): void {
  writeFileSync(path, text)
  utimesSync(path, at, at)
}

/** Two old pages, one written yesterday, one that is a piece. */
function site(): string {
  const folder = tempFolder()
  mkdirSync(join(folder, 'a'))
  const old = testNow - 100 * DAY
  put(join(folder, 'index.html'), { text: page('home'), at: old })
  put(join(folder, 'a/index.htm'), { text: page('a'), at: old })
  put(join(folder, 'new.html'), { text: page('new'), at: testNow - DAY })
  put(join(folder, 'piece.html'), { text: '<p>', at: old })
  return folder
}

describe('revisit annotate FOLDER', () => {
  it('writes tags, and the second time nothing', async () => {
    const folder = site()
    const first = await runHere(['annotate', folder])
    expect(first).toEqual({
      code: 0,
      err: '',
      out: '4 pages: 2 tag inserted, 1 not known for 4 whole weeks, 1 a piece of a page, left alone\n',
    })
    const text = readFileSync(join(folder, 'index.html'), 'utf8')
    expect(text).toBe(page('home').replace('<head>', `<head>${tag}`))
    const second = await runHere(['annotate', folder])
    expect(second.out).toMatch(/^4 pages: 2 right already/)
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe(text)
  })

  it('shows, prints or tells a program without touching a page', async () => {
    const folder = site()
    const dry = await runHere(['annotate', folder, '--dry-run'])
    expect(dry.out).toMatch(/^page +tag +days with a change.*\na\/index.htm +STATIC +0 0 0 0 +/)
    expect(dry.out).toMatch(/\(no page was written\)\n$/)
    expect(readdirSync(folder)).not.toContain(recordName)
    const printed = await runHere(['annotate', folder, '--print'])
    expect(printed.out).toBe('a/index.htm\tSTATIC\nindex.html\tSTATIC\npiece.html\tSTATIC\n')
    expect(readdirSync(folder)).toContain(recordName)
    const json = await runHere(['annotate', folder, '--dry-run', '--json', '--weeks', '2'])
    expect(JSON.parse(json.out)).toMatchObject({
      folder,
      weeks: 2,
      stopped: false,
      links: [],
      problems: [],
      pages: [
        { path: 'a/index.htm', tag: 'STATIC', counts: [0, 0], outcome: 'inserted' },
        { path: 'index.html', since: testNow - 100 * DAY },
        { path: 'new.html', tag: null, counts: null, outcome: 'too-new' },
        { path: 'piece.html', outcome: 'fragment' },
      ],
    })
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe(page('home'))
  })

  it('says what is wrong: no folder, no page, a damaged record, no base', async () => {
    const refused = (args: string[]) => runHere(['annotate', ...args])
    expect(await refused([])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/name the folder/),
    })
    expect(await refused(['/no/such'])).toMatchObject({ code: 3 })
    const folder = tempFolder()
    expect(await refused([folder])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/no pages/),
    })
    expect(await refused([folder, '--store'])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--base/),
    })
    expect(await refused([folder, '--weeks', '0'])).toMatchObject({ code: 2 })
    writeFileSync(join(folder, recordName), '{')
    expect(await refused([folder])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/damaged/),
    })
  })

  it.skipIf(process.getuid?.() === 0)(
    'reports what it cannot read (root can read all)',
    async () => {
      const folder = site()
      chmodSync(join(folder, 'index.html'), 0)
      const { code, err } = await runHere(['annotate', folder])
      expect({ code, err }).toEqual({ code: 3, err: expect.stringMatching(/^index.html: EACCES/) })
    },
  )
})

describe('revisit annotate with the store', () => {
  it('goes by what visits saw', async () => {
    const { base, folder, revisit } = await crawledSite()
    const day = 86_400
    const now = Math.floor(Date.now() / 1000)
    const visits = Array.from({ length: 50 }, (_, i) => ({
      url: `${base}/docs/`,
      at: now - (49 - i) * day - 60,
      changed: i === 0 ? 'first' : 'changed',
    }))
    const log = visits.map((each) => JSON.stringify(each)).join('\n')
    const imported = await revisit(['import', '-'], { input: log })
    expect(imported).toMatchObject({ code: 0 })
    const listed = await revisit(['annotate', '--store', '--json'])
    expect(JSON.parse(listed.out)).toEqual([
      { url: `${base}/docs/`, tag: 'PERIODIC=1', counts: [7, 7, 7, 7], since: expect.any(Number) },
    ])
    expect((await revisit(['annotate', '--store'])).out).toMatch(/\/docs\/ +PERIODIC=1 +7 7 7 7 /)
    const site = join(folder, 'public')
    mkdirSync(site)
    writeFileSync(join(site, 'index.html'), page('a'))
    writeFileSync(join(site, 'other.html'), page('b'))
    const { code, out } = await revisit(['annotate', site, '--base', `${base}/docs/`])
    expect({ code, out }).toEqual({
      code: 0,
      out: '2 pages: 1 tag inserted, 1 not in the store, or not visited lately\n',
    })
    expect(readFileSync(join(site, 'index.html'), 'utf8')).toContain('content="PERIODIC=1"')
    expect(readdirSync(site)).not.toContain(recordName)
  })
})
