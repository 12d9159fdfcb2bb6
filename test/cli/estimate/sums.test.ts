import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineHere } from '../../fixtures/engine-here.js'
import { runCli } from '../../fixtures/run-cli.js'

// DuckDB is an optional dependency.
const duckdb = await import('@duckdb/node-api' as string).catch(() => undefined)
const folder = mkdtempSync(join(tmpdir(), 'revisit-sums-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string) => join(folder, name)

const days = 9
const dayName = (day: number) => at(`logs/${String(day).padStart(2, '0')}.parquet`)

beforeAll(async () => {
  if (duckdb === undefined) return
  mkdirSync(at('logs'))
  const instance = await duckdb.DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  const day = (from: number, to: number) =>
    `SELECT 'https://e.org/' || p AS url, 1714521600 + d * 86400 + p * 300 + hash(p + d) % 250 AS "at", CASE WHEN hash(p * 31 + d) % 11 = 0 THEN 'failed' WHEN hash(p * 31 + d) % 3 = 0 THEN 'changed' ELSE 'unchanged' END AS changed FROM range(60) t(p), range(${from}, ${to}) s(d) WHERE (p + d) % 7 > 0`
  for (let i = 0; i < days; i++) await connection.run(`COPY (${day(i, i + 1)}) TO '${dayName(i)}'`)
  await connection.run(`COPY (${day(3, 5)}) TO '${at('overlap.parquet')}'`)
  await connection.run(`COPY (${day(days - 1, days + 2)}) TO '${at('overlap-end.parquet')}'`)
  await connection.run(
    `COPY (SELECT 'https://e.org/' || (i % 60) AS url, 1714521600 + ${days} * 86400 + i AS "at", CASE WHEN i % 3 = 0 THEN 'changed' ELSE 'unchanged' END AS changed FROM range(600000) t(i)) TO '${at('large.parquet')}'`,
  )
})

const revisit = engineHere(duckdb)

const listed = (into: string) =>
  JSON.parse(readFileSync(join(into, newest(readdirSync(into))), 'utf8'))
const newest = (names: string[]) =>
  names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .at(-1)!

// biome-ignore lint/suspicious/noExplicitAny: records of a command.
const estimates = async (...args: string[]): Promise<any[]> => {
  const { code, out, err } = await revisit('estimate', ...args, '--json', '--order', 'url')
  expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}

describe.skipIf(duckdb === undefined)('revisit sums', () => {
  it('day after day gives the estimates of the whole log, with and without bins', async () => {
    const all = Array.from({ length: days }, (_, day) => [dayName(day)])
    for (const { bins, adds } of [
      { bins: false, adds: all },
      { bins: true, adds: [[dayName(0)], all.slice(1).flat()] },
    ]) {
      const into = at(bins ? 'bins' : 'sums')
      for (const files of adds) {
        const added = await revisit('sums', ...files, '--into', into, ...(bins ? ['--bins'] : []))
        expect(added.err).toBe('')
        expect(added.out).toMatch(/^\d+ visits of \d+ pages added to \S+, 2024-05-\d\dT\S+ to /)
      }
    }
    // Eight days were merged into one period.
    expect(listed(at('sums'))).toMatchObject({ bins: false, periods: [{ level: 1 }, { level: 0 }] })
    expect(listed(at('bins'))).toMatchObject({ bins: true, periods: [{ level: 0 }, { level: 0 }] })
    const whole = await estimates(at('logs'))
    for (const bins of [false, true]) {
      const found = await estimates(at(bins ? 'bins' : 'sums'))
      const counts = ({ url, verdict, evidence }: (typeof whole)[0]) => ({ url, verdict, evidence })
      expect(found.map(counts)).toEqual(whole.map(counts))
      for (const [i, { changeRate, bounds }] of whole.entries()) {
        const share = changeRate === null ? 1 : found[i].changeRate / changeRate
        expect(share).toBeLessThanOrEqual(1 + 1e-9)
        expect(share).toBeGreaterThan(bins ? 2 ** (-1 / 64) : 1 - 1e-12)
        const apart = bounds.low === 0 ? found[i].bounds.low : found[i].bounds.low / bounds.low - 1
        expect(Math.abs(apart)).toBeLessThan(bins ? 0.011 : 1e-11)
      }
    }
  })

  it.each([
    [
      ['logs/08.parquet'],
      2,
      /holds visits up to 2024-05-09T.*was added already.*nothing was changed/,
    ],
    [['logs/02.parquet'], 2, /out of order; nothing was changed/],
    [['overlap.parquet'], 2, /out of order; nothing was changed/],
    [['overlap-end.parquet'], 2, /the two overlap; nothing was changed/],
    [['large.parquet', '--bins'], 2, /was begun without bins/],
    [['none.parquet'], 3, /there is no such file/],
    [['large.parquet', '--into', 'logs'], 2, /holds Parquet files that are no sums/],
  ])('refuses %j and changes nothing', async (args, code, message) => {
    const before = readdirSync(at('sums')).sort()
    const paths = args.map((arg) => (arg.startsWith('--') ? arg : at(arg)))
    const into = args.includes('--into') ? [] : ['--into', at('sums')]
    const refused = await revisit('sums', ...paths, ...into)
    expect(refused).toMatchObject({ code, out: '' })
    expect(refused.err).toMatch(message)
    expect(readdirSync(at('sums')).sort()).toEqual(before)
  })

  it('killed midway leaves the sums as they were, and is run again', async () => {
    const into = at('killed')
    await revisit('sums', dayName(0), at('logs/01.parquet'), '--into', into)
    const before = await estimates(into)
    const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))
    for (const sign of [/partial$/, /-0-0\.parquet$/]) {
      const files = new Set(readdirSync(into))
      const child = spawn(process.execPath, [main, 'sums', at('large.parquet'), '--into', into])
      const ended = new Promise((resolve) => child.once('close', resolve))
      const isThere = () => readdirSync(into).some((name) => sign.test(name) && !files.has(name))
      while (child.exitCode === null && !isThere()) await sleep(1)
      child.kill('SIGKILL')
      await ended
      // A list may have been written in the last instant; then the visits are all there.
      if (listed(into).periods.length === 1) expect(await estimates(into)).toEqual(before)
    }
    if (listed(into).periods.length === 1)
      expect((await runCli(['sums', at('large.parquet'), '--into', into])).code).toBe(0)
    const logs = [dayName(0), dayName(1), at('large.parquet')]
    const whole = await estimates(...logs, '--engine', 'duckdb')
    const found = await estimates(into)
    expect(found.map(({ evidence }) => evidence)).toEqual(whole.map(({ evidence }) => evidence))
    expect(readdirSync(into).filter((name) => name.includes('partial'))).toEqual([])
  })

  it('prints statements that DuckDB runs over tables of its own', async () => {
    const instance = await duckdb.DuckDBInstance.create(':memory:', { threads: '1' })
    const connection = await instance.connect()
    const sums = await revisit('sums', '--print-sql', 'duckdb', '--bins')
    const estimate = await revisit('estimate', '--print-sql', 'duckdb', '--sums')
    await connection.run(`CREATE TABLE visit_log AS SELECT * FROM '${dayName(0)}'`)
    await connection.run(`CREATE TABLE visit_sums AS ${sums.out}`)
    await connection.run(`CREATE OR REPLACE TABLE visit_log AS SELECT * FROM '${dayName(1)}'`)
    await connection.run(`INSERT INTO visit_sums ${sums.out}`)
    const [row] = (
      await connection.runAndReadAll(
        `SELECT count(*)::INT AS pages, sum(visits)::INT AS visits FROM (${estimate.out})`,
      )
    ).getRowObjectsJS()
    const both = await estimates(dayName(0), dayName(1))
    const visits = both.reduce((sum, { evidence }) => sum + evidence.visits, 0)
    expect(row).toEqual({ pages: 60, visits })
    expect((await revisit('estimate', at('sums'), '--sums')).err).toMatch(
      /--sums goes with --print-sql/,
    )
    expect((await revisit('sums', '--print-sql', 'spark')).out).toMatch(/^-- visits\nSELECT /)
  })
})
