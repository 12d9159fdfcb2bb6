import { Worker } from 'node:worker_threads'
import { type CarriedError, PageError, RevisitError, revive } from '../../model/errors.js'
import type { Seconds } from '../../model/units.js'

export interface CallMessage {
  readonly module: string
  readonly name: string
  readonly args: readonly unknown[]
}

export type CallReply =
  | { readonly kind: 'begun' }
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: CarriedError }
  | { readonly kind: 'fault'; readonly message: string }

/** A function that a module exports; it takes and gives what can be copied between threads. */
export interface BoundedWork {
  /** The module's `import.meta.url`. */
  readonly module: string
  readonly name: string
  /** Made when its turn comes: what waits must not be held twice. */
  readonly given: () => BoundedArguments
  readonly time?: Seconds
}

export interface BoundedArguments {
  readonly args: readonly unknown[]
  /** Buffers in the arguments that are given away. */
  readonly transfer?: readonly ArrayBuffer[]
}

export interface BoundedCallsOptions {
  readonly threads?: number
  /** Of one call. */
  readonly time?: Seconds
  /** For a thread to come to a call: it starts, and loads the module; or it is still at what it should have ended. */
  readonly beginTime?: Seconds
  /** Heap of a thread, in mebibytes. */
  readonly memory?: number
}

interface Waiting {
  readonly work: BoundedWork
  readonly resolve: (result: unknown) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Calls that may take for ever, on threads that are terminated when they
 * overrun their time or memory: what one page holds must not stop the others.
 * A thread makes one call at a time; the others wait here, so that ending it
 * loses nobody else's work. Threads start at the first call and keep no
 * process alive. Only in the built package: Node 20 runs no TypeScript in a
 * thread, so from source the calls are made in place, without limits.
 */
export class BoundedCalls {
  readonly #limits: Required<BoundedCallsOptions>
  readonly #queue: Waiting[] = []
  readonly #idle: CallThread[] = []
  readonly #threads = new Set<CallThread>()
  #closed = false

  constructor({ threads = 2, time = 5, beginTime = 30, memory = 512 }: BoundedCallsOptions = {}) {
    this.#limits = { threads, time, beginTime, memory }
  }

  /** Rejects with a PageError where it fails or goes beyond its limits. */
  call<T>(work: BoundedWork): Promise<T> {
    if (isSource) return inPlace(work)
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(unreadable('reading has been closed'))
      this.#queue.push({ work, resolve: resolve as (result: unknown) => void, reject })
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { reject } of this.#queue.splice(0)) reject(unreadable('reading has been closed'))
    await Promise.all([...this.#threads].map((thread) => thread.end()))
  }

  #next(): void {
    while (this.#queue.length > 0) {
      const thread = this.#rested() ?? this.#started()
      if (thread === undefined) return
      const waiting = this.#queue.shift()!
      const { work, resolve, reject } = waiting
      thread
        .make(work, { time: work.time ?? this.#limits.time, beginTime: this.#limits.beginTime })
        .then(resolve, (error: unknown) => {
          // Nothing of it was made, for what another had left there: it is the next one's.
          if (thread.isLeftOver && !this.#closed) this.#queue.unshift(waiting)
          else reject(error)
        })
        .finally(() => {
          if (thread.isOver) this.#threads.delete(thread)
          else this.#idle.push(thread)
          this.#next()
        })
    }
  }

  /** A thread without a call; one that ended meanwhile, by what a call had left running, is none. */
  #rested(): CallThread | undefined {
    for (;;) {
      const thread = this.#idle.pop()
      if (thread === undefined || !thread.isOver) return thread
      this.#threads.delete(thread)
    }
  }

  #started(): CallThread | undefined {
    const { threads, memory } = this.#limits
    if (this.#closed || this.#threads.size >= threads) return undefined
    const thread = new CallThread(memory)
    this.#threads.add(thread)
    return thread
  }
}

/** One thread and the call it makes. */
class CallThread {
  readonly #worker: Worker
  readonly #memory: number
  #settle: ((reply: CallReply) => void) | undefined
  #calls = 0
  #hasBegun = false
  isOver = false

  constructor(memory: number) {
    this.#memory = memory
    this.#worker = new Worker(new URL('./call-thread.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 64 },
    })
    this.#worker.unref()
    this.#worker.on('message', (reply: CallReply) => this.#settle?.(reply))
    this.#worker.on('error', (error) => this.#ended(this.#reasonOf(error)))
    this.#worker.on('exit', () => this.#ended('its reading was broken off'))
  }

  /** Whether it ended before it came to its call, by what one before had left running. */
  get isLeftOver(): boolean {
    return this.isOver && this.#calls > 1 && !this.#hasBegun
  }

  make(
    work: BoundedWork,
    { time, beginTime }: { readonly time: Seconds; readonly beginTime: Seconds },
  ): Promise<unknown> {
    const { module, name, given } = work
    this.#calls++
    this.#hasBegun = false
    this.#worker.ref()
    return new Promise((resolve, reject) => {
      const within = (most: Seconds, what: string) =>
        setTimeout(() => {
          this.#ended(`${what} took longer than ${most} s`)
          void this.end()
        }, most * 1000)
      let timer = within(beginTime, 'the thread for reading it')
      this.#settle = (reply) => {
        clearTimeout(timer)
        if (reply.kind === 'begun') {
          this.#hasBegun = true
          timer = within(time, 'reading it')
          return
        }
        this.#settle = undefined
        this.#worker.unref()
        if (reply.kind === 'result') resolve(reply.result)
        else reject(reply.kind === 'error' ? revive(reply.error) : unreadable(plain(reply.message)))
      }
      try {
        const { args, transfer = [] } = given()
        this.#worker.postMessage({ module, name, args } satisfies CallMessage, [...transfer])
      } catch (error) {
        this.#settle({ kind: 'fault', message: String(error) })
      }
    })
  }

  async end(): Promise<void> {
    this.isOver = true
    await this.#worker.terminate()
  }

  #ended(message: string): void {
    this.isOver = true
    this.#settle?.({ kind: 'fault', message })
  }

  #reasonOf(error: unknown): string {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ERR_WORKER_OUT_OF_MEMORY'
      ? `reading it took more than ${this.#memory} MiB of memory`
      : message
  }
}

const isSource = import.meta.url.endsWith('.ts')

async function inPlace<T>({ module, name, given }: BoundedWork): Promise<T> {
  const work = ((await import(module)) as Record<string, unknown>)[name]
  try {
    return await (work as (...args: readonly unknown[]) => Promise<T>)(...given().args)
  } catch (error) {
    throw pageError(error)
  }
}

/** What went wrong while one page was read, as its own fault; errors of ours as they are. */
function pageError(error: unknown): Error {
  if (error instanceof RevisitError) return error
  return unreadable(plain(error instanceof Error ? error.message : String(error)))
}

function unreadable(message: string): PageError {
  return new PageError('unreadable', message)
}

/** Messages of the engine may hold a piece of the page. */
function plain(message: string): string {
  return message.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').slice(0, 200)
}
