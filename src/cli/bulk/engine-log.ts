import { join } from 'node:path'
import { sqlText } from '../../formats/duckdb.js'
import type { Environment } from '../environment.js'
import { problemLines } from '../visit-log.js'
import type { BulkEngine, EngineSettings } from './engine.js'
import { type TableSettings, VisitTable } from './visit-table.js'

/** Which of the pages of a log are wanted: an even sample of so many, or one of several parts. */
export type WantedPages =
  | { readonly sample: number }
  | { readonly part: { readonly index: number; readonly of: number } }

/** A Parquet file with the visits of the pages that are wanted, as every reader of logs takes it. */
export interface EngineLog {
  readonly file: string
  readonly engine: BulkEngine
  readonly table: VisitTable
}

/** How a file that the engine wrote is read: all times are Unix seconds. */
export const engineLogFlags = { format: 'parquet', time: 'seconds' } as const

/** Lets an engine take the visits of some pages out of many files, and does something with them. */
export async function withEngineLog<T>(
  environment: Environment,
  asked: {
    readonly patterns: readonly string[]
    readonly settings: TableSettings
    readonly engine: EngineSettings
    readonly pages: WantedPages
    /** The addresses under which pages are kept; visits are then sorted by these. */
    readonly address?: ((text: string) => unknown) | undefined
  },
  task: (log: EngineLog) => Promise<T>,
): Promise<T> {
  const engine = await environment.engine(asked.engine)
  try {
    const files = await engine.files(asked.patterns)
    const table = await VisitTable.open(engine, { files, settings: asked.settings })
    const { problems } = await table.check()
    const read = { format: 'parquet', time: table.kind, timeGiven: false } as const
    for (const line of problemLines(problems, read)) environment.err.write(`${line}\n`)
    const visits = await wantedVisits(engine, { table, pages: asked.pages })
    const named = await withAddresses(engine, { visits, address: asked.address })
    const file = join(engine.folder, 'visits.parquet')
    const bar = environment.progress({ label: 'taking visits', total: 100, writes: false })
    await engine.run(
      `COPY (SELECT * FROM (${logged(table, named)}) ORDER BY url, "at") TO ${sqlText(file)} (FORMAT parquet)`,
      (share) => bar.at(100 * share),
    )
    bar.stop()
    return await task({ file, engine, table })
  } finally {
    await engine.close()
  }
}

/** The columns of a log, from those of a VisitTable. */
function logged({ extras }: VisitTable, visits: string): string {
  const columns = [
    'url',
    'visited_at AS "at"',
    'changed',
    ...(extras.digest ? ['digest'] : []),
    ...(extras.lastModified ? ['last_modified'] : []),
    ...(extras.unchangedFor ? ['unchanged_for'] : []),
  ]
  return `SELECT ${columns.join(', ')} FROM (${visits})`
}

/** Without letters' case, port and name: whatever is one page after its address is put in order has one such host. */
const host = `hash(lower(regexp_extract(url, '^[^:/?#]+://(?:[^/?#@]*@)?([^/?#:]*)', 1)))`

async function wantedVisits(
  engine: BulkEngine,
  { table, pages }: { table: VisitTable; pages: WantedPages },
): Promise<string> {
  const all = table.select()
  if ('part' in pages)
    return `SELECT * FROM (${all}) WHERE ${host} % ${pages.part.of} = ${pages.part.index}`
  const cutoff = await sampleCutoff(engine, { all, sample: pages.sample })
  return cutoff === undefined ? all : `SELECT * FROM (${all}) WHERE hash(url) <= ${cutoff}::UBIGINT`
}

/**
 * The hash up to which there are so many addresses: an even sample, since
 * hashes are spread evenly, and the same one each time. Undefined where there
 * are no more. One pass that guesses how many there are, one over a little more
 * than the sample.
 */
async function sampleCutoff(
  engine: BulkEngine,
  { all, sample }: { all: string; sample: number },
): Promise<string | undefined> {
  const [counted] = await engine.rows(`SELECT approx_count_distinct(url) AS pages FROM (${all})`)
  const share = Math.min(1, (1.3 * sample) / Math.max(1, Number(counted!.pages)))
  const limit = BigInt(Math.floor(share * 2 ** 53)) * 2048n
  const within = share === 1 ? '' : ` WHERE hash(url) < ${limit}::UBIGINT`
  const [found] = await engine.rows(
    `SELECT max(h)::VARCHAR AS cutoff, count(*) AS many FROM (SELECT DISTINCT hash(url) AS h FROM (${all})${within} ORDER BY h LIMIT ${sample})`,
  )
  if (found!.cutoff === null || Number(found!.many) < sample) return undefined
  return String(found!.cutoff)
}

const inserted = 1000

/** Visits under the addresses of their pages: only addresses that differ from the log's are held. */
async function withAddresses(
  engine: BulkEngine,
  { visits, address }: { visits: string; address: ((text: string) => unknown) | undefined },
): Promise<string> {
  if (address === undefined) return visits
  await engine.run('CREATE OR REPLACE TEMP TABLE addresses (given VARCHAR, kept VARCHAR)')
  const different: string[] = []
  await engine.each(`SELECT DISTINCT url FROM (${visits})`, async (rows) => {
    for (const row of rows) {
      const given = String(row.url)
      const kept = address(given)
      if (typeof kept === 'string' && kept !== given)
        different.push(`(${sqlText(given)}, ${sqlText(kept)})`)
    }
  })
  for (let i = 0; i < different.length; i += inserted)
    await engine.run(`INSERT INTO addresses VALUES ${different.slice(i, i + inserted).join(', ')}`)
  return `SELECT coalesce(kept, url) AS url, visits.* EXCLUDE (url) FROM (${visits}) visits LEFT JOIN addresses ON url = given`
}
