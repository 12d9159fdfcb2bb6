import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Problems } from '../../src/formats/problems.js'
import { readParquet } from '../../src/formats/visit-log/parquet.js'
import { type ReadVisit, readText, testNow } from '../fixtures/read-text.js'
import { tempFolder } from '../fixtures/temp-folder.js'

// DuckDB is an optional dependency.
const duckdb = await import('@duckdb/node-api' as string).catch(() => undefined)

/** The rows of a statement as a CSV read as text, and as Parquet read in types. */
async function bothWays(select: string, { zone }: { zone?: number } = {}) {
  const folder = tempFolder()
  const instance = await duckdb.DuckDBInstance.create(':memory:', { threads: '2' })
  const connection = await instance.connect()
  await connection.run("SET TimeZone = 'UTC'")
  const file = join(folder, 'visits.parquet')
  await connection.run(`COPY (${select}) TO '${file}' (FORMAT parquet)`)
  const rows = await connection.runAndReadAll(`SELECT * FROM '${file}'`)
  const cell = (value: unknown) => `"${String(value ?? '').replaceAll('"', '""')}"`
  const lines = [rows.columnNames(), ...rows.getRowsJson()].map((row) => row.map(cell).join(','))
  const problems = new Problems()
  const visits: ReadVisit[] = []
  const report = await readParquet(
    file,
    (visit) => {
      visits.push({
        line: visit.line + 1,
        url: visit.url.text(),
        key: visit.key.text(),
        at: visit.at,
        outcome: visit.outcome,
        digest: visit.outcome === 'by-digest' ? visit.digest.text() : '',
        lastModified: visit.lastModified,
      })
      return undefined
    },
    { now: testNow, zone, problems, loadDuckDb: async () => duckdb },
  )
  const text = await readText(lines.join('\n'), { zone, format: 'csv' })
  return { parquet: { visits, problems, report }, text }
}

const urls = `'https://e.org/page-' || (i * 7919 % 500)`
const day = '1714521600 + i * 86400 // 7'

describe.skipIf(duckdb === undefined)('Parquet in its types', () => {
  it.each([
    ['whole numbers and truth values', `${day} AS "at", i % 3 = 0 AS changed`],
    ['milliseconds and numbers', `(${day}) * 1000 AS "at", (i % 3 = 0)::INTEGER AS changed`],
    [
      'decimals and words',
      `(${day})::DECIMAL(18,3) AS "at", ['YES', ' no', 'Gone', 'first'][i % 4 + 1] AS changed`,
    ],
    ['doubles and digests', `(${day})::DOUBLE AS "at", NULLIF('d' || (i // 900), 'd3') AS digest`],
    [
      'digests of every length',
      `${day} AS "at", NULLIF(repeat('d', i % 37) || (i % 5), '0') AS digest`,
    ],
    [
      'texts',
      `strftime(make_timestamp((${day}) * 1000000), '%Y-%m-%dT%H:%M:%SZ') AS "at", i % 3 = 0 AS changed`,
    ],
    [
      'Last-Modified and what lists say',
      `${day} AS "at", i % 3 = 0 AS changed, CASE WHEN i % 5 > 0 THEN ${day} - i END AS last_modified, (i % 50)::FLOAT AS unchanged_for`,
    ],
    [
      'bad rows',
      `CASE i % 4 WHEN 0 THEN ${day} WHEN 1 THEN 5 WHEN 2 THEN NULL ELSE (${day}) * 1000 END AS "at", CASE WHEN i % 7 = 0 THEN 'perhaps' WHEN i % 7 = 1 THEN NULL ELSE 'true' END AS changed`,
    ],
  ])('is read as a CSV of the same: %s', async (_, columns) => {
    const { parquet, text } = await bothWays(
      `SELECT ${urls} AS url, ${columns} FROM range(5000) r(i)`,
    )
    expect(parquet.visits).toEqual(text.visits)
    expect(parquet.visits.length).toBeGreaterThan(500)
    expect([...parquet.problems.counts]).toEqual([...text.problems.counts])
    expect(parquet.report.time).toBe(text.report.time)
  })

  it('reads timestamps with a zone, and those without one by the zone that is given', async () => {
    const time = `make_timestamp((${day}) * 1000000 + 250000)`
    const select = (at: string) =>
      `SELECT ${urls} AS url, ${at} AS "at", true AS changed FROM range(9) r(i)`
    const zoned = (await bothWays(select(`${time}::TIMESTAMPTZ`))).parquet
    expect(zoned.visits[7]).toMatchObject({ at: 1714521600 + 86400 + 0.25 })
    expect(zoned.report.time).toBe('iso')
    const local = (await bothWays(select(time), { zone: 3600 })).parquet
    expect(local.visits[7]).toMatchObject({ at: 1714521600 + 86400 + 0.25 - 3600 })
    expect([...(await bothWays(select(time))).parquet.problems.counts]).toEqual([['no-zone', 9]])
  })

  it('tells addresses of any length apart, also when there are more than it keeps', async () => {
    const long = `'https://e.org/' || repeat('x', i % 3 * 90000) || (i // 3)`
    const { parquet, text } = await bothWays(
      `SELECT ${long} AS url, ${day} AS "at", true AS changed FROM range(45) r(i)`,
    )
    expect(parquet.visits).toEqual(text.visits)
  })
})
