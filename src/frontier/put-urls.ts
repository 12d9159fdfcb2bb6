import type { ServerDuplexStream } from '@grpc/grpc-js'
import { FlowControl, type HeldBytes } from './flow-control.js'
import type { ItemCommits } from './item-commits.js'
import { discoveredOf, itemOf } from './items.js'
import type { FrontierMetrics } from './metrics.js'
import {
  type AckMessage,
  type AckStatus,
  ackStatus,
  type BatchAck,
  type DiscoveredBatch,
  type Received,
  type UrlItem,
} from './wire.js'

interface PutParts {
  readonly commits: ItemCommits
  readonly held: HeldBytes
  readonly metrics: FrontierMetrics
}

type Stream<Message, Answer> = ServerDuplexStream<Received<Message>, Answer>

/** Takes items for as long as the client sends some; each is answered once it is stored. */
export function putUrls(call: Stream<UrlItem, AckMessage>, parts: PutParts): void {
  const stream = new PutStream(call, parts)
  call.on('data', ({ message, bytes }: Received<UrlItem>) => {
    const item = itemOf(message)
    const kind = item?.kind ?? 'unreadable'
    // A blank ID is answered with the address, also where that is none.
    const info = message.known?.info ?? message.discovered?.info
    const ID = message.ID === undefined || message.ID === '' ? (info?.url ?? '') : message.ID
    stream.taken(1, bytes)
    const answer = (status: AckStatus) => {
      parts.metrics.put(kind, status)
      stream.answer({ ID, status }, 1, bytes)
    }
    if (item === null) answer(ackStatus.skipped)
    else parts.commits.put(item, answer)
  })
}

/** The same for addresses that were found, many in a message; an empty one asks whether the call is there. */
export function putDiscovered(call: Stream<DiscoveredBatch, BatchAck>, parts: PutParts): void {
  const stream = new PutStream(call, parts)
  call.on('data', ({ message, bytes }: Received<DiscoveredBatch>) => {
    const { ID = '', items = [] } = message
    const statuses: AckStatus[] = items.map(() => ackStatus.skipped)
    let open = items.length
    stream.taken(Math.max(1, items.length), bytes)
    const done = () => stream.answer({ ID, statuses }, Math.max(1, items.length), bytes)
    if (open === 0) done()
    for (const [at, info] of items.entries()) {
      const item = discoveredOf(info)
      const answer = (status: AckStatus) => {
        parts.metrics.put(item?.kind ?? 'unreadable', status)
        statuses[at] = status
        open--
        if (open === 0) done()
      }
      if (item === null) answer(ackStatus.skipped)
      else parts.commits.put(item, answer)
    }
  })
}

/** A stream of items and answers: it ends when the client ends it and all is answered, and for no other reason. */
class PutStream<Answer> {
  readonly #call: Stream<unknown, Answer>
  readonly #flow: FlowControl
  readonly #metrics: FrontierMetrics
  /** The client has sent all. */
  #isOver = false
  #isGone = false

  constructor(call: Stream<never, Answer>, { held, metrics }: PutParts) {
    this.#call = call
    this.#metrics = metrics
    this.#flow = new FlowControl(call, held)
    metrics.streamOpened()
    call.on('end', () => {
      this.#isOver = true
      this.#endWhenAnswered()
    })
    // Of a client that vanished: there is nobody to say it to.
    call.on('error', () => this.#gone())
    call.on('cancelled', () => this.#gone())
    call.on('close', () => this.#gone())
  }

  taken(items: number, bytes: number): void {
    this.#flow.taken(items, bytes)
  }

  answer(answer: Answer, items: number, bytes: number): void {
    if (this.#isGone) return
    this.#call.write(answer, () => {
      if (this.#isGone) return
      this.#flow.answered(items, bytes)
      this.#endWhenAnswered()
    })
  }

  #endWhenAnswered(): void {
    if (this.#isOver && this.#flow.unanswered === 0) this.#call.end()
  }

  #gone(): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#metrics.streamClosed()
    this.#flow.end()
  }
}
