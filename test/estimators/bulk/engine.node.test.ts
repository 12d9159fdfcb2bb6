import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dialectNamed } from '../../../src/estimators/bulk/dialect.js'
import { type BulkMethod, estimateStatement } from '../../../src/estimators/bulk/statement.js'
import { biasReduced } from '../../../src/estimators/rate/bias-reduced.js'
import { intuitive } from '../../../src/estimators/rate/intuitive.js'
import { irregularMle, irregularMleWith } from '../../../src/estimators/rate/irregular-mle.js'
import type { Estimator } from '../../../src/model/estimate.js'
import { tempFolder } from '../../fixtures/temp-folder.js'
import { type PageKind, type RandomPage, randomPages, writeVisits } from './random-pages.js'
import { RowComparison } from './row-comparison.js'

// DuckDB is an optional dependency.
const duckdb = await import('@duckdb/node-api' as string).catch(() => undefined)

const pseudoGaps = { changed: 3e5, unchanged: 8e5 }

async function compared({
  count,
  kind,
  method,
  estimator,
  level,
  prior,
  whole = true,
  more = [],
}: {
  count: number
  kind: PageKind
  method: BulkMethod
  estimator: Estimator
  level: number
  prior: boolean
  /** Whether visits of a plain log are gathered as one number each. */
  whole?: boolean
  more?: readonly RandomPage[]
}) {
  const file = join(tempFolder(), 'visits.csv')
  const pages = [...randomPages(count, { seed: 29, ...kind }), ...more]
  writeVisits(file, pages)
  const instance = await duckdb.DuckDBInstance.create(':memory:', { threads: '2' })
  const connection = await instance.connect()
  const types = `types = {'url': 'VARCHAR', 'at': 'DOUBLE', 'changed': 'VARCHAR', 'digest': 'VARCHAR', 'last_modified': 'DOUBLE', 'unchanged_for': 'DOUBLE'}`
  const codes = `CASE changed WHEN 'changed' THEN 0 WHEN 'unchanged' THEN 1 WHEN 'first' THEN 2 WHEN 'failed' THEN 4 ELSE 3 END`
  const sql = estimateStatement({
    dialect: dialectNamed('duckdb'),
    visits: `SELECT url, "at" AS visited_at, ${codes} AS outcome, digest, last_modified, unchanged_for FROM read_csv('${file}', header = true, ${types})`,
    extras: {
      digest: kind.digest === true,
      lastModified: kind.lastModified === true,
      unchangedFor: kind.unchangedFor === true,
    },
    method,
    whole,
    level,
    pseudoGaps: prior ? pseudoGaps : undefined,
  })
  const result = await connection.runAndReadAll(sql)
  const rows = new Map(result.getRowObjectsJS().map((row: { url: string }) => [row.url, row]))
  expect(rows.size).toBe(pages.length)
  const comparison = new RowComparison({ kind, estimator, level, prior })
  for (const page of pages) comparison.take(page, rows.get(page.url))
  return comparison
}

describe.skipIf(duckdb === undefined)('estimates by DuckDB alone', () => {
  const plain: PageKind = {}
  const all: PageKind = { digest: true, lastModified: true, unchangedFor: true }
  it.each([
    ['irregular-mle', 20_000, plain, irregularMle, 0.95, false],
    ['irregular-mle', 3_000, all, irregularMle, 0.8, false],
    ['irregular-mle', 3_000, all, irregularMle, 0.9999, false],
    ['irregular-mle', 3_000, { digest: true }, irregularMleWith({ pseudoGaps }), 0.95, true],
    ['bias-reduced', 3_000, { unchangedFor: true }, biasReduced, 0.9, false],
    ['intuitive', 3_000, all, intuitive, 0.5, false],
    ['intuitive', 3_000, plain, intuitive, 0.999, false],
    ['irregular-mle', 3_000, plain, irregularMle, 0.95, false, false],
  ] as const)(
    'are those of %s, page by page (%i pages)',
    async (method, count, kind, estimator, level, prior, whole: boolean = true) => {
      const { verdicts, rateError, boundError } = await compared({
        count,
        kind,
        method,
        estimator,
        level,
        prior,
        whole,
      })
      expect(rateError).toBeLessThan(1e-9)
      expect(boundError).toBeLessThan(1e-6)
      if (!prior) expect(verdicts['always-changed']).toBeGreaterThan(20)
      if (!prior) expect(verdicts['no-change-seen']).toBeGreaterThan(20)
    },
  )

  it('have bounds where one gap is longer than all others by far', async () => {
    const page = (gap: number, unchanged: number): RandomPage => ({
      url: `https://e.org/${gap}/${unchanged}`,
      visits: [
        { at: 0, outcome: 'first' },
        { at: unchanged, outcome: 'unchanged' },
        { at: unchanged + gap, outcome: 'changed' },
      ],
    })
    const more = [1, 60, 86400].flatMap((one) =>
      [1, 1e3, 1e6, 1e9, 3e10].map((gap) => page(gap, one)),
    )
    const about = { kind: {}, method: 'irregular-mle', estimator: irregularMle } as const
    const found = await compared({ ...about, count: 1, level: 0.95, prior: false, more })
    expect(found.boundError).toBeLessThan(1e-6)
  })
})
