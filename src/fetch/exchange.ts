import type { Agent, Dispatcher } from 'undici'
import type { Clock, Seconds, UnixSeconds } from '../model/units.js'
import { FetchFailure } from './answer.js'
import type { BodyLimit, BytesUnderWay, CollectedBody } from './body.js'
import type { Deadline } from './deadline.js'

interface HopRequest {
  readonly method: 'GET'
  readonly origin: string
  readonly path: string
  readonly headers: Record<string, string>
}

/** The answer to one request. */
export interface HopAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** When the headers had come. */
  readonly at: UnixSeconds
  /** Null where the content was not wanted. */
  readonly body: CollectedBody | null
}

/** Whom an exchange is made for. */
export interface ExchangeUse {
  readonly agent: Agent
  readonly clock: Clock
  readonly deadline: Deadline
  readonly limit: BodyLimit
  readonly underWay: BytesUnderWay
  /** Whether the request may go out now; see `FetchOptions`. */
  maySend(): boolean
  /** By its status and headers: whether the content is to be kept. */
  wanted(status: number, headers: Readonly<Record<string, string>>): boolean
  /** Bytes of wanted content, as they come. */
  onBytes(size: number): void
  /** One of the two is called, once. */
  answered(answer: HopAnswer): void
  failed(reason: unknown): void
}

/** Of an answer without content this much is read, so that its connection can be used again. */
const leftover = 16 * 1024
/** And no longer is waited for it: the answer itself is known. */
const leftoverTime: Seconds = 1

/** One request and its answer, within the limits of time and size. */
export function exchange(request: HopRequest, use: ExchangeUse): void {
  use.agent.dispatch(request, new Exchange(use))
}

/**
 * Takes an answer from undici as it comes. Its `request` would wrap each body
 * in a stream and each limit in a signal, which costs a third of the visit.
 * Memory stays within the limit and one chunk: an endless body is broken off,
 * not read.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #use: ExchangeUse
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | undefined
  #done = false
  #head: Omit<HopAnswer, 'body'> | undefined
  #kept = false
  #size = 0
  #giveUp: NodeJS.Timeout | undefined

  constructor(use: ExchangeUse) {
    this.#use = use
    use.deadline.onReached = (reason) => this.#reached(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (!this.#done && !this.#use.maySend())
      this.#fail(new FetchFailure('aborted', 'the permission ran out before the request was sent'))
    if (this.#done) controller.abort(called)
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.#done || status < 200) return
    const { clock, deadline } = this.#use
    deadline.hopBegan()
    const plain = plainHeaders(headers)
    this.#head = { status, headers: plain, at: clock.now() }
    this.#kept = this.#use.wanted(status, plain)
    // A 304 ends with its headers, RFC 9112, 6.3: there is nothing to wait for.
    if (!this.#kept && status !== 304)
      this.#giveUp = setTimeout(() => this.#release(), leftoverTime * 1000)
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#done) return
    this.#size += chunk.length
    if (!this.#kept) {
      if (this.#size > leftover) this.#release()
      return
    }
    const { limit, deadline } = this.#use
    this.#use.onBytes(chunk.length)
    deadline.received(chunk.length)
    if (!this.#use.underWay.take(chunk.length, this.#size)) this.#noRoom()
    if (limit.whenLarger === 'cut' || this.#size <= limit.maxBytes) this.#chunks.push(chunk)
    if (this.#size > limit.maxBytes) this.#tooLarge(limit)
  }

  onResponseEnd(): void {
    if (this.#done || this.#head === undefined) return
    this.#answer(false)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    // What goes wrong with content that is not wanted changes nothing.
    if (this.#head !== undefined && !this.#kept) this.#answer(false)
    else this.#fail(error)
  }

  #tooLarge({ maxBytes, whenLarger }: BodyLimit): void {
    if (whenLarger === 'cut') this.#answer(true)
    else this.#fail(new FetchFailure('too-large', `the content is larger than ${maxBytes} bytes`))
    this.#controller?.abort(called)
  }

  #noRoom(): void {
    this.#fail(new FetchFailure('aborted', 'too much was being received at once'))
    this.#controller?.abort(called)
  }

  #release(): void {
    this.#answer(false)
    this.#controller?.abort(called)
  }

  #reached(reason: unknown): void {
    if (this.#done) return
    this.#fail(reason)
    this.#controller?.abort(called)
  }

  #answer(cut: boolean): void {
    if (!this.#end()) return
    const body = this.#kept ? this.#collected(cut) : null
    const { status, headers, at } = this.#head!
    this.#use.answered({ status, headers, at, body })
  }

  #fail(reason: unknown): void {
    if (this.#end()) this.#use.failed(reason)
  }

  #end(): boolean {
    if (this.#done) return false
    this.#done = true
    if (this.#kept) this.#use.underWay.giveBack(this.#size)
    this.#use.deadline.onReached = undefined
    clearTimeout(this.#giveUp)
    return true
  }

  #collected(cut: boolean): CollectedBody {
    const chunks = this.#chunks
    const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    return { bytes: cut ? bytes.subarray(0, this.#use.limit.maxBytes) : bytes, cut }
  }
}

/** For undici alone: we know already how the exchange ended. */
const called = new FetchFailure('aborted', 'the exchange was broken off')

/** Each with one text; the object that came is taken where nothing in it is to be joined. */
function plainHeaders(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string> {
  for (const name in headers) if (typeof headers[name] !== 'string') return joinedHeaders(headers)
  return headers as Record<string, string>
}

function joinedHeaders(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined) continue
    if (!Array.isArray(value)) plain[name] = value
    // Of two ways to go on, the first.
    else plain[name] = name === 'location' ? value[0]! : value.join(', ')
  }
  return plain
}
