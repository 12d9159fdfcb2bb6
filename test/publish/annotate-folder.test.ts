import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DAY, WEEK } from '../../src/model/units.js'
import { annotateFolder } from '../../src/publish/annotate-folder.js'
import { recordName } from '../../src/publish/folder-record.js'
import { tagsOfFolder } from '../../src/publish/tag-pages.js'
import { tempFolder } from '../fixtures/temp-folder.js'

/** Monday, 2024-01-01. */
const monday = Date.UTC(2024, 0, 1) / 1000

/** A folder with these files, written at `at`. */
function folderOf(files: Record<string, string | Uint8Array>, { at }: { at: number }): string {
  const folder = tempFolder()
  for (const [path, text] of Object.entries(files)) put(folder, { path, text, at })
  return folder
}

function put(
  folder: string,
  { path, text, at }: { path: string; text: string | Uint8Array; at: number },
): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
  utimesSync(join(folder, path), at, at)
}

const page = (text: string) => `<!doctype html>\r\n<html><head><title>${text}</title></head>\r\n`
const read = (folder: string, path: string) => readFileSync(join(folder, path), 'latin1')
const tagged = (text: string, content: string) =>
  page(text).replace('<head>', `<head><meta name="Change-Frequency" content="${content}">`)

/** What became of each page. */
async function outcomes(folder: string, now: number, options = {}) {
  const { pages } = await annotateFolder({ folder, now, ...options })
  return Object.fromEntries(pages.map(({ path, outcome, tag }) => [path, `${outcome} ${tag}`]))
}

