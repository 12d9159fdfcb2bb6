import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dialectNamed } from '../../../src/estimators/bulk/dialect.js'
import { estimateStatement } from '../../../src/estimators/bulk/statement.js'
import { irregularMle } from '../../../src/estimators/rate/irregular-mle.js'
import { tempFolder } from '../../fixtures/temp-folder.js'
import { randomPages, writeVisits } from './random-pages.js'
import { RowComparison } from './row-comparison.js'

// DuckDB is an optional dependency.
const duckdb = await import('@duckdb/node-api' as string).catch(() => undefined)
const count = Number(process.env.REVISIT_BULK_PAGES ?? 1_000_000)

describe.skipIf(duckdb === undefined)('a million pages with all the edges', () => {
  it(
    'have the rates, verdicts and bounds of irregular-mle in DuckDB',
    async () => {
      const folder = tempFolder()
      const file = join(folder, 'visits.csv')
      const made = { seed: 2929, digest: true, lastModified: true, unchangedFor: true }
      writeVisits(file, randomPages(count, made))
      const instance = await duckdb.DuckDBInstance.create(':memory:', {
        threads: '2',
        memory_limit: '6GB',
        temp_directory: join(folder, 'spill'),
      })
      const connection = await instance.connect()
      const types = `types = {'url': 'VARCHAR', 'at': 'DOUBLE', 'changed': 'VARCHAR', 'digest': 'VARCHAR', 'last_modified': 'DOUBLE', 'unchanged_for': 'DOUBLE'}`
      const codes = `CASE changed WHEN 'changed' THEN 0 WHEN 'unchanged' THEN 1 WHEN 'first' THEN 2 WHEN 'failed' THEN 4 ELSE 3 END`
      const number = `CAST(regexp_extract(url, '\\d+$') AS INTEGER)`
      const log = join(folder, 'log.parquet')
      await connection.run(
        `COPY (SELECT url, "at" AS visited_at, ${codes} AS outcome, digest, last_modified, unchanged_for FROM read_csv('${file}', header = true, ${types})) TO '${log}'`,
      )
      const of = 2
      for (let index = 0; index < of; index++) {
        const statement = estimateStatement({
          dialect: dialectNamed('duckdb'),
          visits: `SELECT * FROM '${log}' WHERE ${number} % ${of} = ${index}`,
          extras: { digest: true, lastModified: true, unchangedFor: true },
          method: 'irregular-mle',
          level: 0.95,
        })
        await connection.run(`COPY (${statement}) TO '${join(folder, `rates-${index}.parquet`)}'`)
      }
      const comparison = new RowComparison({
        kind: made,
        estimator: irregularMle,
        level: 0.95,
        prior: false,
      })
      const pages = randomPages(count, made)
      const result = await connection.stream(
        `SELECT * FROM '${folder}/rates-*.parquet' ORDER BY ${number}`,
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
        `${rows} pages: rates within ${comparison.rateError}, bounds within ${comparison.boundError}; ${JSON.stringify(comparison.verdicts)}\n`,
      )
      expect(comparison.rateError).toBeLessThan(1e-9)
      expect(comparison.boundError).toBeLessThan(1e-6)
    },
    20 * 60_000,
  )
})
