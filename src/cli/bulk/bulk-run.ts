import { join } from 'node:path'
import { dialectNamed } from '../../estimators/bulk/dialect.js'
import {
  type BulkMethod,
  estimateStatement,
  type GivenSums,
} from '../../estimators/bulk/statement.js'
import type { GivenVisits } from '../../estimators/bulk/visit-outcomes.js'
import type { PseudoGaps } from '../../estimators/rate/irregular-mle.js'
import { sqlText } from '../../formats/duckdb.js'
import type { Environment } from '../environment.js'
import { type BulkEngine, parquetSource, type ShareDone } from './engine.js'
import { type PagesPart, partByPart } from './pages-parts.js'

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
  const { given, parts, method, level, pseudoGaps } = asked
  const dialect = dialectNamed('duckdb')
  const bar = progress({ label: 'estimating', total: 1000, writes: false })
  const estimated = async (part: PagesPart, done: ShareDone) => {
    const file = join(engine.folder, `estimates-${part.index}-${part.of}.parquet`)
    const about = { ...given(part), dialect, method, level, pseudoGaps }
    const copy = `COPY (${estimateStatement(about)}) TO ${sqlText(file)} (FORMAT parquet)`
    await engine.run(copy, done)
    return file
  }
  try {
    const files = await partByPart({ engine, of: parts }, estimated, (share) =>
      bar.at(Math.round(1000 * share)),
    )
    return await tallied(engine, parquetSource(files))
  } finally {
    bar.stop()
  }
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
