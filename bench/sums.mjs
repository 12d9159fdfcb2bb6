import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DuckDBInstance } from '@duckdb/node-api'
import { SumsFolder } from '../dist/cli/bulk/sums-folder.js'
import { addVisits, sumsSelect } from '../dist/cli/bulk/sums-run.js'
import { VisitTable } from '../dist/cli/bulk/visit-table.js'
import { openEngine } from '../dist/cli/node/duckdb-engine.js'
import { dialectNamed } from '../dist/estimators/bulk/dialect.js'
import { estimateStatement } from '../dist/estimators/bulk/statement.js'

/**
 * 365 days of visits added to sums one after the other, as `revisit sums` does:
 * what a day costs at the beginning and at the end of the year, and how far the
 * rates are from those of the whole log, exactly and in bins. SUMS_VISITS
 * visits a day (default 5,000) of ten times as many pages as a day has.
 */

export const name = 'a year of visits added to sums day by day'

const days = 365
const visits = Number(process.env.SUMS_VISITS ?? 5_000)
const width = 1 - 2 ** (-1 / 64)
const dialect = dialectNamed('duckdb')
const now = 1_800_000_000

export async function run({ print }) {
  const folder = mkdtempSync(join(tmpdir(), 'revisit-sums-bench-'))
  try {
    const log = await writeLogs(folder)
    const whole = join(folder, 'whole.parquet')
    const begun = processor()
    await estimated(
      `SELECT url, "at"::DOUBLE AS visited_at, CASE WHEN changed THEN 0 ELSE 1 END AS outcome FROM '${join(folder, 'logs')}/*.parquet'`,
      whole,
    )
    print(
      `${days} days of ${visits} visits, rates of the whole log in ${since(begun).toFixed(1)} s of processor`,
    )
    for (const bins of [false, true]) {
      const times = await added(folder, { log, bins })
      const sums = join(folder, bins ? 'bins' : 'sums')
      const rates = join(folder, `${bins}.parquet`)
      const estimating = processor()
      const engine = await engineFor()
      const list = await SumsFolder.open(engine, sums)
      await estimated({ sums: sumsSelect(list.files, { index: 0, of: 1 }) }, rates)
      await engine.close()
      const seconds = since(estimating)
      const apart = await compared(rates, whole)
      const early = times.slice(1, 31)
      const late = times.slice(-30)
      print(
        `${bins ? 'in bins' : 'exactly'}: a day of days 2 to 31 in ${mean(early).toFixed(3)} s of processor (median ${median(early).toFixed(3)}), of the last 30 in ${mean(late).toFixed(3)} s (median ${median(late).toFixed(3)}), at the most ${Math.max(...times).toFixed(2)} s; rates from ${list.files.length} files of sums in ${seconds.toFixed(1)} s, at the most ${apart.rate.toExponential(1)} from those of the whole log (bounds ${apart.bounds.toExponential(1)}), ${apart.different} verdicts or counts differ`,
      )
      if (apart.different > 0) throw new Error('verdicts or counts differ')
      if (apart.rate > (bins ? width : 1e-12)) throw new Error('rates beyond the bound')
      if (median(late) > 2 * median(early))
        throw new Error('a day costs more than at the beginning')
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Processor seconds of this process: others on the machine do not count. */
const processor = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
const since = (begun) => processor() - begun
const mean = (values) => values.reduce((sum, each) => sum + each, 0) / values.length
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const loadDuckDb = () => import('@duckdb/node-api')
const engineFor = () => openEngine(loadDuckDb, { memory: 2e9, threads: 2, spill: undefined })

async function writeLogs(folder) {
  mkdirSync(join(folder, 'logs'))
  const connection = await connected()
  const files = []
  for (let day = 0; day < days; day++) {
    const file = join(folder, 'logs', `${String(day).padStart(3, '0')}.parquet`)
    // Each page on one day of ten, by chance, at any second of the day.
    await connection.run(
      `COPY (SELECT 'https://host' || (p % 97) || '.example.org/section/page-' || p || '.html' AS url, 1700000000 + ${day} * 86400 + (hash(p * 17 + ${day}) % 86400)::BIGINT AS "at", hash(p * 31 + ${day}) % 100 < p % 97 AS changed FROM range(${visits * 10}) s(p) WHERE hash(p * 7 + ${day}) % 10 = 0) TO '${file}'`,
    )
    files.push(file)
  }
  connection.closeSync()
  return files
}

/** Seconds that each day took, DuckDB's start included. */
async function added(folder, { log, bins }) {
  const into = join(folder, bins ? 'bins' : 'sums')
  if (!existsSync(into)) mkdirSync(into)
  const times = []
  for (const file of log) {
    const begun = processor()
    const engine = await engineFor()
    const settings = { now, time: undefined, zone: undefined }
    const table = await VisitTable.open(engine, { files: [file], settings })
    const { rows, span } = await table.check()
    const sums = await SumsFolder.open(engine, into)
    sums.checkAfter(span)
    const progress = () => ({ at: () => {}, stop: () => {} })
    await addVisits({ engine, progress }, { folder: sums, table, log: { rows, ...span }, bins })
    await engine.close()
    times.push(since(begun))
  }
  return times
}

async function estimated(from, file) {
  const connection = await connected()
  const extras = { digest: false, lastModified: false, unchangedFor: false }
  const given = typeof from === 'string' ? { visits: from, extras } : from
  const statement = estimateStatement({ ...given, dialect, method: 'irregular-mle', level: 0.95 })
  await connection.run(`COPY (${statement}) TO '${file}'`)
  connection.closeSync()
}

async function compared(one, other) {
  const connection = await connected()
  const apart = (name) => `abs(a.${name} / nullif(b.${name}, 0) - 1)`
  const same = ['verdict', 'visits', 'observations', 'changes', 'tried', 'unchanged_time']
  const differs = same.map((each) => `a.${each} IS DISTINCT FROM b.${each}`).join(' OR ')
  const result = await connection.runAndReadAll(
    `SELECT coalesce(max(${apart('change_rate')}), 0) AS rate, coalesce(max(greatest(${apart('low')}, ${apart('high')})), 0) AS bounds, count(*) FILTER (WHERE ${differs} OR (a.change_rate IS NULL) <> (b.change_rate IS NULL))::INT AS different FROM '${one}' a FULL JOIN '${other}' b ON a.url = b.url`,
  )
  connection.closeSync()
  return result.getRowObjectsJS()[0]
}

async function connected() {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '2GB' })
  return instance.connect()
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await run({ print: (line) => console.log(line) })
