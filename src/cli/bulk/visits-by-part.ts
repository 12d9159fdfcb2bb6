import { join } from 'node:path'
import type { GivenVisits } from '../../estimators/bulk/visit-outcomes.js'
import { sqlText } from '../../formats/duckdb.js'
import type { Environment } from '../environment.js'
import { type BulkEngine, parquetSource } from './engine.js'
import { type PagesPart, partsFor } from './pages-parts.js'
import type { VisitTable } from './visit-table.js'

/**
 * Parts for which the log itself is read, once each: a reading costs a sixth of
 * what a copy by part does. More parts are read from such a copy.
 */
const readings = 6
/** Parts of the copy, at the most: each is a file that is written to at the same time. */
const mostCopied = 64

/** In how many parts a log is taken, and the visits of each. */
export interface VisitsByPart {
  readonly parts: number
  readonly given: (part: PagesPart) => GivenVisits
}

/** The visits of a log in parts that fit into memory each, in time that grows as the log does. */
export async function visitsByPart(
  { engine, progress }: { engine: BulkEngine; progress: Environment['progress'] },
  { table, bytes }: { readonly table: VisitTable; readonly bytes: number },
): Promise<VisitsByPart> {
  const parts = partsFor(bytes, engine)
  if (parts <= readings) return { parts, given: (part) => table.given(part) }
  const copied = Math.min(parts, mostCopied)
  const folder = join(engine.folder, 'visits')
  const bar = progress({ label: 'dividing', total: 1000, writes: false })
  try {
    const { visits } = table.given()
    await engine.run(
      `COPY (SELECT *, hash(url) % ${copied} AS part FROM (${visits})) TO ${sqlText(folder)} (FORMAT parquet, PARTITION_BY (part))`,
      (share) => bar.at(Math.round(1000 * share)),
    )
  } finally {
    bar.stop()
  }
  const source = parquetSource([join(folder, '*', '*.parquet')], ', hive_partitioning = true')
  return {
    parts: Math.ceil(parts / copied) * copied,
    given: ({ index, of }) => {
      const rest = of === copied ? '' : ` AND hash(url) % ${of} = ${index}`
      const visits = `SELECT * EXCLUDE (part) FROM ${source} WHERE part = ${index % copied}${rest}`
      return { ...table.given(), visits }
    },
  }
}
