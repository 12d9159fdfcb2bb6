import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../../src/model/units.js'
import { Random } from '../../../src/numeric/random.js'
import { type CliResult, runCli } from '../../fixtures/run-cli.js'
import { runHere } from '../../fixtures/small-environment.js'

const examples = fileURLToPath(new URL('../../../examples/policies', import.meta.url))
let folder: string
let histories: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'revisit-own-policies-'))
  const random = new Random(9)
  const times = ['object_id,unix_seconds']
  const objects = ['object_id,source,first,observed_until']
  for (let page = 0; page < 24; page++) {
    const first = 1_700_000_000
    const until = first + 100 * DAY
    const period = DAY * 2 ** (page % 8)
    objects.push(`p${page},s${page % 3},${first},${until}`)
    let last = first
    for (let at = first + period * random.exponential(); at < until; ) {
      if (Math.round(at) > last) {
        last = Math.round(at)
        times.push(`p${page},${last}`)
      }
      at += period * random.exponential()
    }
  }
  histories = { 'updates.csv': times.join('\n'), 'objects.csv': objects.join('\n') }
  for (const [name, text] of Object.entries(histories)) await writeFile(join(folder, name), text)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const usual = 'evaluate --histories updates.csv --objects objects.csv --budget 0.5'.split(' ')

/** The built command, on files of the disk. */
const evaluate = (args: readonly string[]): Promise<CliResult> =>
  runCli([...usual, ...args], { cwd: folder })

/** The same in this process, on policies that are files in name only; far quicker. */
const evaluateHere = (args: readonly string[], files: Record<string, string>): Promise<CliResult> =>
  runHere([...usual, ...args], {
    files: histories,
    environment: () => ({
      load: (path) =>
        import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(files[path]!)}`),
    }),
  })

async function written(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text)
  return `./${name}`
}

interface Row {
  contender: string
  kind: string
  freshness: number
  usedPerDay: number
  requests: number
  delay: number
}

describe('revisit evaluate --policy', () => {
  it('runs the examples beside the others, in the tables by source too', async () => {
    const own = ['mine.mjs', 'sharing.mjs'].flatMap((name) => ['--policy', join(examples, name)])
    const { code, out, err } = await evaluate(['--policies', 'equal', ...own])
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/\nmine +0\.\d{4} /)
    expect(out).toMatch(/\nsquare-root +0\.\d{4} [^\n]* -\n/)
    expect(out).toMatch(/\nsource +pages +changes +equal +± +delay +mine +± +delay +square-root /)
  })

  it('counts as the other rules do: a rule of equal gaps is equal, shares of one size too', async () => {
    const own = {
      'gaps.js': 'export default { nextGap: () => 7 * 86400 }',
      'even.js': 'export default { rates: (pages, budget) => pages.map(() => budget) }',
    }
    const args = ['--policies', 'equal', '--json', '--policy', 'gaps.js', '--policy', 'even.js']
    const { out } = await evaluateHere(args, own)
    const [equal, rule, shared] = JSON.parse(out).parts[0].rows as [Row, Row, Row]
    expect(rule).toEqual({ ...equal, contender: 'gaps' })
    expect(shared).toMatchObject({ contender: 'even', kind: 'budget', stretch: null })
    expect(shared.usedPerDay / 0.5).toBeCloseTo(1, 1)
    expect(Math.abs(shared.freshness - equal.freshness)).toBeLessThan(0.02)
  })

  it('lets a rule see its page, keep things with it, and draw', async () => {
    const text = `export default {
        nextGap(page) {
          const { memory } = page
          memory.visits = (memory.visits ?? 0) + 1
          if (memory.visits !== page.visits) throw new Error('memory is another page\\'s')
          if (page.visits > 1 && !(page.gap > 0 && page.plannedGap > 0)) throw new Error('no gap')
          if (page.changes > page.visits - 1) throw new Error('too many changes')
          if (page.contentAge !== null) throw new Error('nobody reports Last-Modified here')
          return 86400 * (1 + page.random())
        },
      }`
    const args = ['--policies', 'equal', '--policy', 'keeps.js']
    const { code, err, out } = await evaluateHere(args, { 'keeps.js': text })
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/\nkeeps +0\./)
  })

  it.each([
    [
      'nan.mjs',
      'export default { nextGap: () => NaN }',
      /policy "nan": nextGap gave NaN after 1 visits and 0 changes; it must give seconds above 0/,
    ],
    ['zero.mjs', 'export default { nextGap: () => 0 }', /policy "zero": nextGap gave 0 after/],
    [
      'less.mjs',
      'export default { nextGap: (page) => 1 - page.visits * 86400 }',
      /nextGap gave -86399 /,
    ],
    ['later.mjs', 'export default { nextGap: async () => 5 }', /nextGap gave a promise/],
    [
      'throws.mjs',
      "export default { nextGap() { throw new Error('no idea') } }",
      /policy "throws": nextGap failed: no idea/,
    ],
    [
      'short.mjs',
      'export default { rates: () => [1] }',
      /policy "short": rates gave 1 numbers for \d+ pages/,
    ],
    [
      'minus.mjs',
      'export default { rates: (pages) => pages.map(() => -1) }',
      /rates gave -1 for page 0 of/,
    ],
    [
      'nothing.mjs',
      'export default { rates: (pages) => pages.map(() => 0) }',
      /rates gave numbers whose sum is 0/,
    ],
    [
      'none.mjs',
      'export const nextGap = () => 5',
      /none\.mjs has no default export; write export default \{ nextGap/,
    ],
    ['empty.mjs', 'export default {}', /empty\.mjs has neither nextGap nor rates/],
    [
      'both.mjs',
      'export default { nextGap() {}, rates() {} }',
      /both\.mjs has both nextGap and rates/,
    ],
    [
      'text.mjs',
      "export default { nextGap: 'soon' }",
      /text\.mjs has a nextGap that is not a function/,
    ],
    [
      'named.mjs',
      "export default { name: 'a b', nextGap: () => 5 }",
      /named\.mjs has a name that is not 1 to 40/,
    ],
    ['auto.mjs', 'export default { nextGap: () => 5 }', /there is a policy "auto" already/],
  ])('refuses %s: %s', async (name, text, message) => {
    const { code, err } = await evaluateHere(['--policies', 'equal', '--policy', name], {
      [name]: text,
    })
    expect(code).toBe(2)
    expect(err).toMatch(message)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  })

  it.each([
    [
      'torn.mjs',
      'export default { nextGap( { return 1 }',
      /torn\.mjs does not parse: .*; node --check/,
    ],
    ['needs.mjs', "import './nowhere.mjs'", /needs\.mjs cannot be loaded: Cannot find module/],
  ])('refuses the file %s: %s', async (name, text, message) => {
    const { code, err } = await evaluate(['--policy', await written(name, text)])
    expect(code).toBe(2)
    expect(err).toMatch(message)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  })

  it('refuses a file that is not there, and says where files go', async () => {
    const missing = await evaluate(['--policy', './nowhere.mjs'])
    expect([missing.code, missing.err]).toEqual([
      3,
      'revisit: cannot read ./nowhere.mjs: there is no such file\n',
    ])
    const mixed = await evaluate(['--policies', './mine.mjs'])
    expect(mixed.err).toContain('a file of your own goes after --policy')
  })
})
