import type { FileColumn } from '../../formats/visit-log/parquet-columns.js'

/** What an engine may use of the machine. */
export interface EngineSettings {
  /** Bytes; DuckDB's own default of most of the machine where it is not set. */
  readonly memory: number | undefined
  readonly threads: number | undefined
  /** A folder for what does not fit into memory; one of its own where it is not set. */
  readonly spill: string | undefined
}

/** The share of a statement that is done, 0 to 1; called now and then. */
export type ShareDone = (share: number) => void

/** DuckDB over files, with a folder of its own that goes when it is closed. */
export interface BulkEngine {
  /** Bytes that a statement may use. */
  readonly memory: number
  readonly threads: number
  /** The folder for what is kept until the end. */
  readonly folder: string
  /** The Parquet files that paths, patterns and folders name; fails where there are none. */
  files(patterns: readonly string[]): Promise<string[]>
  /** The columns of a source of rows that fill a field of a visit. */
  columns(source: string): Promise<FileColumn[]>
  run(sql: string, done?: ShareDone): Promise<void>
  rows(sql: string): Promise<Array<Record<string, unknown>>>
  /** Rows, some thousands at a time: nothing piles up. Counts are bigints. */
  each(
    sql: string,
    take: (rows: ReadonlyArray<Readonly<Record<string, unknown>>>) => Promise<void>,
  ): Promise<void>
  /** Writes a file that takes its name, whole, at the end: `copy` gets the path to write to. */
  publish(path: string, copy: (partial: string) => Promise<void>): Promise<void>
  /** The names in a folder; none where it is not there. */
  names(folder: string): Promise<string[]>
  text(path: string): Promise<string>
  /** Writes a file, whole, where there is none of that name yet; false where there is. */
  create(path: string, text: string): Promise<boolean>
  remove(paths: readonly string[]): Promise<void>
  /** Begins anew, without tables of its own: all memory goes back to the system, of which DuckDB keeps a gigabyte and more. */
  anew(): Promise<void>
  close(): Promise<void>
}

/** `read_parquet` over some files, as a statement writes it. */
export function parquetSource(files: readonly string[], options = ''): string {
  const list = files.map((file) => `'${file.replaceAll("'", "''")}'`).join(', ')
  return `read_parquet([${list}]${options})`
}
