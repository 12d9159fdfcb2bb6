import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineHere } from '../../fixtures/engine-here.js'
import { runCli } from '../../fixtures/run-cli.js'

// DuckDB is an optional dependency.
const duckdb = await import('@duckdb/node-api' as string).catch(() => undefined)
const folder = mkdtempSync(join(tmpdir(), 'revisit-bulk-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const revisit = engineHere(duckdb)

/** Writes what a SELECT gives as Parquet. */
let write: (name: string, select: string) => Promise<string>

beforeAll(async () => {
  if (duckdb === undefined) return
  mkdirSync(join(folder, 'logs'))
  mkdirSync(join(folder, 'empty'))
  const instance = await duckdb.DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  write = async (name, select) => {
    const file = join(folder, name)
    await connection.run(`COPY (${select}) TO '${file}'`)
    return file
  }
  const rows = (days: string) =>
    `SELECT 'https://e.org/' || p AS url, 1714521600 + d * 86400 + p AS "at", hash(p * 31 + d) % 3 = 0 AS changed FROM range(40) t(p), ${days} s(d)`
  await write('logs/a.parquet', rows('range(0, 10)'))
  await write('logs/b.parquet', rows('range(10, 25)'))
  await write('whole.parquet', rows('range(25)'))
  await write('whole.csv', rows('range(25)'))
})

const numbers = (text: string) =>
  JSON.parse(text, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value))

describe.skipIf(duckdb === undefined)('revisit estimate with an engine', () => {
  const at = (name: string) => join(folder, name)

  it('gives what it gives without, from files, patterns and folders', async () => {
    const plain = await revisit('estimate', at('whole.csv'), '--json', '--order', 'url')
    for (const files of [
      [at('logs/*.parquet')],
      [at('logs/a.parquet'), at('logs/b.parquet')],
      [at('whole.parquet'), '--engine', 'duckdb', '--threads', '1', '--memory', '1GB'],
    ]) {
      const found = await revisit('estimate', ...files, '--json')
      expect(found.code).toBe(0)
      expect(numbers(found.out)).toEqual(numbers(plain.out))
      expect(found.err).toMatch(/^40 pages, 1000 visits, \d+ changes; times read as Unix seconds/)
    }
    const table = await runCli(['estimate', at('logs'), '--order', 'url', '--top', '5'])
    const same = await runCli(['estimate', at('whole.csv'), '--order', 'url', '--top', '5'])
    expect(table.out.replace(' of 2 files', '')).toBe(same.out)
  })

  it.each([
    ['microseconds', 'd * 86400 + p + d / 1e6'],
    ['milliseconds, long ago and long from now', 'd * 86400.001 - 2e9'],
    ['parts of a microsecond', 'd * 86400 + p + hash(d) / 1e20'],
  ])('gives the same of times in %s', async (what, time) => {
    const rows = `SELECT 'https://e.org/' || p AS url, 1.7e9 + ${time} AS "at", hash(p * 31 + d) % 3 = 0 AS changed FROM range(9) t(p), range(25) s(d)`
    const asked = ['--json', '--order', 'url', '--time', 'seconds']
    const name = what.slice(0, 5)
    const lines = await runCli(['estimate', await write(`${name}.csv`, rows), ...asked])
    const file = await write(`${name}.parquet`, rows)
    const found = await revisit('estimate', file, '--engine', 'duckdb', ...asked)
    expect(numbers(found.out)).toEqual(numbers(lines.out))
  })

  it.each(['pseudo:69h/13h', 'fitted'])(
    'begins from the prior %s as it does without',
    async (prior) => {
      const asked = ['--prior', prior, '--json', '--order', 'url', '--database', at('none.db')]
      const plain = await runCli(['estimate', at('whole.csv'), ...asked])
      const found = await runCli(['estimate', at('logs'), ...asked])
      expect(found.code).toBe(0)
      expect(numbers(found.out)).toEqual(numbers(plain.out))
      expect(found.err.split('\n')[0]).toBe(plain.err.split('\n')[0])
      expect(JSON.parse(found.out)[0].method).toBe('irregular-mle-with-prior')
      const empirical = await runCli(['estimate', at('logs'), '--prior', 'empirical'])
      expect(empirical.err).toMatch(/--prior empirical does not go with reading the folder/)
    },
  )

  it('writes Parquet, CSV and JSON lines, whole or not at all', async () => {
    const json = await revisit('estimate', at('whole.csv'), '--json', '--order', 'url')
    const written = async (name: string) => {
      const args = [at('logs'), '--order', 'url', '--output', at(name)]
      expect((await revisit('estimate', ...args)).code).toBe(0)
      return at(name)
    }
    const lines = readFileSync(await written('out.jsonl'), 'utf8')
      .trim()
      .split('\n')
    expect(lines.map((line) => numbers(line))).toEqual(numbers(json.out))
    const csv = readFileSync(await written('out.csv'), 'utf8').split('\n')
    expect(csv[0]).toMatch(/^url,method,change_rate,change_period,low,high,level,visits/)
    expect(csv).toHaveLength(42)
    const parquet = await written('out.parquet')
    const back = execFileSync(process.execPath, ['-e', counting, parquet], { encoding: 'utf8' })
    expect(JSON.parse(back)).toEqual([['40', '1000']])
    const before = readFileSync(parquet)
    const cut = at('cut.parquet')
    writeFileSync(cut, readFileSync(at('logs/a.parquet')).subarray(0, 900))
    const failed = await runCli([
      'estimate',
      at('logs'),
      cut,
      '--engine',
      'duckdb',
      '--output',
      parquet,
    ])
    expect(failed.code).toBe(2)
    expect(failed.err).toMatch(/^revisit: .*cut\.parquet.*\n$/)
    expect(readFileSync(parquet)).toEqual(before)
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([])
    expect((await runCli(['estimate', at('logs'), '--output', at('logs/a.parquet')])).err).toMatch(
      /is read by this command/,
    )
  })

  const counting = `import('@duckdb/node-api').then(async ({ DuckDBInstance }) => {
    const c = await (await DuckDBInstance.create(':memory:')).connect()
    const r = await c.runAndReadAll("SELECT count(*), sum(visits) FROM '" + process.argv[1] + "'")
    console.log(JSON.stringify(r.getRowsJson()))
  })`

  it('names bad rows by their file, as a log of lines names them by their line', async () => {
    const rows = [
      ["'https://e.org/'", '1714521600', "'true'"],
      ["''", '1714521700', "'true'"],
      ["'https://e.org/'", 'NULL', "'true'"],
      ["'https://e.org/'", '17', "'true'"],
      ["'https://e.org/'", '99714521600', "'true'"],
      ["'https://e.org/'", '1714608000', "'perhaps'"],
      ["' https://e.org/'", '1714694400', "'No'"],
    ]
    const select = rows.map(
      ([url, time, changed], i) =>
        `SELECT ${i} AS i, ${url} AS url, ${time} AS "at", ${changed} AS changed`,
    )
    const bad = await write(
      'bad.parquet',
      `SELECT url, "at", changed FROM (${select.join(' UNION ALL ')}) ORDER BY i`,
    )
    await write(
      'bad.csv',
      `SELECT url, "at", changed FROM (${select.join(' UNION ALL ')}) ORDER BY i`,
    )
    const lines = await revisit('estimate', at('bad.csv'), '--json')
    const found = await revisit('estimate', bad, '--engine', 'duckdb', '--json')
    expect(numbers(found.out)).toEqual(numbers(lines.out))
    const reasons = (text: string) =>
      text
        .split('\n')
        .map((line) => line.replace(/^.*?(?:line|row) \d+: /, '').replace('lines', 'rows'))
    expect(reasons(found.err)).toEqual(reasons(lines.err))
    expect(found.err).toMatch(/^\S+bad\.parquet, row 2: the url is empty\n\S+, row 3: /)
    const strict = await runCli(['estimate', bad, '--engine', 'duckdb', '--strict'])
    expect(strict).toMatchObject({ code: 2, err: `revisit: ${bad}, row 2: the url is empty\n` })
  })

  it('keeps one of visits at the same time, where files overlap', async () => {
    const both = [at('logs'), at('whole.parquet')]
    const twice = await revisit('estimate', ...both, '--engine', 'duckdb', '--json')
    const once = await revisit('estimate', at('logs'), '--json')
    expect(twice.out).toBe(once.out)
    expect(twice.err).toMatch(/1000 visits at the same time as another of the page/)
    expect(twice.err).toMatch(/40 pages, 1000 visits, .*; 1000 rows skipped of 3 files/)
  })

  it.each([
    [['none/*.parquet'], 3, /cannot read .*none\/\*\.parquet: there is no such file/],
    [['empty'], 3, /no Parquet file in the folder/],
    [['logs', '--spill', 'none'], 3, /cannot write to the folder .*--spill/],
    [['whole.csv', '--engine', 'duckdb'], 2, /whole\.csv/],
  ])('answers %j with one line', async (args, code, message) => {
    const paths = args.map((arg, i) => (i === 0 || arg === 'none' ? at(arg) : arg))
    const result = await runCli(['estimate', ...paths])
    expect(result.code).toBe(code)
    expect(result.err).toMatch(message)
    expect(result.err).toMatch(/^revisit: [^\n]+\n$/)
  })

  it.each([
    [
      ['logs', '--method', 'posterior'],
      2,
      /--method posterior does not go with reading the folder/,
    ],
    [['logs', '--trend'], 2, /--trend does not go with/],
    [['logs', '--engine', 'spark'], 2, /--engine/],
    [['logs', '--memory', 'much'], 2, /--memory takes a size such as 2GB/],
    [['logs', '--memory', '100MB'], 2, /--memory takes 500MB or more/],
    [['logs', '--output', 'rates.xlsx'], 2, /ends in \.parquet, \.csv or \.jsonl/],
  ])('refuses the options %j with one line', async ([, ...options], code, message) => {
    const result = await revisit('estimate', at('logs'), ...options)
    expect(result.code).toBe(code)
    expect(result.err).toMatch(message)
    expect(result.err).toMatch(/^revisit: [^\n]+\n$/)
  })

  it('says which column is missing, or of a type that is no time', async () => {
    const lacking = await write('lacking.parquet', `SELECT 'u' AS url, true AS changed`)
    expect((await revisit('estimate', lacking, '--engine', 'duckdb')).err).toMatch(
      /lacking\.parquet: the header lacks at/,
    )
    const texts = await write(
      'texts.parquet',
      `SELECT 'u' AS url, '2024-05-01T00:00:00Z' AS "at", true AS changed`,
    )
    expect((await revisit('estimate', texts, '--engine', 'duckdb')).err).toMatch(
      /texts\.parquet: the column at is of type VARCHAR/,
    )
    const local = await write(
      'local.parquet',
      `SELECT 'u' AS url, TIMESTAMP '2024-05-01' + INTERVAL (i) DAY AS "at", true AS changed FROM range(3) t(i)`,
    )
    const unzoned = await revisit('estimate', local, '--engine', 'duckdb')
    expect(unzoned.err).toMatch(/local\.parquet, row 1: .*--zone utc/)
    expect((await revisit('estimate', local, '--engine', 'duckdb', '--zone', 'utc')).out).toMatch(
      /1 page, 3 visits, 2 changes/,
    )
    const mixed = await revisit('estimate', at('logs/a.parquet'), lacking)
    expect(mixed.err).toMatch(/lacking\.parquet/)
  })

  it('fits a prior from an even sample', async () => {
    const database = ['--database', at('sampled.db')]
    const sample = ['--sample', '25', ...database]
    const prior = await runCli(['prior', 'fit', at('logs/*.parquet'), ...sample])
    expect(prior.out).toMatch(/from 25 pages of/)
  })

  it('prints the statement, which DuckDB runs over a table', async () => {
    const { out } = await revisit('estimate', '--print-sql', 'duckdb', '--level', '0.9')
    const instance = await duckdb.DuckDBInstance.create(':memory:', { threads: '1' })
    const connection = await instance.connect()
    await connection.run(`CREATE VIEW visit_log AS SELECT * FROM '${at('whole.parquet')}'`)
    const rows = (await connection.runAndReadAll(out)).getRowObjectsJS()
    expect(rows).toHaveLength(40)
    expect(rows[0]).toMatchObject({ method: 'irregular-mle', level: 0.9 })
    expect((await revisit('estimate', '--print-sql', 'oracle')).err).toMatch(/duckdb.*spark/)
  })
})
