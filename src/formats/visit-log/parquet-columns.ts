import type { Outcome } from '../../model/history.js'
import type { Seconds } from '../../model/units.js'
import { ByteCache } from '../bytes/byte-cache.js'
import type { ByteSlice } from '../bytes/byte-slice.js'
import { type DuckDbChunk, type DuckDbVector, sqlName, sqlText } from '../duckdb.js'
import type { fieldNames } from './visit-fields.js'
import { outcomeWords } from './visit-line.js'

export type FieldName = (typeof fieldNames)[number]

/** A column of the file that fills a field of a visit, by name and DuckDB's type. */
export interface FileColumn {
  readonly field: FieldName
  readonly name: string
  readonly type: string
}

/** Numbers of every width; a decimal too. */
const numeric = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|DOUBLE|FLOAT|DECIMAL\(.*\))$/

/** How the values of a column are taken: a number, the seconds of a timestamp, or bytes. */
export type ColumnKind = 'number' | 'timestamp' | 'local timestamp' | 'text'

export function kindOf({ type }: { readonly type: string }): ColumnKind {
  if (numeric.test(type)) return 'number'
  if (type === 'TIMESTAMP WITH TIME ZONE') return 'timestamp'
  return type.startsWith('TIMESTAMP') ? 'local timestamp' : 'text'
}

/** What the readers of a file share: the columns to select, and the chunk at hand. */
export class Selection {
  readonly #columns: string[] = []
  #vectors: readonly DuckDbVector[] = []

  get sql(): string {
    return this.#columns.join(', ')
  }

  /** Gives the place of the column in a chunk. */
  add(sql: string): number {
    return this.#columns.push(sql) - 1
  }

  use(chunk: DuckDbChunk): void {
    this.#vectors = this.#columns.map((_, column) => chunk.getColumnVector(column))
  }

  item(column: number, row: number): unknown {
    return this.#vectors[column]!.getItem(row)
  }
}

/** Numbers of any type as doubles, and timestamps as Unix seconds; NaN where there is none. */
export class NumberColumn {
  readonly kind: ColumnKind
  readonly #at: number
  readonly #from: Selection
  readonly #east: Seconds

  constructor(column: FileColumn, { from, zone }: { from: Selection; zone: Seconds | undefined }) {
    this.kind = kindOf(column)
    this.#from = from
    this.#at = from.add(numberSql(column))
    this.#east = this.kind === 'local timestamp' ? (zone ?? Number.NaN) : 0
  }

  /** NaN also for a local time where no zone is given. */
  number(row: number): number {
    const value = this.#from.item(this.#at, row)
    return value === null ? Number.NaN : (value as number) - this.#east
  }

  /** As a log in texts has it. */
  text(row: number): string | null {
    const value = this.#from.item(this.#at, row) as number | null
    if (value === null || this.kind === 'number') return value === null ? null : String(value)
    const date = new Date(value * 1000)
    if (Number.isNaN(date.getTime())) return String(value)
    const iso = date.toISOString()
    return this.kind === 'timestamp' ? iso : iso.replace('Z', '')
  }
}

/**
 * Texts, each taken from DuckDB's memory once while the cache holds it: known
 * again by two hashes behind secret beginnings of different length, so that no
 * file can be prepared in which two addresses are taken for one.
 */
export class TextColumn {
  readonly #hashes: readonly number[]
  readonly #at: number
  readonly #from: Selection
  readonly #cache = new ByteCache()

  constructor(column: FileColumn, { from, secret }: { from: Selection; secret: number }) {
    this.#from = from
    const text = `CAST(${sqlName(column.name)} AS VARCHAR)`
    const hash = (beginning: string) =>
      `CAST(hash(${sqlText(beginning)} || ${text}) & 2147483647 AS INTEGER)`
    const signs = secret.toString(36).padStart(7, '0').slice(-7)
    this.#hashes = [signs.slice(0, 3), `${signs}-${signs}`.slice(1)].map((each) =>
      from.add(hash(each)),
    )
    this.#at = from.add(`encode(${text})`)
  }

  /** Points the slice at the text of the row; an empty one where there is none. */
  point(row: number, into: ByteSlice): void {
    const high = this.#from.item(this.#hashes[0]!, row) as number
    const low = this.#from.item(this.#hashes[1]!, row) as number
    if (this.#cache.find(high, low, into)) return
    const found = this.#from.item(this.#at, row) as { readonly bytes: Uint8Array } | null
    into.clear()
    if (found !== null) into.point(found.bytes, { start: 0, end: found.bytes.length })
    this.#cache.add(high, low, into)
  }
}

/** Texts that seldom come again: times, dates. */
export class PlainTextColumn {
  readonly #at: number
  readonly #from: Selection

  constructor(column: FileColumn, { from }: { from: Selection }) {
    this.#from = from
    this.#at = from.add(`CAST(${sqlName(column.name)} AS VARCHAR)`)
  }

  text(row: number): string | null {
    return this.#from.item(this.#at, row) as string | null
  }
}

/** What the `changed` column says, as a number of the caller's for the outcome; null where it says none. */
export function outcomeSql(
  { name, type }: FileColumn,
  codeOf: (outcome: Outcome) => number,
): string {
  const value = sqlName(name)
  const [changed, unchanged] = [codeOf('changed'), codeOf('unchanged')]
  if (type === 'BOOLEAN')
    return `CASE WHEN ${value} THEN ${changed} WHEN NOT ${value} THEN ${unchanged} END`
  if (/INT/.test(type))
    return `CASE WHEN ${value} = 1 THEN ${changed} WHEN ${value} = 0 THEN ${unchanged} END`
  const cases = [...outcomeWords].map(
    ([each, outcome]) => `WHEN ${sqlText(each)} THEN ${codeOf(outcome)}`,
  )
  return `CASE lower(${trimmedSql(`CAST(${value} AS VARCHAR)`)}) ${cases.join(' ')} END`
}

/** A text without the blanks at its ends, as the readers of lines leave them out. */
export function trimmedSql(text: string): string {
  return `trim(${text}, ' ' || chr(9) || chr(13))`
}

/** A time in seconds, or a number as it is. */
export function numberSql(column: FileColumn): string {
  const name = sqlName(column.name)
  return kindOf(column) === 'number' ? `CAST(${name} AS DOUBLE)` : `epoch_us(${name}) / 1e6`
}

const outcomes = [...new Set(outcomeWords.values())]

/** The `changed` column as outcomes; its text only where it says none of them. */
export class OutcomeColumn {
  readonly #code: number
  readonly #text: number
  readonly #from: Selection

  constructor(column: FileColumn, { from }: { from: Selection }) {
    this.#from = from
    const text = `CAST(${sqlName(column.name)} AS VARCHAR)`
    const code = outcomeSql(column, (outcome) => outcomes.indexOf(outcome))
    this.#code = from.add(`CAST(${code} AS TINYINT)`)
    this.#text = from.add(`CASE WHEN ${code} IS NULL THEN ${text} END`)
  }

  outcome(row: number): Outcome | undefined {
    const code = this.#from.item(this.#code, row) as number | null
    return code === null ? undefined : outcomes[code]
  }

  text(row: number): string | null {
    return this.outcome(row) ?? (this.#from.item(this.#text, row) as string | null)
  }
}
