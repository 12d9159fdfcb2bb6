import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { dialectNamed } from '../../../src/estimators/bulk/dialect.js'
import {
  estimateSteps,
  oneStatement,
  script,
  sumsSteps,
} from '../../../src/estimators/bulk/statement.js'
import { visitLogSelect } from '../../../src/estimators/bulk/visit-log.js'
import { irregularMle } from '../../../src/estimators/rate/irregular-mle.js'
import { tempFolder } from '../../fixtures/temp-folder.js'
import { randomPages, writeVisits } from './random-pages.js'
import { RowComparison } from './row-comparison.js'

/**
 * The printed statements in Apache Spark, by the program of examples/bulk: needs
 * Java 17 and a Python with pyspark, REVISIT_SPARK_PYTHON or python3.
 * REVISIT_SPARK_PAGES for more pages than 3,000; Spark takes a minute for any,
 * and an hour or two for a million on two busy cores.
 */
const python = process.env.REVISIT_SPARK_PYTHON ?? 'python3'
const count = Number(process.env.REVISIT_SPARK_PAGES ?? 3000)
const duckdb = await import('@duckdb/node-api' as string).catch(() => undefined)
const missing = duckdb === undefined ? 'DuckDB is not installed' : lacks()
if (missing !== undefined) process.stdout.write(`Spark is not tried: ${missing}\n`)

function lacks(): string | undefined {
  try {
    execFileSync('java', ['-version'], { stdio: 'ignore' })
  } catch {
    return 'there is no Java'
  }
  try {
    execFileSync(python, ['-c', 'import pyspark'], { stdio: 'ignore' })
    return undefined
  } catch {
    return `${python} has no pyspark`
  }
}

const program = fileURLToPath(new URL('../../../examples/bulk/spark_estimate.py', import.meta.url))
const minutes = 60_000
const spark = dialectNamed('spark')
const extras = { digest: false, lastModified: false, unchangedFor: false }
const visits = visitLogSelect(spark, 'visit_log')
const method = 'irregular-mle'

function submitted(steps: Parameters<typeof script>[0], log: string, result: string): void {
  const statement = `${result}.sql`
  writeFileSync(statement, script(steps))
  execFileSync(python, [program, statement, log, result], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PYSPARK_SUBMIT_ARGS: '--driver-memory 6g pyspark-shell' },
  })
}

describe.skipIf(missing !== undefined)('estimates by Spark', () => {
  it(
    'are those of irregular-mle, page by page',
    async () => {
      const folder = tempFolder()
      const connection = await (await duckdb.DuckDBInstance.create(':memory:')).connect()
      const made = { seed: 4040 }
      writeVisits(join(folder, 'visits.csv'), randomPages(count, made))
      const log = join(folder, 'log.parquet')
      await connection.run(
        `COPY (SELECT url, "at"::DOUBLE AS "at", changed FROM read_csv('${folder}/visits.csv', header = true, all_varchar = true)) TO '${log}'`,
      )
      const rates = join(folder, 'rates')
      submitted(estimateSteps({ dialect: spark, visits, extras, method, level: 0.95 }), log, rates)
      const kind = {}
      const about = { kind, estimator: irregularMle, level: 0.95, prior: false }
      const comparison = new RowComparison(about)
      const pages = randomPages(count, made)
      const result = await connection.stream(
        `SELECT * FROM '${rates}/*.parquet' ORDER BY CAST(regexp_extract(url, '\\d+$') AS INTEGER)`,
      )
      let rows = 0
      for await (const some of result.yieldRowObjectJs())
        for (const row of some) {
          const page = pages.next().value!
          if (row.url !== page.url) expect(row.url).toBe(page.url)
          comparison.take(page, row)
          rows++
        }
      expect(rows).toBe(count)
      process.stdout.write(
        `${rows} pages: rates within ${comparison.rateError}, bounds within ${comparison.boundError}\n`,
      )
      expect(comparison.rateError).toBeLessThan(1e-9)
      expect(comparison.boundError).toBeLessThan(1e-6)
    },
    (30 + count / 5_000) * minutes,
  )

  it.each([false, true])(
    'have the same sums by page as DuckDB (bins: %s)',
    async (bins) => {
      const folder = tempFolder()
      const connection = await (await duckdb.DuckDBInstance.create(':memory:')).connect()
      writeVisits(join(folder, 'visits.csv'), randomPages(500, { seed: 4141 }))
      const log = join(folder, 'log.parquet')
      await connection.run(
        `COPY (SELECT url, "at"::DOUBLE AS "at", changed FROM read_csv('${folder}/visits.csv', header = true, all_varchar = true)) TO '${log}'`,
      )
      const sums = join(folder, 'sums')
      submitted(sumsSteps({ dialect: spark, visits, extras, bins }), log, sums)
      await connection.run(`CREATE VIEW visit_log AS SELECT * FROM '${log}'`)
      const duck = dialectNamed('duckdb')
      const own = oneStatement(
        duck,
        sumsSteps({ dialect: duck, visits: visitLogSelect(duck, 'visit_log'), extras, bins }),
      )
      const columns =
        'url, tried, repeated, observations, parts, changes, changed_time, unchanged_time, shortest, longest, list_sort(gaps) AS gaps, bins, ends'
      const rowsOf = async (from: string) =>
        (
          await connection.runAndReadAll(`SELECT ${columns} FROM ${from} ORDER BY url`)
        ).getRowObjectsJson()
      const found = await rowsOf(`'${sums}/*.parquet'`)
      expect(found).toHaveLength(500)
      expect(found).toEqual(await rowsOf(`(${own})`))
    },
    10 * minutes,
  )
})
