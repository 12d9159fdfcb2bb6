import { InputError } from '../../model/errors.js'
import type { Seconds } from '../../model/units.js'
import { ByteSlice } from '../bytes/byte-slice.js'
import {
  type DuckDbConnection,
  duckDbReason,
  type LoadDuckDb,
  openDuckDb,
  sqlText,
} from '../duckdb.js'
import { Problems } from '../problems.js'
import { csvHeader } from './csv.js'
import {
  type FieldName,
  type FileColumn,
  kindOf,
  NumberColumn,
  OutcomeColumn,
  PlainTextColumn,
  Selection,
} from './parquet-columns.js'
import { TextColumn } from './parquet-texts.js'
import type { ReadOptions, ReadReport } from './read-visits.js'
import { fieldNames, type VisitFields } from './visit-fields.js'
import { type TakeVisit, type TypedVisit, VisitTaker } from './visit-line.js'

interface ParquetOptions extends ReadOptions {
  readonly loadDuckDb: LoadDuckDb
}

/**
 * Reads the visits of a Parquet file through DuckDB: the columns of a CSV, by
 * name. A row ends as a visit or as a problem under its row number. Timestamps
 * with a zone are read as such; those without one need `zone`. Values are taken
 * in their types from DuckDB's chunks; a row of which one is unusual is read as
 * a line of text is, which says what is wrong with it.
 */
