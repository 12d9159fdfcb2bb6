import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { runCli } from '../fixtures/run-cli.js'

const folder = mkdtempSync(join(tmpdir(), 'revisit-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const T = 1714521600
const lines = Array.from({ length: 40 }, (_, i) => `https://e.org/,${T + i * 86400},${i % 3 === 0}`)
const log = ['url,at,changed', ...lines].join('\n')

// DuckDB is an optional dependency.
const duckdb = await import('@duckdb/node-api' as string).catch(() => undefined)

describe('the command, as a process', () => {
  it('reads the example', async () => {
    const { code, out, err } = await runCli(['estimate', 'examples/visits.csv'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/news\.example\.org\/ +24 +20 +every 2\.9 hours/)
    expect(out).toMatch(/12 pages, 167 visits, 59 changes; times read as ISO 8601\n$/)
  })

  it('has an example that its script makes', async () => {
    const file = join(folder, 'visits.csv')
    const child = spawn(process.execPath, ['examples/make-visits.mjs', file])
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(readFileSync('examples/visits.csv', 'utf8'))
  })

  it('reads standard input, packed or not, and files, to the same end', async () => {
    const file = join(folder, 'log.csv.gz')
    writeFileSync(file, gzipSync(log))
    const results = [
      await runCli(['estimate', '--json'], { input: log }),
      await runCli(['estimate', '-', '--json'], { input: gzipSync(log) }),
      await runCli(['estimate', file, '--json']),
    ]
    expect(JSON.parse(results[0]!.out)).toMatchObject([{ url: 'https://e.org/', verdict: 'ok' }])
    for (const result of results) expect(result).toEqual(results[0])
  })

  it.skipIf(duckdb === undefined)('reads Parquet, known by its first bytes', async () => {
    const file = join(folder, "it's.parquet")
    const instance = await duckdb.DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    const sql = (at: string) =>
      `COPY (SELECT 'https://e.org/' AS url, ${at} AS "at", i % 3 = 0 AS changed, i AS other FROM range(40) r(i)) TO '${file.replaceAll("'", "''")}' (FORMAT parquet)`
    const expected = await runCli(['estimate', '--json'], { input: log })
    const zoned = `make_timestamp((${T} + i * 86400) * 1000000)`
    for (const at of [`${T} + i * 86400`, `(${T} + i * 86400) * 1000.0`, `${zoned}::TIMESTAMPTZ`]) {
      // TIMESTAMPTZ of a plain timestamp takes the session's zone.
      await connection.run("SET TimeZone = 'UTC'")
      await connection.run(sql(at))
      const found = await runCli(['estimate', file, '--json'])
      expect(found.out).toBe(expected.out)
    }
    await connection.run(sql(zoned))
    const unzoned = await runCli(['estimate', file])
    expect(unzoned.code).toBe(1)
    expect(unzoned.err).toMatch(/^row 1: .*--zone utc/)
    expect((await runCli(['estimate', file, '--zone', 'utc', '--json'])).out).toBe(expected.out)
  })

  it('ends with its codes, one line on stderr and no stack', async () => {
    const missing = await runCli(['estimate', join(folder, 'none.csv')])
    expect(missing.code).toBe(3)
    expect(missing.err).toMatch(/^revisit: cannot read .*none\.csv: there is no such file; .*\n$/)
    const empty = join(folder, 'empty')
    mkdirSync(empty)
    expect((await runCli(['estimate', empty])).err).toMatch(
      /there is no Parquet file in the folder/,
    )
    expect((await runCli(['estimate', '--strict'], { input: `${log}\nx,y,z` })).code).toBe(2)
    expect((await runCli(['estimate'], { input: 'url,at,changed\n' })).code).toBe(1)
  })

  it('guesses what was meant, in one line', async () => {
    expect(await runCli(['wach'])).toEqual({
      code: 2,
      out: '',
      err: "revisit: unknown command 'wach' (did you mean watch?); see revisit --help\n",
    })
  })

  it('ends quietly when its reader has seen enough', async () => {
    const many = ['url,at,changed']
    for (let i = 0; i < 30_000; i++) many.push(`https://example.org/a/page/number/${i},${T},1`)
    const file = join(folder, 'many.csv')
    writeFileSync(file, many.join('\n'))
    const child = spawn(process.execPath, ['dist/cli/main.js', 'estimate', file, '--json'])
    let err = ''
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    child.stdout.once('data', () => child.stdout.destroy())
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })
})
