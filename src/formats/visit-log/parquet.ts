import { EnvironmentError, InputError } from '../../model/errors.js'
import { Problems } from '../problems.js'
import { csvHeader } from './csv.js'
import type { ReadOptions, ReadReport } from './read-visits.js'
import { fieldNames } from './visit-fields.js'
import { type TakeVisit, VisitTaker } from './visit-line.js'

/** What is used of @duckdb/node-api, an optional package. */
interface DuckDb {
  readonly DuckDBInstance: {
    create(path: string): Promise<{ connect(): Promise<DuckDbConnection>; closeSync?(): void }>
  }
}
interface DuckDbConnection {
  stream(sql: string): Promise<{ fetchChunk(): Promise<DuckDbChunk | null> }>
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>
  closeSync?(): void
}
interface DuckDbChunk {
  readonly rowCount: number
  getRows(): Array<Array<string | null>>
}

/** Gives the package, or fails if it is not installed. */
export type LoadDuckDb = () => Promise<unknown>

/**
 * Reads the visits of a Parquet file through DuckDB: the columns of a CSV, by
 * name. A row ends as a visit or as a problem under its row number. Timestamps
 * with a zone are read as such; those without one need `zone`.
 */
export async function readParquet(
  path: string,
  take: TakeVisit,
  options: ReadOptions & { readonly loadDuckDb: LoadDuckDb },
): Promise<ReadReport> {
  const { DuckDBInstance } = await loaded(options.loadDuckDb)
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const taker = new VisitTaker(take, { ...options, problems: options.problems ?? new Problems() })
  try {
    await readRows({ connection, taker, file: `read_parquet(${text(path)})`, pause: options.pause })
  } finally {
    connection.closeSync?.()
    instance.closeSync?.()
  }
  return { format: 'parquet', ...taker.times }
}

async function readRows(from: {
  connection: DuckDbConnection
  taker: VisitTaker
  file: string
  pause: ReadOptions['pause']
}): Promise<void> {
  const { connection, taker, file } = from
  const columns = await columnsOf(connection, file)
  const result = await connection
    .stream(`SELECT ${columns.map((column) => column.sql).join(', ')} FROM ${file}`)
    .catch((error) => Promise.reject(unreadable(error)))
  let row = 0
  for (;;) {
    const chunk = await result.fetchChunk().catch((error) => Promise.reject(unreadable(error)))
    if (chunk === null || chunk.rowCount === 0) return
    for (const values of chunk.getRows()) takeRow(taker, { values, columns, row: ++row })
    await from.pause?.()
  }
}

interface Column {
  /** Its place in `fieldNames`. */
  readonly field: number
  /** The expression that gives it as a text. */
  readonly sql: string
}

async function columnsOf(connection: DuckDbConnection, file: string): Promise<Column[]> {
  const described = await connection
    .runAndReadAll(`DESCRIBE SELECT * FROM ${file}`)
    .catch((error) => Promise.reject(unreadable(error)))
  const rows = described
    .getRows()
    .map(([name, type]) => ({ name: String(name), type: String(type) }))
  const fields = csvHeader(
    rows.map((row) => row.name),
    1,
  )
  return rows.flatMap((row, i) => (fields[i]! < 0 ? [] : [{ field: fields[i]!, sql: asText(row) }]))
}

function asText({ name, type }: { name: string; type: string }): string {
  const column = `"${name.replaceAll('"', '""')}"`
  if (!type.startsWith('TIMESTAMP')) return `CAST(${column} AS VARCHAR)`
  const zone = type === 'TIMESTAMP WITH TIME ZONE' ? 'Z' : ''
  return `strftime(make_timestamp(epoch_us(${column})), '%Y-%m-%dT%H:%M:%S.%f${zone}')`
}

function takeRow(
  taker: VisitTaker,
  { values, columns, row }: { values: Array<string | null>; columns: Column[]; row: number },
): void {
  const { fields } = taker
  fields.clear()
  for (let i = 0; i < columns.length; i++) {
    const { field } = columns[i]!
    const value = values[i]
    if (fieldNames[field] === 'digest') fields.hasDigest = true
    if (value !== null && value !== undefined) fields.write(fields.slices[field]!, value)
  }
  taker.take(row)
}

async function loaded(load: LoadDuckDb): Promise<DuckDb> {
  try {
    return (await load()) as DuckDb
  } catch (cause) {
    throw new EnvironmentError(
      'no-duckdb',
      'Parquet is read through DuckDB, which is not installed here; run npm install @duckdb/node-api, or write the log as CSV',
      { cause },
    )
  }
}

function unreadable(cause: unknown): InputError {
  const [reason = ''] = String((cause as Error).message).split('\n')
  return new InputError('bad-parquet', `DuckDB cannot read this Parquet file: ${reason}`, { cause })
}

function text(path: string): string {
  return `'${path.replaceAll("'", "''")}'`
}