describe('a folder', () => {
  it('counts from its own looks: a daily, a weekly, a restless and a quiet page', async () => {
    const versions: Record<string, (day: number) => number> = {
      'daily.html': (day) => day,
      'quiet.html': () => 0,
      'restless.html': (day) => Math.min(day, 7),
      'weekly.html': (day) => Math.floor((day + 5) / 7),
    }
    const folder = folderOf({}, { at: monday })
    for (let day = 0; day <= 28; day++) {
      const at = monday + (day - 0.7) * DAY
      // The generator writes every page every day, without its tag.
      for (const [path, version] of Object.entries(versions))
        put(folder, { path, text: page(String(version(day))), at })
      await annotateFolder({ folder, now: at + 60 })
    }
    // By hand: first looked at on Sunday evening, so each of the four weeks is whole.
    const { pages } = await annotateFolder({ folder, now: monday + 28.5 * DAY })
    expect(pages.map(({ path, counts, tag }) => [path, counts, tag])).toEqual([
      ['daily.html', [7, 7, 7, 7], 'PERIODIC=1'],
      ['quiet.html', [0, 0, 0, 0], 'STATIC'],
      ['restless.html', [7, 0, 0, 0], 'nonuniform=7'],
      ['weekly.html', [1, 1, 1, 1], 'PERIODIC=7'],
    ])
    expect(read(folder, 'daily.html')).toBe(tagged('28', 'PERIODIC=1'))
  })

  it('believes that a file is as it is since it was written', async () => {
    const folder = folderOf({ 'old.html': page('a'), 'a/new.htm': page('b') }, { at: monday })
    put(folder, { path: 'a/new.htm', text: page('b'), at: monday + 30 * DAY })
    put(folder, { path: 'packed.html', text: page('c'), at: Date.UTC(1980, 0, 1) / 1000 })
    put(folder, { path: 'future.html', text: page('c'), at: monday + 900 * DAY })
    expect(await outcomes(folder, monday + 31 * DAY)).toEqual({
      'old.html': 'inserted STATIC',
      'a/new.htm': 'too-new null',
      'packed.html': 'too-new null',
      'future.html': 'too-new null',
    })
    expect(read(folder, 'old.html')).toBe(tagged('a', 'STATIC'))
    expect(read(folder, 'a/new.htm')).toBe(page('b'))
  })

  it('is the same after the second time, and keeps times and modes', async () => {
    const folder = folderOf({ 'a.html': page('a') }, { at: monday })
    const path = join(folder, 'a.html')
    chmodSync(path, 0o640)
    const now = monday + 40 * DAY
    expect(await outcomes(folder, now)).toEqual({ 'a.html': 'inserted STATIC' })
    const first = { text: read(folder, 'a.html'), record: read(folder, recordName) }
    const { mode, mtimeMs, ino } = statSync(path)
    expect({ mode: mode & 0o777, at: mtimeMs / 1000 }).toEqual({ mode: 0o640, at: monday })
    expect(await outcomes(folder, now)).toEqual({ 'a.html': 'unchanged STATIC' })
    expect({ text: read(folder, 'a.html'), record: read(folder, recordName) }).toEqual(first)
    expect(statSync(path).ino).toBe(ino)
    put(folder, { path: 'a.html', text: page('b'), at: monday + 41 * DAY })
    await outcomes(folder, now + WEEK, { touch: true })
    expect(read(folder, 'a.html')).toBe(tagged('b', 'nonuniform=7'))
    expect(statSync(path).mtimeMs / 1000).toBeGreaterThan(monday + WEEK * 50)
    expect(readdirSync(folder).sort()).toEqual([recordName, 'a.html'])
  })

  it('writes nothing, or only the record, where asked', async () => {
    const folder = folderOf({ 'a.html': page('a') }, { at: monday })
    const now = monday + 40 * DAY
    expect(await outcomes(folder, now, { write: 'nothing' })).toEqual({
      'a.html': 'inserted STATIC',
    })
    expect(readdirSync(folder)).toEqual(['a.html'])
    await outcomes(folder, now, { write: 'record' })
    expect(existsSync(join(folder, recordName))).toBe(true)
    expect(read(folder, 'a.html')).toBe(page('a'))
  })

  it('tells a server the tags of the paths it serves', async () => {
    const names = ['index.html', 'a/index.htm', 'b c.html']
    const folder = folderOf(Object.fromEntries(names.map((name) => [name, page('a')])), {
      at: monday,
    })
    const now = monday + 40 * DAY
    expect((await tagsOfFolder(folder, { now }))('/')).toBeNull()
    await outcomes(folder, now, { write: 'record' })
    const tagFor = await tagsOfFolder(folder, { now })
    for (const path of ['/', '/index.html', '/a/', '/b%20c', '/b%20c.html'])
      expect([path, tagFor(path)]).toEqual([path, 'STATIC'])
    for (const path of ['/b', '/%', '/a/b/', '/../index.html']) expect(tagFor(path)).toBeNull()
  })

  it('keeps a tag written by hand where asked', async () => {
    const folder = folderOf({ 'a.html': tagged('a', 'PERIODIC=3') }, { at: monday })
    const now = monday + 40 * DAY
    expect(await outcomes(folder, now, { keep: true })).toEqual({ 'a.html': 'kept STATIC' })
    expect(read(folder, 'a.html')).toBe(tagged('a', 'PERIODIC=3'))
    expect(await outcomes(folder, now)).toEqual({ 'a.html': 'replaced STATIC' })
  })

  it('notes what it leaves alone: links, pieces, UTF-16, hidden files', async () => {
    const outside = folderOf({ 'secret.html': page('s') }, { at: monday })
    const folder = folderOf(
      {
        'piece.html': '<p>a',
        'wide.html': Buffer.from(`\ufeff${page('a')}`, 'utf16le'),
        '.git/a.html': page('a'),
        'node_modules/a.html': page('a'),
        'style.css': 'a{}',
      },
      { at: monday },
    )
    symlinkSync(outside, join(folder, 'linked'))
    symlinkSync(join(outside, 'secret.html'), join(folder, 'linked.html'))
    const found = await annotateFolder({ folder, now: monday + 40 * DAY })
    expect(found.pages.map(({ path, outcome }) => [path, outcome])).toEqual([
      ['piece.html', 'fragment'],
      ['wide.html', 'encoding'],
    ])
    expect(found.links.slice().sort()).toEqual(['linked', 'linked.html'])
    expect(read(outside, 'secret.html')).toBe(page('s'))
    expect(read(folder, '.git/a.html')).toBe(page('a'))
  })

  it('ends the work of a run that was killed, and removes what it left', async () => {
    const folder = folderOf({ 'a.html': page('a') }, { at: monday })
    const left = '.revisit-0123456789ab.partial'
    put(folder, { path: left, text: 'half', at: monday })
    await outcomes(folder, monday + 40 * DAY)
    expect(readdirSync(folder).sort()).toEqual([recordName, 'a.html'])
  })

  it('says what to do about a damaged record or a missing folder', async () => {
    const folder = folderOf({ [recordName]: '{"version":1,"pages":{"a":{}}}' }, { at: monday })
    await expect(outcomes(folder, monday)).rejects.toThrow(/is damaged .* remove it to begin/)
    writeFileSync(join(folder, recordName), '{"version":9}')
    await expect(outcomes(folder, monday)).rejects.toThrow(/version is 9/)
    await expect(outcomes(join(folder, 'no'), monday)).rejects.toThrow(/no such folder/)
    await expect(outcomes(join(folder, recordName), monday)).rejects.toThrow(/is not a folder/)
  })

  it('takes the past from elsewhere where given', async () => {
    const folder = folderOf({ 'a.html': page('a'), 'b.html': page('b') }, { at: monday })
    const changes = Array.from({ length: 28 }, (_, day) => monday + (day + 0.5) * DAY)
    const pastOf = async (path: string) => (path === 'a.html' ? { since: monday, changes } : null)
    expect(await outcomes(folder, monday + 4 * WEEK, { pastOf })).toEqual({
      'a.html': 'inserted PERIODIC=1',
      'b.html': 'unknown null',
    })
    expect(readdirSync(folder).sort()).toEqual(['a.html', 'b.html'])
  })

  it('leaves a file that became another while it was looked at', async () => {
    const outside = folderOf({ 'secret.html': page('s') }, { at: monday })
    const folder = folderOf(
      { 'a.html': page('a'), 'b.html': page('b'), 'c/c.html': page('c') },
      { at: monday },
    )
    const pastOf = async (path: string) => {
      if (path === 'a.html') put(folder, { path, text: page('changed'), at: monday + DAY })
      if (path === 'b.html') {
        rmSync(join(folder, path))
        symlinkSync(join(outside, 'secret.html'), join(folder, path))
      }
      if (path === 'c/c.html') {
        rmSync(join(folder, 'c'), { recursive: true })
        symlinkSync(outside, join(folder, 'c'))
        put(outside, { path: 'c.html', text: page('c'), at: monday })
      }
      return { since: monday, changes: [] }
    }
    const { pages } = await annotateFolder({ folder, now: monday + 40 * DAY, pastOf })
    expect(pages.map(({ path, outcome }) => `${path} ${outcome}`)).toEqual([
      'a.html failed',
      'b.html failed',
      'c/c.html failed',
    ])
    expect(read(folder, 'a.html')).toBe(page('changed'))
    expect([read(outside, 'secret.html'), read(outside, 'c.html')]).toEqual([page('s'), page('c')])
    expect(readdirSync(folder).sort()).toEqual(['a.html', 'b.html', 'c'])
  })

  it('of a thousand pages is done, and the second time left as it is', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 1000 }, (_, i) => [
        `${i % 10}/${i}.html`,
        `${page(String(i))}${'x'.repeat(i)}`,
      ]),
    )
    const folder = folderOf(files, { at: monday })
    const now = monday + 40 * DAY
    const first = await annotateFolder({ folder, now })
    expect(first.pages.filter(({ outcome }) => outcome === 'inserted')).toHaveLength(1000)
    const wrong = Object.entries(files).filter(
      ([path, text]) =>
        read(folder, path) !==
        text.replace('<head>', '<head><meta name="Change-Frequency" content="STATIC">'),
    )
    expect(wrong).toEqual([])
    const times = () => Object.keys(files).map((path) => statSync(join(folder, path)).ctimeMs)
    const before = times()
    const second = await annotateFolder({ folder, now })
    expect(second.pages.filter(({ outcome }) => outcome === 'unchanged')).toHaveLength(1000)
    expect(times()).toEqual(before)
  })
})
