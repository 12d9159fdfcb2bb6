import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { BulkEngine } from '../../../src/cli/bulk/engine.js'
import type { PagesPart } from '../../../src/cli/bulk/pages-parts.js'
import { VisitTable } from '../../../src/cli/bulk/visit-table.js'
import { visitsByPart } from '../../../src/cli/bulk/visits-by-part.js'
import { openEngine } from '../../../src/cli/node/duckdb-engine.js'

// DuckDB is an optional dependency.
const duckdb = await import('@duckdb/node-api' as string).catch(() => undefined)
const folder = mkdtempSync(join(tmpdir(), 'revisit-by-part-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const progress = () => ({ at: () => {}, stop: () => {} })
const log = join(folder, 'log.parquet')
const columns = 'url, visited_at, outcome, digest'

/** A log with a bad row in it, and fewer pages than some copies have parts. */
async function opened(engine: BulkEngine): Promise<VisitTable> {
  await engine.run(
    `COPY (SELECT CASE WHEN i > 0 THEN 'https://e.org/' || (i % 50) ELSE '' END AS url, 1700000000 + i * 1000 AS "at", NULL AS changed, 'd' || i % 7 AS digest FROM range(2000) t(i)) TO '${log}'`,
  )
  const settings = { now: 1_800_000_000, time: undefined, zone: undefined }
  const table = await VisitTable.open(engine, { files: [log], settings })
  await table.check()
  return table
}

const list = (select: string) =>
  `SELECT list({${columns
    .split(', ')
    .map((name) => `${name}: ${name}`)
    .join(', ')}} ORDER BY ${columns})::VARCHAR AS visits FROM (${select})`

describe.skipIf(duckdb === undefined)('visits by part', () => {
  it.each([
    ['one', 0, 1, 0],
    ['read anew for each', 5.5, 6, 0],
    ['copied by part', 8.5, 9, 9],
    ['of more parts than copies', 150, 192, 64],
  ])('are all visits, once each: %s', async (_, times, expected, copies) => {
    const engine = await openEngine(async () => duckdb, {
      memory: 5e8,
      threads: 2,
      spill: folder,
    })
    try {
      const table = await opened(engine)
      // As much as so many parts hold of what memory leaves.
      const bytes = times * (engine.memory - 2e8)
      const { parts, given } = await visitsByPart({ engine, progress }, { table, bytes })
      expect(parts).toBe(expected)
      const copied = (await engine.names(join(engine.folder, 'visits'))).length
      expect(copied).toBeLessThanOrEqual(copies)
      expect(copied > 0).toBe(copies > 0)
      await engine.anew()
      // The first part as two halves, as where it did not fit.
      const all: PagesPart[] = [
        { index: 0, of: 2 * parts },
        { index: parts, of: 2 * parts },
        ...Array.from({ length: parts - 1 }, (_, i) => ({ index: i + 1, of: parts })),
      ]
      const one = given(all[2] ?? all[0]!)
      expect(one).toMatchObject({ extras: { digest: true }, whole: true })
      const together = all
        .map((part) => `SELECT ${columns} FROM (${given(part).visits})`)
        .join(' UNION ALL ')
      const whole = await engine.rows(list(table.select()))
      expect(String(whole[0]!.visits)).toMatch(/https:\/\/e\.org\/49/)
      expect(await engine.rows(list(together))).toEqual(whole)
    } finally {
      await engine.close()
    }
    expect(readdirSync(folder)).toEqual(['log.parquet'])
  })

  it('take no memory where no row is taken, so that none are copied and the reasons are said', async () => {
    const engine = await openEngine(async () => duckdb, { memory: 5e8, threads: 2, spill: folder })
    try {
      const none = join(folder, 'none.parquet')
      await engine.run(
        `COPY (SELECT '' AS url, 1700000000 AS "at", NULL AS changed FROM range(500)) TO '${none}'`,
      )
      const settings = { now: 1_800_000_000, time: undefined, zone: undefined }
      const table = await VisitTable.open(engine, { files: [none], settings })
      expect(await table.check()).toMatchObject({ bytes: 0, span: null, problems: { total: 500 } })
    } finally {
      await engine.close()
    }
  })
})
