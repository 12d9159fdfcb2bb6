import type { Outcome } from '../../model/history.js'
import type { Seconds } from '../../model/units.js'
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

/** What the readers of a file share: the columns to select, each taken by whoever added it. */
export class Selection {
  readonly #columns: string[] = []
  readonly #takers: Array<(vector: DuckDbVector) => void> = []

  get sql(): string {
    return this.#columns.join(', ')
  }

  /** Selects a column; its part of each chunk is handed to `take` before the rows are. */
  add(sql: string, take: (vector: DuckDbVector) => void): void {
    this.#columns.push(sql)
    this.#takers.push(take)
  }

  use(chunk: DuckDbChunk): void {
    this.#takers.forEach((take, column) => {
      take(chunk.getColumnVector(column))
    })
  }
}

const nothing = { getItem: () => null }
const none = new Float64Array(0)
const allPresent = new Uint32Array(0)

/** Numbers of a chunk in the array in which they lie: asking DuckDB for each costs ten times as much. */
class ChunkNumbers {
  #vector: DuckDbVector = nothing
  #numbers: Float64Array | Int8Array | undefined = none
  /** A bit a row, set where there is a number; empty where all have one. */
  #present: Uint32Array = allPresent

  readonly take = (vector: DuckDbVector): void => {
    const { items, validity } = vector
    this.#vector = vector
    this.#numbers = items instanceof Float64Array || items instanceof Int8Array ? items : undefined
    const bits = validity?.data
    this.#present =
      bits instanceof BigUint64Array
        ? new Uint32Array(bits.buffer, bits.byteOffset, 2 * bits.length)
        : allPresent
  }

  /** Null where there is none. */
  at(row: number): number | null {
    if (this.#numbers === undefined) return this.#vector.getItem(row) as number | null
    const present = this.#present
    if (present.length > 0 && ((present[row >>> 5]! >>> (row & 31)) & 1) === 0) return null
    return this.#numbers[row]!
  }
}

/** Numbers of any type as doubles, and timestamps as Unix seconds; NaN where there is none. */
export class NumberColumn {
  readonly kind: ColumnKind
  readonly #numbers = new ChunkNumbers()
  readonly #east: Seconds

  constructor(column: FileColumn, { from, zone }: { from: Selection; zone: Seconds | undefined }) {
    this.kind = kindOf(column)
    from.add(numberSql(column), this.#numbers.take)
    this.#east = this.kind === 'local timestamp' ? (zone ?? Number.NaN) : 0
  }

  /** NaN also for a local time where no zone is given. */
  number(row: number): number {
    const value = this.#numbers.at(row)
    return value === null ? Number.NaN : value - this.#east
  }

  /** As a log in texts has it. */
  text(row: number): string | null {
    const value = this.#numbers.at(row)
    if (value === null || this.kind === 'number') return value === null ? null : String(value)
    const date = new Date(value * 1000)
    if (Number.isNaN(date.getTime())) return String(value)
    const iso = date.toISOString()
    return this.kind === 'timestamp' ? iso : iso.replace('Z', '')
  }
}

/** Texts that seldom come again: times, dates. */
export class PlainTextColumn {
  #vector: DuckDbVector = nothing

  constructor(column: FileColumn, { from }: { from: Selection }) {
    from.add(`CAST(${sqlName(column.name)} AS VARCHAR)`, (vector) => {
      this.#vector = vector
    })
  }

  text(row: number): string | null {
    return this.#vector.getItem(row) as string | null
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

/**
 * A text without the blanks at its ends, as the readers of lines leave them out.
 * DuckDB goes through a text letter by letter to trim it; to look at its ends
 * costs a tenth. What begins with a blank, or with nothing, is below '!'.
 */
export function trimmedSql(text: string): string {
  const ends = ["' '", 'chr(9)', 'chr(13)'].map((blank) => `suffix(${text}, ${blank})`)
  return `CASE WHEN ${text} < '!' OR ${ends.join(' OR ')} THEN trim(${text}, ' ' || chr(9) || chr(13)) ELSE ${text} END`
}

/** A time in seconds, or a number as it is. */
export function numberSql(column: FileColumn): string {
  const name = sqlName(column.name)
  return kindOf(column) === 'number' ? `CAST(${name} AS DOUBLE)` : `epoch_us(${name}) / 1e6`
}

const outcomes = [...new Set(outcomeWords.values())]

/** The `changed` column as outcomes; its text only where it says none of them. */
export class OutcomeColumn {
  readonly #codes = new ChunkNumbers()
  #texts: DuckDbVector = nothing

  constructor(column: FileColumn, { from }: { from: Selection }) {
    const text = `CAST(${sqlName(column.name)} AS VARCHAR)`
    const code = outcomeSql(column, (outcome) => outcomes.indexOf(outcome))
    from.add(`CAST(${code} AS TINYINT)`, this.#codes.take)
    from.add(`CASE WHEN ${code} IS NULL THEN ${text} END`, (vector) => {
      this.#texts = vector
    })
  }

  outcome(row: number): Outcome | undefined {
    const code = this.#codes.at(row)
    return code === null ? undefined : outcomes[code]
  }

  text(row: number): string | null {
    return this.outcome(row) ?? (this.#texts.getItem(row) as string | null)
  }
}
