import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DiskFiles, makeFolder } from '../../../src/cli/node/files.js'
import { runGit } from '../../../src/cli/node/git.js'
import { readRecordedChanges } from '../../../src/formats/change-times/recorded-changes.js'
import type { RecordedChanges } from '../../../src/model/history.js'
import { DAY, HOUR } from '../../../src/model/units.js'
import { runCli } from '../../fixtures/run-cli.js'
import { runHere } from '../../fixtures/small-environment.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const hasGit = spawnSync('git', ['--version']).status === 0
const folder = mkdtempSync(join(tmpdir(), 'revisit-from-git-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const start = 1_700_000_000
let now = start

function git(repo: string, ...args: string[]): string {
  const date = `@${now} +0000`
  const { status, stdout, stderr } = spawnSync('git', ['-C', repo, ...args], {
    encoding: 'utf8',
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_SYSTEM: '/dev/null',
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@example.org',
      GIT_COMMITTER_NAME: 'c',
      GIT_COMMITTER_EMAIL: 'c@example.org',
    },
  })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** A commit of everything, an hour after the one before. */
function commit(repo: string, { author = 'person', after = HOUR } = {}): number {
  now += after
  git(repo, 'add', '-A')
  git(repo, 'commit', '-qm', 'x', '--author', `${author} <${author}@example.org>`)
  return now
}

function made(name: string): string {
  const repo = join(folder, name)
  spawnSync('git', ['init', '-q', '-b', 'main', repo])
  return repo
}

/** The command in this process, on the disk and with the git of this machine. */
function command(args: readonly string[]) {
  const { save, mayReplace } = new DiskFiles()
  return runHere(['histories', 'from-git', ...args], {
    environment: () => ({ git: runGit, save, mayReplace, makeFolder }),
  })
}

async function fromGit(repos: readonly string[], ...flags: string[]) {
  const out = join(folder, 'out')
  rmSync(out, { recursive: true, force: true })
  const done = await command([...repos, '--out', out, ...flags])
  const pages = !existsSync(out)
    ? []
    : readRecordedChanges({
        times: gunzipSync(readFileSync(join(out, 'updates.csv.gz'))).toString('utf8'),
        objects: readFileSync(join(out, 'objects.csv'), 'utf8'),
      })
  const page = (id: string): RecordedChanges => pages.find((each) => each.id === id)!
  return { ...done, out: done.out, folder: out, pages, page, ids: pages.map(({ id }) => id).sort() }
}

describe.skipIf(!hasGit)(`revisit histories from-git${hasGit ? '' : ' (no git here)'}`, () => {
  const odd = 'a "b", c\nd é.md'
  const at: Record<string, number> = {}
  let repo: string

  beforeAll(() => {
    repo = made('hand.book')
    const write = (name: string, text: string) => writeFileSync(join(repo, name), text)
    write('a.md', '1')
    write('b.md', '1')
    write(odd, '1')
    at.first = commit(repo)
    write('a.md', '2')
    at.second = commit(repo)
    git(repo, 'update-index', '--chmod=+x', 'b.md')
    git(repo, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`)
    now += HOUR
    git(repo, 'commit', '-qm', 'rights and a submodule', '--author', 'p <p@example.org>')
    git(repo, 'reset', '-q', '--hard')
    // A branch of two commits, merged: one change of a.md, at the merge.
    git(repo, 'checkout', '-q', '-b', 'side')
    write('a.md', '3')
    commit(repo)
    write('a.md', '4')
    commit(repo)
    git(repo, 'checkout', '-q', 'main')
    write('b.md', '2')
    at.third = commit(repo)
    now += HOUR
    git(repo, 'merge', '-q', '--no-ff', '-m', 'merge', 'side')
    at.merge = now
    git(repo, 'mv', 'b.md', 'c.md')
    at.renamed = commit(repo)
    git(repo, 'rm', '-q', odd)
    at.deleted = commit(repo)
    write(odd, '2')
    at.back = commit(repo)
    write('a.md', '5')
    at.last = commit(repo)
  })

  it('makes a page of each file, from its first commit to its last', async () => {
    const { code, err, out, ids, page } = await fromGit([repo])
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(
      /^hand\.book: 9 commits, 5 pages, 4 changes, 2023-.* to 2023-.*; exact times\n/,
    )
    expect(out).toContain('  revisit evaluate --histories ')
    const name = (path: string) => `hand.book/${path}`
    expect(ids).toEqual(
      [name('a.md'), name('b.md'), name('c.md'), name(odd), `${name(odd)}~2`].sort(),
    )
    const record = (id: string) => {
      const { from, until, changes, source, cadence } = page(id)
      expect([source, cadence]).toEqual(['hand.book', 0])
      return { from, until, changes: [...changes] }
    }
    expect(record(name('a.md'))).toEqual({
      from: at.first,
      until: at.last,
      changes: [at.second, at.merge, at.last],
    })
    // Rights are no content; a rename ends the one and begins the other.
    expect(record(name('b.md'))).toEqual({ from: at.first, until: at.renamed, changes: [at.third] })
    expect(record(name('c.md'))).toEqual({ from: at.renamed, until: at.last, changes: [] })
    expect(record(name(odd))).toEqual({ from: at.first, until: at.deleted, changes: [] })
    expect(record(`${name(odd)}~2`)).toEqual({ from: at.back, until: at.last, changes: [] })
  })

  it('keeps to paths, times, a branch and a number of pages', async () => {
    const only = await fromGit([repo], '--include', '*.md', '--include', 'nothing/**')
    expect(only.ids).toHaveLength(5)
    const two = await fromGit([repo], '--include', 'a.md')
    // Its record goes on to the branch's newest commit, whatever that touched.
    expect(two.ids).toEqual(['hand.book/a.md'])
    const side = await fromGit([repo], '--branch', 'side')
    expect([...side.page('hand.book/a.md').changes]).toHaveLength(3)
    const cut = await fromGit(
      [repo],
      '--since',
      String(at.second! + 1),
      '--until',
      String(at.merge),
    )
    expect(cut.page('hand.book/a.md')).toMatchObject({ from: at.second! + 1, until: at.merge })
    expect([...cut.page('hand.book/a.md').changes]).toEqual([at.merge])
    expect(cut.ids).toHaveLength(3)
    const few = await fromGit([repo], '--max-pages', '2', '--json')
    expect(few.ids).toHaveLength(2)
    expect(JSON.parse(few.out).sources).toMatchObject([{ source: 'hand.book', pages: 2 }])
  })

  it('knows the commits of a program that polls every six hours from those of people', async () => {
    const polled = made('polled')
    const day = start - (start % DAY)
    for (let i = 0; i < 40; i++) {
      now = day + 100 * DAY + i * 6 * HOUR
      writeFileSync(join(polled, 'data.json'), String(i))
      if (i === 0) writeFileSync(join(polled, 'README.md'), '1')
      commit(polled, { author: 'robot', after: ((i * 37) % 60) * 60 })
      if (i % 8 !== 3) continue
      writeFileSync(join(polled, 'README.md'), `about ${i}`)
      commit(polled, { after: ((i * 61) % 280) * 60 + 120 })
    }
    const { code, out, page } = await fromGit([polled, repo])
    expect(code).toBe(0)
    expect(page('polled/data.json')).toMatchObject({ source: 'polled', cadence: 6 * HOUR })
    expect(page('polled/README.md').cadence).toBe(0)
    expect(page('hand.book/a.md').cadence).toBe(0)
    expect(out).toContain('1 page polled every 6 hours\n')
  })

  it('says what is wrong', async () => {
    const failed = async (...args: string[]) => {
      const { code, err } = await command([...args, '--out', join(folder, 'no')])
      expect(err.trimEnd().split('\n')).toHaveLength(1)
      return [code, err]
    }
    expect(await failed(folder)).toEqual([
      2,
      expect.stringMatching(/is no git repository: not a git/),
    ])
    expect(await failed(join(folder, 'nowhere'))).toEqual([
      2,
      expect.stringMatching(/is no git repo/),
    ])
    expect(await failed(made('empty'))).toEqual([
      2,
      expect.stringMatching(/empty has no commits yet/),
    ])
    expect(await failed(repo, '--branch', 'x')).toEqual([2, expect.stringMatching(/no branch "x"/)])
    expect(await failed(repo, '--branch', '--all')).toEqual([
      2,
      expect.stringMatching(/no branch "--all"/),
    ])
    expect(await failed(repo, '--include', 'x/**')).toEqual([
      2,
      expect.stringMatching(/no commit .* touches x/),
    ])
    expect(await failed(repo, '--max-pages', '0')).toEqual([
      2,
      expect.stringMatching(/--max-pages takes a whole number from 1/),
    ])
    expect(await failed(repo, '--since', 'soon')).toEqual([
      2,
      expect.stringMatching(/--since takes dates/),
    ])
    expect(await failed(repo, '--since', '2030-01-01')).toEqual([
      2,
      expect.stringMatching(/no file was there for any time/),
    ])
    expect(await failed(repo, '--since', '2030-01-01', '--until', '2029-01-01')).toEqual([
      2,
      expect.stringMatching(/not before --until/),
    ])
    expect(existsSync(join(folder, 'no'))).toBe(false)
    const { code, err } = await runCli(
      ['histories', 'from-git', repo, '--out', join(folder, 'no')],
      {
        env: { PATH: folder },
      },
    )
    expect([code, err]).toEqual([
      3,
      'revisit: cannot run git: there is no git on the PATH; install it\n',
    ])
  })

  // A checkout without history, such as a published package or a depth of 1, has nothing to show.
  const commits = Number(
    spawnSync('git', ['-C', root, 'rev-list', '--first-parent', '--count', 'HEAD'], {
      encoding: 'utf8',
    }).stdout,
  )
  const isOwn = existsSync(join(root, '.git')) && commits > 20

  it.skipIf(!isOwn)(
    `reads this project's own repository, and evaluate reads that${isOwn ? '' : ' (no history of commits here)'}`,
    async () => {
      const {
        code,
        out,
        pages,
        folder: where,
      } = await fromGit([root], '--include', '*', '--include', 'docs/**', '--include', 'src/cli/**')
      expect(code).toBe(0)
      expect(out).toMatch(/^[\w.-]+: \d+ commits, \d+ pages, \d+ changes, /)
      const readme = pages.find(({ id }) => /^[^/]+\/README\.md$/.test(id))!
      expect(readme.changes.length).toBeGreaterThan(3)
      const own = join(root, 'examples/policies/mine.mjs')
      const histories = [
        '--histories',
        join(where, 'updates.csv.gz'),
        '--objects',
        join(where, 'objects.csv'),
      ]
      const found = await runCli([
        'evaluate',
        ...histories,
        '--budget',
        '4',
        '--policies',
        'equal,lambda-crawl',
        '--policy',
        own,
      ])
      expect([found.code, found.err]).toEqual([0, ''])
      expect(found.out).toMatch(/^All pages: \d+ of 1 source, with \d+ changes\n/)
      expect(found.out).toMatch(/\nmine +0\.\d{4} /)
    },
  )
})
