import { Worker } from 'node:worker_threads'
import { type CarriedError, EnvironmentError, revive } from '../../model/errors.js'
import type { Inbox } from '../../model/inbox.js'
import type { Outbox } from '../../model/outbox.js'
import type { Queues } from '../../model/queue.js'
import type { FileStore } from '../../model/store.js'
import type { SqliteStoreOptions } from '../sqlite/store.js'

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
  | { readonly of: 'inbox'; readonly method: keyof Inbox }
  | { readonly of: 'queues'; readonly method: keyof Queues }
)

export type Call = Asked & { readonly id: number }

/** What came of it. */
export type Reply = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly error: CarriedError }
  /** A fault of the code, not of its environment. */
  | { readonly fault: string }
)

/** What both threads see: how many calls are under way, and whether the process is about to end. */
const underWay = 0
const ending = 1

/** A process that ends waits for its stores, in milliseconds, at most. */
const longestWait = 5000

/** Of the stores that this process has open. */
const gates = new Set<ExitGate>()

/**
 * Lets the process end between two calls of a store's thread, not in the midst
 * of one: a thread that is stopped within SQLite's driver takes the process
 * down with it, by a signal instead of the exit code that was meant. The side
 * that calls.
 */
export class ExitGate {
  /** For the other side. Its first call is to open the store. */
  readonly cells = new Int32Array(new SharedArrayBuffer(8)).fill(1, underWay, ending)

  constructor() {
    if (gates.size === 0) process.on('exit', waitForAll)
    gates.add(this)
  }

  /** The thread has ended. */
  remove(): void {
    gates.delete(this)
    if (gates.size === 0) process.off('exit', waitForAll)
  }

  /** Begins no call any more; false if one is still under way by then. */
  close({ until }: { readonly until: number }): boolean {
    Atomics.store(this.cells, ending, 1)
    for (;;) {
      const calls = Atomics.load(this.cells, underWay)
      const left = until - performance.now()
      if (calls === 0 || left <= 0) return calls === 0
      Atomics.wait(this.cells, underWay, calls, left)
    }
  }
}

function waitForAll(): void {
  const until = performance.now() + longestWait
  for (const gate of gates) gate.close({ until })
}

/** The side that is called. */
export class CountedCalls {
  readonly #cells: Int32Array

  constructor(cells: Int32Array) {
    this.#cells = cells
  }

  /** False where the process ends: then nothing is to be begun. Counted first, so that one side sees the other. */
  begin(): boolean {
    Atomics.add(this.#cells, underWay, 1)
    if (Atomics.load(this.#cells, ending) === 0) return true
    this.end()
    return false
  }

  end(): void {
    Atomics.sub(this.#cells, underWay, 1)
    Atomics.notify(this.#cells, underWay)
  }
}

interface Pending {
  readonly resolve: (result: unknown) => void
  readonly reject: (reason: unknown) => void
}

/** Calls to a thread and their answers. It keeps the process alive only while it owes one. */
export class CalledThread {
  readonly #worker: Worker
  readonly #gate = new ExitGate()
  readonly #pending = new Map<number, Pending>()
  #calls = 0
  #ended: Error | undefined

  constructor(file: URL, options: SqliteStoreOptions) {
    const data: ThreadData = { options, gate: this.#gate.cells }
    this.#worker = new Worker(file, { workerData: data })
    this.#worker.unref()
    this.#worker.on('message', (reply: Reply) => this.#settle(reply))
    this.#worker.on('error', (cause) => this.#end(stopped(cause)))
    this.#worker.on('exit', () => {
      this.#gate.remove()
      this.#end(new EnvironmentError('store-closed', 'the store has been closed; open it again'))
    })
  }

  call<T>(asked: Asked, transfer: readonly ArrayBuffer[] = []): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended)
      const id = ++this.#calls
      if (this.#pending.size === 0) this.#worker.ref()
      this.#pending.set(id, { resolve: resolve as Pending['resolve'], reject })
      this.#worker.postMessage({ ...asked, id } satisfies Call, [...transfer])
    })
  }

  #settle(reply: Reply): void {
    const pending = this.#pending.get(reply.id)
    this.#pending.delete(reply.id)
    if (this.#pending.size === 0) this.#worker.unref()
    if ('result' in reply) pending?.resolve(reply.result)
    else pending?.reject('error' in reply ? revive(reply.error) : new Error(reply.fault))
  }

  #end(reason: Error): void {
    this.#ended ??= reason
    for (const { reject } of this.#pending.values()) reject(this.#ended)
    this.#pending.clear()
  }
}

function stopped(cause: unknown): EnvironmentError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new EnvironmentError(
    'store-stopped',
    `the store's thread stopped (${why}); open it again`,
    {
      cause,
    },
  )
}

/** What of a store, or of a part of it, is no call. */
type NoCalls<T> = {
  readonly [Name in keyof T as T[Name] extends (...args: never[]) => Promise<unknown>
    ? never
    : Name]: T[Name]
}

/** An object whose functions make the calls, but for what it is given. It can be awaited: it has no `then`. */
export function calls<T extends object>(
  call: (name: keyof T, args: readonly unknown[]) => Promise<unknown>,
  own: NoCalls<T> & Partial<T>,
): T {
  const get = (given: object, name: string | symbol) => {
    const value: unknown = Reflect.get(given, name)
    if (value !== undefined || typeof name === 'symbol' || name === 'then') return value
    return (...args: readonly unknown[]) => call(name as keyof T, args)
  }
  return new Proxy(own, { get }) as T
}
