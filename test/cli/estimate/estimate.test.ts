import { describe, expect, it } from 'vitest'
import { rateEstimators } from '../../../src/planner/registry.js'
import { testNow } from '../../fixtures/read-text.js'
import { runHere } from '../../fixtures/small-environment.js'

const T = 1714521600
const daily = (url: string, changes: string) =>
  [...changes].map((changed, i) => `${url},${T + i * 86400},${changed}`)
const log = (...lines: string[]) => ['url,at,changed', ...lines].join('\n')
const files = {
  'log.csv': log(
    ...daily('https://b.example.org/', '0110100'),
    ...daily('https://a.example.org/', '0000000'),
    ...daily('https://c.example.org/', '1111111'),
    `https://d.example.org/,${T},failed`,
  ),
  'bad.csv': log('u,soon,1', ...daily('u', '010'), `u,${T},1`, `u,${testNow + 60},1`),
}
const estimate = (...args: string[]) => runHere(['estimate', ...args], { files })
const urls = (json: string) => JSON.parse(json).map((each: { url: string }) => each.url[8])

describe('revisit estimate', () => {
  it("has no number for a page that changed at every visit, and only its group's for one seen once", async () => {
    const rows = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => `https://a.test/,${1.7e9 + 60 * i},${i > 0}`)
    const text = ['url,at,changed', ...rows, `https://b.test/,${1.7e9},false`].join('\n')
    const run = (...more: string[]) => runHere(['estimate', 'x', ...more], { files: { x: text } })
    const [each, once] = JSON.parse((await run('--json', '--method', 'irregular-mle')).out)
    expect(each).toMatchObject({ changeRate: null, changePeriod: null, verdict: 'always-changed' })
    expect(each.bounds.high).toBeNull()
    expect(once).toMatchObject({ changePeriod: null, bounds: null, verdict: 'no-observation' })
    const auto = JSON.parse((await run('--json', '--method', 'auto')).out)[1]
    expect(auto).toMatchObject({ changeRate: null, changePeriod: null, bounds: null })
    expect(auto.group.changePeriod).toBeGreaterThan(0)
    const lines = (await run('--method', 'auto')).out.split('\n')
    expect(lines[1]).toMatch(/ 7 +at every visit +at most /)
    expect(lines[2]).toMatch(/ 0 +pages like it every .* not seen twice yet/)
    // Faster than all others, for what is known of it.
    const ordered = (await run('--order', 'period')).out.split('\n')
    expect(ordered[1]).toContain('https://a.test/')
    expect((await run('--compare')).out).toContain('each visit*')
  })

  it('names one default', async () => {
    const { out } = await runHere(['estimate', '--help'])
    expect(
      out
        .match(/.*\bdefault\b.*/g)!
        .filter((line) => !line.includes('--trend'))
        .filter((line) => /method|laws|estimator/.test(line)),
    ).toEqual([expect.stringContaining('(default: irregular-mle)')])
  })

  it('prints one page a line and a closing line', async () => {
    const { code, out, err } = await estimate('log.csv')
    expect(code).toBe(0)
    expect(err).toBe('')
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^page +visits +changes +it changes +bounds \(95%\) +verdict$/)
    // By hand: 3 of 6 daily gaps changed, so a period of 1 / ln 2 = 1.44 days.
    expect(lines[1]).toMatch(/^https:\/\/b\.example\.org\/ +7 +3 +every 35 hours +.* ok$/)
    expect(lines[2]).toMatch(/a\.example\.org.* 0 +\(every 6 days\) +at least .* no change seen$/)
    expect(lines[3]).toMatch(/ 6 +at every visit +at most .* changed at every visit$/)
    expect(lines[4]).toMatch(/ 0 +0 +unknown +- +seen less than twice$/)
    expect(lines.at(-1)).toBe('4 pages, 22 visits, 9 changes; times read as Unix seconds')
  })

  it('gives JSON with the numbers in seconds', async () => {
    const { out, err } = await estimate('log.csv', '--json', '--level', '0.9')
    const found = JSON.parse(out)
    expect(found).toHaveLength(4)
    expect(Object.keys(found[0])).toEqual([
      'url',
      'method',
      'changeRate',
      'changePeriod',
      'bounds',
      'evidence',
      'verdict',
    ])
    // By hand: ln 2 a day.
    expect(found[0].changeRate * 86400).toBeCloseTo(Math.LN2, 9)
    expect(found[0].changePeriod * found[0].changeRate).toBeCloseTo(1, 12)
    expect(found[0].bounds.level).toBe(0.9)
    expect(found[2].bounds.high).toBeNull()
    expect(found[3]).toMatchObject({ changeRate: null, bounds: null, verdict: 'no-observation' })
    expect(err).toBe('4 pages, 22 visits, 9 changes; times read as Unix seconds\n')
  })

  it('compares all methods, in a table and as JSON', async () => {
    const table = await estimate('log.csv', '--compare')
    expect(table.out).toMatch(/irregular-/)
    expect(table.out).toMatch(/\* with caution/)
    const { out } = await estimate('log.csv', '--compare', '--json')
    const found = JSON.parse(out) as Array<{ url: string; method: string }>
    expect(found).toHaveLength(4 * rateEstimators.length)
    expect(found.slice(0, rateEstimators.length).map((each) => each.method)).toEqual(
      rateEstimators.map((each) => each.name),
    )
  })

  it.each([
    [[], 'bacd'],
    [['--order', 'url'], 'abcd'],
    [['--order', 'period'], 'cbad'],
    [['--order', 'changes'], 'cbad'],
    [['--order', 'changes', '--top', '2'], 'cb'],
    [['--top', '1'], 'b'],
  ])('orders and cuts by %j', async (args, order) => {
    const { out } = await estimate('log.csv', '--json', ...args)
    expect(urls(out).join('')).toBe(order)
  })

  it('streams a log sorted by page to the same estimates', async () => {
    const lines = files['log.csv'].split('\n')
    const sorted = [lines[0], ...lines.slice(1).sort()].join('\n')
    const run = (...args: string[]) =>
      runHere(['estimate', 's.csv', '--json', ...args], { files: { 's.csv': sorted } })
    expect((await run('--sorted')).out).toBe((await run()).out)
    const { code, err } = await estimate('log.csv', '--sorted')
    expect(code).toBe(2)
    expect(err).toMatch(/^revisit: line 9: .*a\.example.*leave out --sorted.*\n$/)
  })

  it('takes visits in any order of time with --sort', async () => {
    const [header, ...rest] = files['log.csv'].split('\n')
    const shuffled = { 'r.csv': [header, ...rest.reverse()].join('\n') }
    const { out } = await runHere(['estimate', 'r.csv', '--sort', '--json', '--order', 'url'], {
      files: shuffled,
    })
    const expected = await estimate('log.csv', '--json', '--order', 'url')
    // The first visit of a page is not compared, whichever line it is on.
    expect(out).toBe(expected.out)
  })

  it('names bad lines and goes on, or stops with --strict', async () => {
    const lenient = await estimate('bad.csv')
    expect(lenient.code).toBe(0)
    expect(lenient.err.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^line 2: "soon" is not a time/),
      expect.stringMatching(/^line 6: this visit .* is before the one that precedes it/),
      expect.stringMatching(/^line 7: .*lies in the future/),
    ])
    expect(lenient.out).toMatch(/1 page, 3 visits, 1 change; .*; 3 lines skipped\n$/)
    const strict = await estimate('bad.csv', '--strict')
    expect(strict).toMatchObject({ code: 2, out: '' })
    expect(strict.err).toMatch(/^revisit: line 2: "soon".*\n$/)
  })

  it('counts the problems beyond twenty by reason', async () => {
    const bad = Array.from({ length: 30 }, (_, i) => `u,soon${i},1`)
    const { err } = await runHere(['estimate', 'x.csv'], {
      files: { 'x.csv': log(...daily('u', '01'), ...bad) },
    })
    const lines = err.trimEnd().split('\n')
    expect(lines).toHaveLength(21)
    expect(lines.at(-1)).toBe('and 10 lines more; in all 30 bad-time')
  })

  it('fails if nothing was left', async () => {
    for (const text of ['', 'url,at,changed\n', log('u,soon,1')]) {
      const { code, err, out } = await runHere(['estimate', 'x', '--json'], { files: { x: text } })
      expect(code).toBe(1)
      expect(out).toBe('[]\n')
      expect(err).toMatch(/no visit to estimate from/)
    }
  })

  it.each([
    [['nowhere.csv'], 3, /cannot read nowhere\.csv/],
    [[], 2, /name the log to read, or pipe it in/],
    [['log.csv', '--method', 'guess'], 2, /no method "guess".*irregular-mle/],
    [['log.csv', '--level', '2'], 2, /--level takes/],
    [['log.csv', '--order', 'size'], 2, /--order takes url, period, changes/],
    [['log.csv', '--top', '0'], 2, /--top takes/],
    [['log.csv', '--format', 'xml'], 2, /--format takes csv/],
    [['log.csv', '--time', 'days'], 2, /--time takes seconds/],
    [['log.csv', '--format', 'parquet'], 3, /npm install @duckdb\/node-api/],
    [['log.csv', '--sort', '--sorted'], 2, /do not go together/],
    [['log.csv', '--sorted', '--order', 'url'], 2, /do not go together/],
    [['log.csv', '--compare', '--method', 'online'], 2, /do not go together/],
    [['log.csv', '--colour'], 2, /unknown option '--colour'; see/],
    [['log.csv', 'more.csv'], 2, /too many arguments/],
  ])('answers %j with one line', async (args, code, message) => {
    const result = await estimate(...args)
    expect(result.code).toBe(code)
    expect(result.err).toMatch(message)
    expect(result.err).toMatch(/^revisit: [^\n]+\n$/)
  })

  it('settles times with --time, --zone and --now', async () => {
    const run = (text: string, ...args: string[]) =>
      runHere(['estimate', 'x', ...args], { files: { x: text } })
    const small = log('u,0,1', 'u,86400,0')
    expect((await run(small)).err).toMatch(/line 2: .*--time seconds or --time milliseconds/)
    expect((await run(small, '--time', 'seconds')).out).toMatch(/1 page, 2 visits/)
    const local = log('u,2024-05-01T00:00:00,1', 'u,2024-05-02T00:00:00,0')
    expect((await run(local)).err).toMatch(/line 2: .*--zone utc/)
    expect((await run(local, '--zone', 'utc')).out).toMatch(/2 visits.*ISO 8601/)
    const future = log(`u,${testNow + 100},1`, `u,${testNow + 200},0`)
    expect((await run(future)).code).toBe(1)
    expect((await run(future, '--now', String(testNow + 300))).out).toMatch(/2 visits/)
  })

  it('shows a URL so that no terminal obeys it, and fits it to the terminal', async () => {
    const evil = 'https://e.org/\u001b]0;x\u0007\u202egnp'
    const result = await runHere(['estimate', 'x'], { files: { x: log(...daily(evil, '01')) } })
    expect(result.out).toContain('https://e.org/\\u001b]0;x\\u0007\\u202egnp')
    const json = await runHere(['estimate', 'x', '--json'], {
      files: { x: log(...daily(evil, '01')) },
    })
    expect(json.out).not.toMatch(/\u202e/)
    expect(JSON.parse(json.out)[0].url).toBe(evil)
    const long = `https://e.org/${'x'.repeat(300)}/end`
    const fitted = await runHere(['estimate', 'x'], {
      files: { x: log(...daily(long, '0110')) },
      columns: 100,
    })
    expect(fitted.out.split('\n')[1]).toMatch(/^https:\/\/e\.org\/x+…x+\/end /)
    for (const line of fitted.out.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
  })

  it('tells about itself', async () => {
    expect((await runHere(['--version'])).out).toBe('1.2.3\n')
    const help = await runHere(['estimate', '--help'])
    expect(help.code).toBe(0)
    for (const { name } of rateEstimators) expect(help.out).toContain(name)
    expect(help.out).toMatch(/Exit codes:/)
    expect((await runHere(['--help'])).out).toMatch(/revisit sampling --period/)
    expect((await runHere(['guess'])).code).toBe(2)
  })
})
