import { describe, it } from 'vitest'
import { tempFolder } from '../../fixtures/temp-folder.js'
import { comparedFold } from './folded-log.js'

// DuckDB is an optional dependency.
const duckdb = await import('@duckdb/node-api' as string).catch(() => undefined)

describe.skipIf(duckdb === undefined)('revisit fold', () => {
  it('in 16 parts, one of them killed, leaves the states of an import by one process', async () => {
    await comparedFold(tempFolder(), { duckdb, pages: 3000, parts: 16 })
  }, 600_000)
})
