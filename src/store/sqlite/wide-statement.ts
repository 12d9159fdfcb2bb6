import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { type Expression, type RawBuilder, sql } from 'kysely'
import { type Build, type Slots, Statement } from './statement.js'

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
