import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import {
  type CompiledQuery,
  DummyDriver,
  type Expression,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import { packNumbers } from '../../packed-numbers.js'
import type { Cell, Tables } from '../../schema.js'

/**
 * Builds queries and runs none: they run as prepared statements, at once, so
 * that a transaction is one turn of the event loop and nothing comes between.
 */
export const queries = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

export type SqlValue = null | number | string | Uint8Array
/** By name; or in their order, which is quicker where there are many. */
type Slots = Readonly<Record<string, SqlValue>> | readonly SqlValue[]

/** A cell as the file holds it: a learner's numbers packed. */
export function fileCell(cell: Cell): SqlValue {
  return cell instanceof Float64Array ? packNumbers(cell) : cell
}

/** Anything Kysely can turn into SQL: a query, or a `sql` template. */
export interface Compilable<Row> {
  compile(db: Kysely<Tables>): CompiledQuery<Row>
}

/** Where a value goes that is known only when the statement runs; it fits any column. */
export type SlotOf = (name: string) => never

export type Build<Row> = (db: Kysely<Tables>, slot: SlotOf) => Compilable<Row>

class Slot {
  constructor(readonly name: string) {}
}

/** A query compiled once, with named slots for its values. */
export class Statement<Row> {
  readonly #prepared: StatementSyncInstance
  /** In their order: the name of a slot, or a value that is always the same. */
  readonly #names: readonly (string | undefined)[]
  readonly #constants: readonly unknown[]

  constructor(
    db: DatabaseSyncInstance,
    build: Build<Row>,
    { arrays = false }: { readonly arrays?: boolean } = {},
  ) {
    const compiled = build(queries, (name) => new Slot(name) as never).compile(queries)
    this.#prepared = db.prepare(compiled.sql)
    this.#prepared.setReturnArrays(arrays)
    this.#constants = compiled.parameters
    this.#names = compiled.parameters.map((each) => (each instanceof Slot ? each.name : undefined))
  }

  all(slots: Slots = {}): Row[] {
    return this.#prepared.all(...this.#values(slots))
  }

  first(slots: Slots = {}): Row | undefined {
    return this.#prepared.get(...this.#values(slots))
  }

  /** Changes rows, where nobody asks how many: `run` makes an object of it, a tenth of the time of a small change. */
  execute(slots: Slots = {}): void {
    this.#prepared.get(...this.#values(slots))
  }

  /** How many rows it changed. */
  run(slots: Slots = {}): number {
    return this.#prepared.run(...this.#values(slots)).changes
  }

  /** The id of the row it added. */
  insert(slots: Slots = {}): number {
    return Number(this.#prepared.run(...this.#values(slots)).lastInsertRowid)
  }

  /** The same where a row like it may be there already; undefined if it was, and none was added. */
  insertNew(slots: Slots = {}): number | undefined {
    const { changes, lastInsertRowid } = this.#prepared.run(...this.#values(slots))
    return changes === 0 ? undefined : Number(lastInsertRowid)
  }

  #values(slots: Slots): readonly unknown[] {
    if (isList(slots)) return slots
    const names = this.#names
    const values = new Array<unknown>(names.length)
    for (let at = 0; at < names.length; at++) {
      const name = names[at]
      const value = name === undefined ? this.#constants[at] : slots[name]
      if (value === undefined) throw new TypeError(`no value for the slot ${name}`)
      values[at] = value
    }
    return values
  }
}

function isList(slots: Slots): slots is readonly SqlValue[] {
  return Array.isArray(slots)
}

/**
 * Where rows of many columns arrive, each as the arguments of one call out of
 * SQLite. The driver's own arrays are filled value by value, two looks at the
 * row and one generic store for each: for the columns of a page three times as
 * long as this call. Nothing else runs meanwhile: the call comes from within
 * our own, and promises and ticks wait until that is over (hooks of async_hooks
 * do not).
 */
export class RowSink {
  #rows: unknown[][] = []

  constructor(db: DatabaseSyncInstance) {
    db.function('revisit_row', { varargs: true }, (...row: unknown[]) => this.#rows.push(row) - 1)
  }

  /** The rows that arrive while this runs. */
  during(run: () => void): unknown[][] {
    this.#rows = []
    try {
      run()
      return this.#rows
    } finally {
      this.#rows = []
    }
  }
}

/** Hands a row over; its value is the row's place among those of the statement. */
export function handedOver(columns: readonly Expression<unknown>[]): RawBuilder<number> {
  return sql<number>`revisit_row(${sql.join(columns)})`
}

/** A statement that hands its rows over. */
export class WideStatement<Row> {
  readonly #statement: Statement<unknown>
  readonly #sink: RowSink

  constructor(db: DatabaseSyncInstance, build: Build<Row>, sink: RowSink) {
    this.#statement = new Statement(db, build)
    this.#sink = sink
  }

  all(slots: Slots): Row[] {
    return this.#sink.during(() => this.#statement.execute(slots)) as Row[]
  }
}
