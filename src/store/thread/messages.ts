import type { CarriedError, FileStore } from '../../model/index.js'

/** What a caller asks of the store on its thread. */
export interface Call {
  readonly id: number
  readonly method: keyof FileStore
  readonly args: readonly unknown[]
}

/** What came of it. */
export type Reply = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly error: CarriedError }
  /** A fault of the code, not of the world. */
  | { readonly fault: string }
)
