import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { EnvironmentError } from '../../../model/errors.js'
import { databaseFault, type FilePlace, tornParts } from './file-state.js'
import {
  type Build,
  type Compilable,
  queries,
  RowSink,
  Statement,
  WideStatement,
} from './statement.js'

/** An open file: statements and transactions, with errors a person understands. */
export class Database {
  readonly path: string
  readonly #db: DatabaseSyncInstance
  /** Whether a commit waits for the disk. */
  readonly #synced: boolean
  /** Where the file is; not looked at where nothing of it must outlive the process. */
  readonly #place: FilePlace | undefined
  readonly #forget: (() => void)[] = []
  readonly #otherWrite: (() => void)[] = []
  readonly #version: StatementSyncInstance
  /** Changes when another connection has written. */
  #lastVersion: unknown
  /** Statements of queries that differ from call to call, by their text: there are few kinds. */
  readonly #kinds = new Map<string, StatementSyncInstance>()
  #sink: RowSink | undefined
  #open = true

  constructor(
    db: DatabaseSyncInstance,
    path: string,
    { synced = true, place }: { readonly synced?: boolean; readonly place?: FilePlace } = {},
  ) {
    this.#db = db
    this.path = path
    this.#place = place
    this.#synced = synced
    this.#execute(`pragma synchronous = ${synced ? 'full' : 'off'}`)
    this.#version = db.prepare('pragma data_version')
    this.#version.setReturnArrays(true)
  }

  /** A statement that is compiled when it is first needed. */
  statement<Row>(build: Build<Row>, options?: { readonly arrays?: boolean }): () => Statement<Row> {
    let made: Statement<Row> | undefined
    return () => {
      made ??= new Statement(this.#db, build, options)
      return made
    }
  }

  /** The same for one that hands its rows over: many, and of many columns. */
  wideStatement<Row>(build: Build<Row>): () => WideStatement<Row> {
    let made: WideStatement<Row> | undefined
    return () => {
      this.#sink ??= new RowSink(this.#db)
      made ??= new WideStatement(this.#db, build, this.#sink)
      return made
    }
  }

  /** The rows of a query made for this call. */
  once<Row>(query: Compilable<Row>, { arrays = false }: { readonly arrays?: boolean } = {}): Row[] {
    const { sql, parameters } = query.compile(queries)
    const kind = this.#kinds.get(sql) ?? this.#db.prepare(sql)
    this.#kinds.set(sql, kind)
    kind.setReturnArrays(arrays)
    return kind.all(...parameters)
  }

  /** Called after a transaction was undone, so that nothing remembers what it had written. */
  onUndo(forget: () => void): void {
    this.#forget.push(forget)
  }

  /** One statement needs no transaction of its own making: it is one. */
  readOne<T>(work: () => T): T {
    this.#checkOpen()
    try {
      return work()
    } catch (cause) {
      throw databaseFault(cause, this.path)
    }
  }

  /** Reads that belong together see one state of the store. */
  read<T>(work: () => T): T {
    return this.#transact('begin', work)
  }

  /** What SQLite's own check of the whole file finds wrong; a transaction around it could not end. */
  torn(): string[] {
    return this.readOne(() => tornParts(this.#db, 'integrity_check'))
  }

  /** Called when something was written that may have touched pages or leases, here or by another process. */
  onOtherWrite(forget: () => void): void {
    this.#otherWrite.push(forget)
  }

  /** All of it or none, and synced before this returns. */
  write<T>(work: () => T): T {
    this.#othersWrote()
    return this.#transact('begin immediate', () => this.#inPlace(work))
  }

  /** The same for what touches no page or lease, or keeps count of those it touches. */
  writeBeside<T>(work: () => T): T {
    return this.#transact('begin immediate', () => {
      this.#place?.check()
      const [version] = this.#version.get() as [unknown]
      if (version !== this.#lastVersion) this.#othersWrote()
      this.#lastVersion = version
      return work()
    })
  }

  /**
   * All of it or none; survives the process but not the power. For leases: with
   * the power all workers are gone too, and waiting for the disk would halve
   * the speed of the frontier.
   */
  writeLightly<T>(work: () => T, { beside = false }: { readonly beside?: boolean } = {}): T {
    if (!this.#synced) return beside ? this.writeBeside(work) : this.write(work)
    this.#execute('pragma synchronous = normal')
    try {
      return beside ? this.writeBeside(work) : this.write(work)
    } finally {
      this.#execute('pragma synchronous = full')
    }
  }

  /** Throws where the file is no longer the one that was opened, and what was written to it so is lost. */
  checkPlace(): void {
    this.#place?.check()
  }

  /**
   * Leaves one file without a log, if no other process is at work on it. The
   * library frees statements only with the garbage, and a closed connection
   * lives on with them: going back to a plain journal lets go of the log now.
   * Whether it was open.
   */
  close(): boolean {
    if (!this.#open) return false
    this.#open = false
    try {
      this.#db.exec('pragma busy_timeout = 0; pragma journal_mode = delete')
    } catch {
      // Another process goes on with the log, or the file cannot be written: either way it stays whole.
    }
    this.#db.close()
    return true
  }

  #inPlace<T>(work: () => T): T {
    this.#place?.check()
    return work()
  }

  #transact<T>(begin: string, work: () => T): T {
    this.#execute(begin)
    try {
      const result = work()
      this.#db.exec('commit')
      return result
    } catch (cause) {
      this.#undo()
      throw databaseFault(cause, this.path)
    }
  }

  #othersWrote(): void {
    for (const forget of this.#otherWrite) forget()
  }

  /** Some failures, such as a full disk, have undone the transaction already. */
  #undo(): void {
    for (const forget of this.#forget) forget()
    this.#othersWrote()
    if (this.#db.isTransaction) this.#db.exec('rollback')
  }

  #checkOpen(): void {
    if (!this.#open)
      throw new EnvironmentError('store-closed', `${this.path} has been closed; open it again`)
  }

  #execute(sql: string): void {
    this.#checkOpen()
    try {
      this.#db.exec(sql)
    } catch (cause) {
      throw databaseFault(cause, this.path)
    }
  }
}