export async function readParquet(
  path: string,
  take: TakeVisit,
  options: ParquetOptions,
): Promise<ReadReport> {
  const instance = await openDuckDb(options.loadDuckDb)
  const connection = await instance.connect()
  const taker = new VisitTaker(take, { ...options, problems: options.problems ?? new Problems() })
  try {
    await readRows({ connection, taker, file: `read_parquet(${sqlText(path)})`, options })
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
  return { format: 'parquet', ...taker.times }
}

async function readRows(from: {
  connection: DuckDbConnection
  taker: VisitTaker
  file: string
  options: ParquetOptions
}): Promise<void> {
  const { connection, taker, file, options } = from
  const columns = await visitColumns(connection, file)
  const rows = new VisitRows(columns, { zone: options.zone })
  const result = await readable(connection.stream(`SELECT ${rows.selection.sql} FROM ${file}`))
  let before = 0
  let next = readable(result.fetchChunk())
  for (;;) {
    const chunk = await next
    const count = chunk?.rowCount ?? 0
    if (chunk === null || count === 0) return
    // DuckDB prepares the next rows on its own threads while these are taken.
    next = readable(result.fetchChunk())
    next.catch(() => {})
    rows.selection.use(chunk)
    for (let row = 0; row < count; row++) {
      const typed = rows.typed(row)
      if (typed !== undefined && taker.takeTyped(before + row + 1, typed)) continue
      rows.write(row, taker.fields)
      taker.take(before + row + 1)
    }
    before += count
    await options.pause?.()
  }
}

/** The columns of a source of rows that fill a field of a visit. */
export async function visitColumns(
  connection: DuckDbConnection,
  source: string,
): Promise<FileColumn[]> {
  const described = await readable(connection.runAndReadAll(`DESCRIBE SELECT * FROM ${source}`))
  const all = described
    .getRows()
    .map(([name, type]) => ({ name: String(name), type: String(type) }))
  const fields = csvHeader(
    all.map(({ name }) => name),
    1,
  )
  const found = all.flatMap((column, i) =>
    fields[i]! < 0 ? [] : [{ ...column, field: fieldNames[fields[i]!]! }],
  )
  const nested = found.find(({ type }) => /\]$|^(?:STRUCT|MAP|UNION)\(/.test(type))
  if (nested === undefined) return found
  throw new InputError(
    'nested-column',
    `the column ${nested.name} is of type ${nested.type}, which is no single value; write texts, numbers or timestamps`,
  )
}

/** The rows of a chunk as visits, in types where all of a row's values have one. */
class VisitRows {
  readonly selection = new Selection()
  readonly #url: TextColumn
  readonly #at: NumberColumn | PlainTextColumn
  readonly #lastModified: NumberColumn | PlainTextColumn | undefined
  readonly #unchangedFor: NumberColumn | PlainTextColumn | undefined
  /** Whether times are numbers or timestamps, so that rows need no texts. */
  readonly #isTyped: boolean
  readonly #outcome: OutcomeColumn | undefined
  readonly #digest: TextColumn | undefined
  readonly #visit: TypedVisit

  constructor(columns: readonly FileColumn[], { zone }: { zone: Seconds | undefined }) {
    const from = this.selection
    const named = (field: FieldName) => columns.find((column) => column.field === field)
    this.#url = new TextColumn(named('url')!, { from })
    const digest = named('digest')
    this.#digest = digest && new TextColumn(digest, { from })
    const changed = named('changed')
    this.#outcome = changed && new OutcomeColumn(changed, { from })
    const times = (field: FieldName) => {
      const column = named(field)
      if (column === undefined) return undefined
      return kindOf(column) === 'text'
        ? new PlainTextColumn(column, { from })
        : new NumberColumn(column, { from, zone })
    }
    this.#at = times('at')!
    this.#lastModified = times('last_modified')
    this.#unchangedFor = times('unchanged_for')
    const all = [this.#at, this.#lastModified, this.#unchangedFor]
    this.#isTyped = !all.some((column) => column instanceof PlainTextColumn)
    const isTimestamp = (column: NumberColumn | PlainTextColumn | undefined) =>
      !(column instanceof NumberColumn && column.kind === 'number')
    this.#visit = {
      url: new ByteSlice(),
      at: Number.NaN,
      isTimestamp: isTimestamp(this.#at),
      outcome: 'first',
      digest: new ByteSlice(),
      lastModified: Number.NaN,
      isTimestampModified: isTimestamp(this.#lastModified),
      unchangedFor: Number.NaN,
    }
  }

  /** Undefined where a value has to be read as a text. */
  typed(row: number): TypedVisit | undefined {
    if (!this.#isTyped) return undefined
    const visit = this.#visit
    const said = this.#outcome?.outcome(row)
    if (said === undefined) {
      if (this.#digest === undefined || this.#outcome?.text(row)) return undefined
      this.#digest.point(row, visit.digest)
    }
    visit.outcome = said ?? (visit.digest.length === 0 ? 'failed' : 'by-digest')
    visit.at = numberAt(this.#at, row)
    if (Number.isNaN(visit.at)) return undefined
    visit.lastModified = numberAt(this.#lastModified, row)
    visit.unchangedFor = numberAt(this.#unchangedFor, row)
    this.#url.point(row, visit.url)
    return visit
  }

  /** All of the row as the texts of a line. */
  write(row: number, fields: VisitFields): void {
    fields.clear()
    this.#url.point(row, fields.url)
    fields.hasDigest = this.#digest !== undefined
    this.#digest?.point(row, fields.digest)
    const write = (to: ByteSlice, value: string | null | undefined) => {
      if (value !== null && value !== undefined) fields.write(to, value)
    }
    write(fields.changed, this.#outcome?.text(row))
    write(fields.at, this.#at.text(row))
    write(fields.lastModified, this.#lastModified?.text(row))
    write(fields.unchangedFor, this.#unchangedFor?.text(row))
  }
}

function numberAt(column: NumberColumn | PlainTextColumn | undefined, row: number): number {
  return column instanceof NumberColumn ? column.number(row) : Number.NaN
}

/** What DuckDB throws is about the file. */
function readable<Answer>(asked: Promise<Answer>): Promise<Answer> {
  return asked.catch((cause) => {
    const reason = duckDbReason(cause)
    throw new InputError('bad-parquet', `DuckDB cannot read this Parquet file: ${reason}`, {
      cause,
    })
  })
}
