import { join } from 'node:path'
import { dialectNamed } from '../../estimators/bulk/dialect.js'
import {
  type BulkMethod,
  estimateStatement,
  type GivenSums,
  type GivenVisits,
} from '../../estimators/bulk/statement.js'
import type { PseudoGaps } from '../../estimators/rate/irregular-mle.js'
import { sqlText } from '../../formats/duckdb.js'
import type { Environment } from '../environment.js'
import { type BulkEngine, parquetSource } from './engine.js'

/** Bytes of memory that a visit takes while the visits of its page are gathered, and that DuckDB takes for a log of any size. */
export const bytesOfVisit = 100
const bytesOfEngine = 2e8

/** In how many parts the pages are taken, one after the other, so that each of so many bytes fits into memory. */
export function partsFor(bytes: number, { memory }: { readonly memory: number }): number {
  return Math.max(1, Math.ceil(bytes / Math.max(5e7, memory - bytesOfEngine)))
}

/** One of several parts of the pages, by a hash of the address. */
export interface PagesPart {
  readonly index: number
  readonly of: number
}

/** Estimates of all pages, as Parquet files in the engine's folder. */
export interface BulkResults {
  /** `read_parquet` over them: rows as estimateStatement gives them. */
  readonly source: string
  readonly pages: number
  readonly visits: number
  readonly changes: number
  /** Visits at the time of another of their page, which are left out. */
  readonly repeated: number
}

/** Estimates part by part; a part holds the visits of its pages in memory, no more. */
export async function bulkEstimates(
  { engine, progress }: { engine: BulkEngine; progress: Environment['progress'] },
  asked: {
    /** Visits or sums of one part of the pages, of so many. */
    readonly given: (part: PagesPart) => GivenVisits | GivenSums
    readonly parts: number
    readonly method: BulkMethod
    readonly level: number
    readonly pseudoGaps: PseudoGaps | undefined
  },
): Promise<BulkResults> {
  const { given, parts: of, method, level, pseudoGaps } = asked
  const dialect = dialectNamed('duckdb')
  const bar = progress({ label: 'estimating', total: 1000, writes: false })
  const files: string[] = []
  try {
    for (let index = 0; index < of; index++) {
      const file = join(engine.folder, `estimates-${index}.parquet`)
      const statement = estimateStatement({
        ...given({ index, of }),
        dialect,
        method,
        level,
        pseudoGaps,
      })
      await engine.run(`COPY (${statement}) TO ${sqlText(file)} (FORMAT parquet)`, (share) =>
        bar.at(Math.round((1000 * (index + share)) / of)),
      )
      files.push(file)
    }
  } finally {
    bar.stop()
  }
  return tallied(engine, parquetSource(files))
}

async function tallied(engine: BulkEngine, source: string): Promise<BulkResults> {
  const [counts] = await engine.rows(
    `SELECT count(*) AS pages, coalesce(sum(tried - repeated), 0)::BIGINT AS visits, coalesce(sum(changes), 0)::BIGINT AS changes, coalesce(sum(repeated), 0)::BIGINT AS repeated FROM ${source}`,
  )
  const count = (name: string) => Number(counts![name])
  return {
    source,
    pages: count('pages'),
    visits: count('visits'),
    changes: count('changes'),
    repeated: count('repeated'),
  }
}
