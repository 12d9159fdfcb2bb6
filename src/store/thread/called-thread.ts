import { Worker } from 'node:worker_threads'
import { EnvironmentError, revive } from '../../model/index.js'
import type { SqliteStoreOptions } from '../sqlite/sqlite-store.js'
import { ExitGate } from './exit-gate.js'
import type { Asked, Call, Reply, ThreadData } from './messages.js'

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
