import type { CarriedError, FileStore, Outbox } from '../../model/index.js'

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
