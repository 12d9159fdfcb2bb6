import { describe, expect, it } from 'vitest'
import { runCli } from '../../fixtures/run-cli.js'
import { tempFolder } from '../../fixtures/temp-folder.js'
import { comparedFold } from './folded-log.js'

// DuckDB is an optional dependency.
const duckdb = await import('@duckdb/node-api' as string).catch(() => undefined)

describe.skipIf(duckdb === undefined)('revisit fold', () => {
  it('in parts, one of them killed, leaves the states of an import, by COPY too', async () => {
    await comparedFold(tempFolder(), { duckdb, pages: 120, parts: 3 })
  }, 120_000)

  it('refuses a part that is none', async () => {
    const { code, err } = await runCli([
      'fold',
      'x.parquet',
      '--part',
      '3/2',
      '--output',
      'y.jsonl',
    ])
    expect([code, err]).toEqual([2, expect.stringMatching(/--part takes a part of so many/)])
  })
})
