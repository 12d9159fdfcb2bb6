import { EnvironmentError } from '../model/errors.js'

/** What is used of @duckdb/node-api, an optional package. */
interface DuckDb {
  readonly DuckDBInstance: {
    create(path: string, settings?: Readonly<Record<string, string>>): Promise<DuckDbInstance>
  }
}

export interface DuckDbInstance {
  connect(): Promise<DuckDbConnection>
  closeSync(): void
}

export interface DuckDbConnection {
  run(sql: string): Promise<unknown>
  runAndReadAll(sql: string): Promise<{
    getRows(): unknown[][]
    getRowObjectsJS(): Array<Record<string, unknown>>
  }>
  /** Rows as they are found, in chunks: nothing piles up. */
  stream(sql: string): Promise<{
    fetchChunk(): Promise<DuckDbChunk | null>
    yieldRowObjectJs(): AsyncIterable<Array<Record<string, unknown>>>
  }>
  /** Of the statement that runs: `percentage` is -1 where nobody knows. */
  readonly progress: { readonly percentage: number }
  interrupt(): void
  closeSync(): void
}

export interface DuckDbChunk {
  readonly rowCount: number
  getColumnVector(column: number): DuckDbVector
}

/** A column of a chunk. */
export interface DuckDbVector {
  getItem(row: number): unknown
  /** Numbers lie in an array of their own type. */
  readonly items?: unknown
  /** Texts and bytes: sixteen bytes each, the length first, then the bytes or where they lie. */
  readonly dataView?: unknown
  /** A bit a row; no data where all rows have a value. */
  readonly validity?: { readonly data?: unknown }
}

/** Gives the package, or fails if it is not installed. */
export type LoadDuckDb = () => Promise<unknown>

/** An engine in memory, with DuckDB's settings (`threads`, `memory_limit`, `temp_directory`). */
export async function openDuckDb(
  load: LoadDuckDb,
  settings: Readonly<Record<string, string>> = {},
): Promise<DuckDbInstance> {
  const { DuckDBInstance } = await loaded(load)
  return DuckDBInstance.create(':memory:', settings)
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

/** What DuckDB says went wrong, in one line, and what that likely means. */
export function duckDbReason(error: unknown): string {
  const [reason = ''] = String((error as Error).message).split('\n')
  if (!isNoParquet(error)) return reason
  return `${reason}; it was cut off before its end, or is not a Parquet file`
}

/** Whether DuckDB found no whole Parquet file. */
export function isNoParquet(error: unknown): boolean {
  return error instanceof Error && /magic bytes|too small to be a parquet/i.test(error.message)
}

/** A text as it is written in a statement. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** A column's name as it is written in a statement. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
