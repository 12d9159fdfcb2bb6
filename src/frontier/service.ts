import type { ServerUnaryCall, ServerWritableStream, sendUnaryData } from '@grpc/grpc-js'
import { EnvironmentError, InputError, OptionError } from '../model/errors.js'
import type { Seconds } from '../model/units.js'
import { HeldBytes } from './flow-control.js'
import { getUrls, listUrls } from './get-urls.js'
import { inTime } from './in-time.js'
import { ItemCommits } from './item-commits.js'
import { ItemWriter, type WriterParts } from './item-writer.js'
import { putDiscovered, putUrls } from './put-urls.js'
import { type CallParts, nodeRole, queueCalls } from './queue-calls.js'
import { loadWire, type QueueParams, type Wire } from './wire.js'

/** Everything a frontier runs on; nothing in it is opened here. */
export interface FrontierParts extends WriterParts {
  /** Names this process to the store, and its version. */
  readonly worker: string
  readonly version: string
}

export interface FrontierOptions {
  /** 127.0.0.1 by default. */
  readonly host?: string
  /** 0 takes any free one; 7071 by default. */
  readonly port?: number
}

/** A frontier that listens. */
export interface Frontier {
  /** Such as 127.0.0.1:7071. */
  readonly address: string
  /** Stores what has come, and ends. */
  close(): Promise<void>
}

export const usualPort = 7071
/** A message of a client, such as an item with its metadata. */
const longestMessage = 4 * 1024 * 1024
/** Calls of one connection at a time. */
const mostCalls = 1_000
const signEvery: Seconds = 5
/** Milliseconds for answers that are on their way when the service ends. */
const lastAnswers = 100

/** Opens the service `urlfrontier.URLFrontier`, without encryption: the API knows neither keys nor users. */
export async function openFrontier(
  parts: FrontierParts,
  { host = '127.0.0.1', port = usualPort }: FrontierOptions = {},
): Promise<Frontier> {
  const wire = await loadWire()
  const writer = new ItemWriter(parts)
  const commits = new ItemCommits((items) => writer.commit(items))
  const server = new wire.grpc.Server({
    'grpc.max_receive_message_length': longestMessage,
    'grpc.max_concurrent_streams': mostCalls,
    // A client that vanished without a word is found out within a minute or so.
    'grpc.keepalive_time_ms': 60_000,
    'grpc.keepalive_timeout_ms': 20_000,
  })
  const put = { commits, held: new HeldBytes(), metrics: parts.metrics }
  let address = ''
  const calls = new CallAnswers({ ...parts, address: () => address }, wire)
  server.addService(wire.service, {
    PutURLs: (call: Parameters<typeof putUrls>[0]) => putUrls(call, put),
    PutDiscovered: (call: Parameters<typeof putDiscovered>[0]) => putDiscovered(call, put),
    GetURLs: calls.stream(getUrls),
    ListURLs: calls.stream(listUrls),
    ...Object.fromEntries(Object.keys(queueCalls).map((name) => [name, calls.unary(name)])),
  })
  const at = await listening(wire, server, host, port)
  address = `${host.includes(':') ? `[${host}]` : host}:${at}`
  const end = new AbortController()
  const signs = giveSigns(parts, { role: nodeRole(address), signal: end.signal })
  return {
    address,
    async close() {
      end.abort()
      // Clients have their streams open for ever: what has come is stored, then they are cut.
      const over = new Promise<void>((resolve) => server.tryShutdown(() => resolve()))
      await commits.settled()
      const soon = setTimeout(() => server.forceShutdown(), lastAnswers)
      await over.finally(() => clearTimeout(soon))
      commits.close()
      await signs
    },
  }
}

/** Answers calls, and says what went wrong in the words of gRPC. */
class CallAnswers {
  readonly #parts: FrontierParts & CallParts
  readonly #wire: Wire

  constructor(parts: FrontierParts & CallParts, wire: Wire) {
    this.#parts = parts
    this.#wire = wire
  }

  unary(name: string) {
    const answer = queueCalls[name]!
    return async (call: ServerUnaryCall<QueueParams, object>, reply: sendUnaryData<object>) => {
      const { status } = this.#wire.grpc
      try {
        const found = await inTime(answer(call.request, this.#parts))
        if (found !== null) reply(null, found)
        else reply({ code: status.NOT_FOUND, details: 'there is no such address' })
      } catch (error) {
        reply(this.#fault(name, error))
      }
    }
  }

  stream<Request, Answer>(
    answer: (call: ServerWritableStream<Request, Answer>, parts: FrontierParts) => Promise<void>,
  ) {
    return async (call: ServerWritableStream<Request, Answer>) => {
      call.on('error', () => {})
      try {
        await answer(call, this.#parts)
        call.end()
      } catch (error) {
        call.emit('error', this.#fault(call.getPath(), error))
      }
    }
  }

  #fault(name: string, error: unknown): { code: number; details: string } {
    const { status } = this.#wire.grpc
    const details = error instanceof Error ? error.message : String(error)
    if (error instanceof OptionError || error instanceof InputError)
      return { code: status.INVALID_ARGUMENT, details }
    this.#parts.log.warn(`${name}: ${details}`)
    if (error instanceof EnvironmentError) return { code: status.UNAVAILABLE, details }
    return { code: status.INTERNAL, details }
  }
}

function listening(
  wire: Wire,
  server: Wire['grpc']['Server']['prototype'],
  host: string,
  port: number,
): Promise<number> {
  const name = host.includes(':') ? `[${host}]` : host
  return new Promise((resolve, reject) => {
    const insecure = wire.grpc.ServerCredentials.createInsecure()
    server.bindAsync(`${name}:${port}`, insecure, (error, bound) => {
      if (error === null) return resolve(bound)
      const message = `the frontier cannot listen on ${name}:${port}; choose another address with --grpc`
      reject(new EnvironmentError('cannot-listen', message, { cause: error }))
    })
  })
}

/** That this node lives, for `ListNodes` and `revisit status`. */
async function giveSigns(
  { store, clock, worker, version, log }: FrontierParts,
  { role, signal }: { readonly role: string; readonly signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const sign = { name: worker, role, version, now: clock.now() }
    await store.noteWorker(sign).catch((error: Error) => log.warn(error.message))
    await clock.sleep(signEvery, signal)
  }
  await store.releaseWorker(worker).catch(() => {})
}
