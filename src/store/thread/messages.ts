import type { CarriedError, FileStore, Outbox } from '../../model/index.js'
import type { SqliteStoreOptions } from '../sqlite/sqlite-store.js'

/** What the thread begins with. */
export interface ThreadData {
  readonly options: SqliteStoreOptions
  /** Of its `ExitGate`. */
  readonly gate: Int32Array
}

/** What a caller asks of the store on its thread. */
export type Asked = { readonly args: readonly unknown[] } & (
  | { readonly of?: never; readonly method: keyof FileStore }
  | { readonly of: 'outbox'; readonly method: keyof Outbox }
)

export type Call = Asked & { readonly id: number }

/** What came of it. */
export type Reply = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly error: CarriedError }
  /** A fault of the code, not of the world. */
  | { readonly fault: string }
)
