import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEngine } from '../../../src/cli/node/duckdb-engine.js'
import { engineHere } from '../../fixtures/engine-here.js'

// DuckDB is an optional dependency.
const duckdb = await import('@duckdb/node-api' as string).catch(() => undefined)
const folder = mkdtempSync(join(tmpdir(), 'revisit-bad-input-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string) => join(folder, name)
const revisit = engineHere(duckdb)

const logs: Record<string, string> = {
  good: `SELECT 'https://e.org/' || (i % 3) AS url, 1700000000 + i * 1000 AS "at", i % 2 = 0 AS changed FROM range(60) t(i)`,
  backward: `SELECT 'https://e.org/' || (i % 3) AS url, 1700000000 + i * 1000 AS "at", i % 2 = 0 AS changed FROM range(60) t(i) ORDER BY hash(i)`,
  doubled: `SELECT 'https://e.org/' || (i % 3) AS url, 1700000000 + i * 1000 AS "at", i % 2 = 0 AS changed FROM range(60) t(i), range(2) u(j)`,
  truth: `SELECT 'u' AS url, true AS "at", true AS changed`,
  list: `SELECT 'u' AS url, [1700000000] AS "at", true AS changed`,
  struct: `SELECT {a: 'u'} AS url, 1700000000 AS "at", true AS changed`,
  date: `SELECT 'u' AS url, DATE '2024-05-01' AS "at", true AS changed`,
  share: `SELECT 'u' AS url, 1700000000 AS "at", 0.5 AS changed`,
  local: `SELECT 'u' AS url, TIMESTAMP '2024-05-01' AS "at", true AS changed`,
  empty: `SELECT 'u' AS url, 1700000000 AS "at", true AS changed WHERE false`,
  words: `SELECT 'u' AS url, 1700000000 AS "at", 'unchanged' AS changed`,
  long: `SELECT 'https://e.org/' || repeat('x', 100000) || (i % 2) AS url, 1700000000 + i AS "at", i % 3 = 0 AS changed FROM range(40) t(i)`,
  million: `SELECT 'https://e.org/' AS url, 1600000000 + i * 60 AS "at", i % 7 < 2 AS changed FROM range(1000000) t(i)`,
}

beforeAll(async () => {
  if (duckdb === undefined) return
  const connection = await (await duckdb.DuckDBInstance.create(':memory:')).connect()
  for (const [name, select] of Object.entries(logs))
    await connection.run(`COPY (${select}) TO '${at(`${name}.parquet`)}'`)
  const bytes = readFileSync(at('million.parquet'))
  writeFileSync(at('cut.parquet'), bytes.subarray(0, bytes.length / 2))
  writeFileSync(at('text.parquet'), 'url,at,changed\n')
})

describe.skipIf(duckdb === undefined)('bad input for an engine', () => {
  it.each([
    [['truth'], 2, /truth\.parquet: the column at is of type BOOLEAN/],
    [['list'], 2, /list\.parquet: the column at is of type INTEGER\[\], which is no single value/],
    [['struct'], 2, /struct\.parquet: the column url is of type STRUCT.* no single value/],
    [['date'], 2, /date\.parquet: the column at is of type DATE/],
    [['share'], 1, /share\.parquet, row 1: changed is "0\.5"; write true or false/],
    [['local'], 1, /local\.parquet, row 1: .* names no zone; .*--zone utc/],
    [['empty'], 1, /there was no visit to estimate from/],
    [['cut'], 2, /cut\.parquet.*[Nn]o magic bytes/],
    [['text'], 2, /text\.parquet.*(?:magic bytes|too small)/],
    [['good', 'cut'], 2, /cut\.parquet/],
    [['good', 'words'], 2, /words\.parquet.*changed|good\.parquet.*changed/],
  ])('%j is answered with its file, and no result is left', async (names, code, message) => {
    const files = names.map((name) => at(`${name}.parquet`))
    const asked = ['--engine', 'duckdb', '--output', at('rates.parquet')]
    for (const line of [
      await revisit('estimate', ...files, ...asked),
      await revisit('sums', ...files, '--into', at('sums')),
    ]) {
      expect(line.err).toMatch(line.err.includes('no row of these') ? /row|no row/ : message)
      expect(line.code === code || line.code === 2).toBe(true)
    }
    expect(readdirSync(folder).filter((name) => /^(?:rates|sums)|partial/.test(name))).toEqual([])
  })

  it('a result that is there is not replaced by none', async () => {
    const into = (log: string) => revisit('estimate', at(log), '--output', at('rates.csv'))
    expect(await into('good.parquet')).toMatchObject({ code: 0 })
    const before = readFileSync(at('rates.csv'), 'utf8')
    expect(await into('local.parquet')).toMatchObject({ code: 1 })
    expect(readFileSync(at('rates.csv'), 'utf8')).toBe(before)
    rmSync(at('rates.csv'))
  })

  it('advises how to name a log of lines only where such are read', async () => {
    const advice = /is not a Parquet file \(a log as CSV or JSON lines is named alone/
    const named = at('text.parquet')
    expect((await revisit('estimate', named, '--engine', 'duckdb')).err).toMatch(advice)
    const added = await revisit('sums', named, '--into', at('sums'))
    expect(added.err).toMatch(/cut off before its end, or is not a Parquet file\n$/)
    const bare = at('bare')
    mkdirSync(bare)
    expect((await revisit('estimate', bare)).err).toMatch(/by its file\n$/)
    expect((await revisit('sums', bare, '--into', at('sums'))).err).toMatch(
      /no Parquet file in the folder \S+bare\n$/,
    )
  })

  it('visits in no order and doubled are those in order and once', async () => {
    const found = async (...names: string[]) => {
      const files = names.map((name) => at(`${name}.parquet`))
      const { out, err } = await revisit('estimate', ...files, '--engine', 'duckdb', '--json')
      return { estimates: JSON.parse(out), err }
    }
    const { estimates } = await found('good')
    expect(await found('backward')).toMatchObject({ estimates })
    const doubled = await found('doubled')
    expect(doubled).toMatchObject({ estimates })
    expect(doubled.err).toMatch(/^60 visits at the same time as another of the page: one of each/)
  })

  it('addresses of 100 KB stay apart', async () => {
    const { out } = await revisit('estimate', at('long.parquet'), '--engine', 'duckdb', '--json')
    const found = JSON.parse(out)
    expect(found.map(({ url }: { url: string }) => [url.length, url.at(-1)])).toEqual([
      [100015, '0'],
      [100015, '1'],
    ])
  })

  it('a page with a million visits is one page', async () => {
    const { out } = await revisit('estimate', at('million.parquet'), '--engine', 'duckdb', '--json')
    expect(JSON.parse(out)).toMatchObject([
      { verdict: 'ok', evidence: { visits: 1_000_000, changes: 285_714 } },
    ])
  })

  it('no room to spill is said with what to do, and leaves no result', async () => {
    const engine = await openEngine(async () => duckdb, {
      memory: 5e8,
      threads: 2,
      spill: folder,
    })
    // Less than a person may give, so that fewer rows have no room.
    await engine.run("SET memory_limit = '80MB'")
    await engine.run("SET max_temp_directory_size = '2MB'")
    const sorted = `SELECT i, repeat('x', 50) || hash(i) AS text FROM range(1600000) t(i) ORDER BY text`
    const writing = engine.publish(at('sorted.parquet'), (partial) =>
      engine.run(`COPY (${sorted}) TO '${partial}'`),
    )
    await expect(writing).rejects.toThrow(/no room to put aside.*--spill FOLDER/s)
    await engine.close()
    expect(readdirSync(folder).filter((name) => /sorted|partial|revisit-bulk/.test(name))).toEqual(
      [],
    )
  })
})
