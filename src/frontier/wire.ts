import { fileURLToPath } from 'node:url'
import type * as Grpc from '@grpc/grpc-js'
import { EnvironmentError } from '../model/errors.js'

/** What a library of gRPC gives us of `urlfrontier.proto`: names as written there, numbers as numbers. What a client left out is its default or undefined. */

export interface StringList {
  readonly values?: readonly string[]
}

export interface UrlInfo {
  readonly url?: string
  readonly key?: string
  readonly metadata?: Readonly<Record<string, StringList>>
  readonly crawlID?: string
}

export interface UrlItem {
  readonly discovered?: { readonly info?: UrlInfo | null } | null
  readonly known?: {
    readonly info?: UrlInfo | null
    readonly refetchable_from_date?: number
  } | null
  readonly ID?: string
  readonly creation_date?: number
}

export interface DiscoveredBatch {
  readonly ID?: string
  readonly items?: readonly UrlInfo[]
}

/** `AckMessage.Status`. */
export const ackStatus = { ok: 0, skipped: 1, fail: 2 } as const
export type AckStatus = (typeof ackStatus)[keyof typeof ackStatus]

export interface AckMessage {
  readonly ID: string
  readonly status: AckStatus
}

export interface BatchAck {
  readonly ID: string
  readonly statuses: readonly AckStatus[]
}

export interface GetParams {
  readonly max_urls_per_queue?: number
  readonly max_queues?: number
  readonly key?: string
  readonly delay_requestable?: number
  readonly anyCrawlID?: object
  readonly crawlID?: string
}

/** Fields of the small requests; each call has some of them. */
export interface QueueParams {
  readonly key?: string
  readonly crawlID?: string
  readonly url?: string
  readonly delay_requestable?: number
  readonly time?: number
  readonly limit?: number
  readonly start?: number
  readonly size?: number
  readonly include_inactive?: boolean
  readonly filter?: string
  readonly ignoreCase?: boolean
  readonly days?: number
  readonly value?: string
  readonly state?: boolean
  readonly package?: string
  readonly level?: number
}

/** A message that came, and how many bytes it was. A message that cannot be read is one without content. */
export interface Received<Message> {
  readonly message: Message
  readonly bytes: number
}

export interface Wire {
  readonly grpc: typeof Grpc
  /** For a server: what the messages of its streams are is `Received`. */
  readonly service: Grpc.ServiceDefinition
}

/** Streams whose messages come one by one for as long as a client lives: one that cannot be read must not end them. */
const longStreams: ReadonlySet<string> = new Set(['PutURLs', 'PutDiscovered'])

/** The gRPC library and the service's definition; both are installed with Revisit unless that was declined. */
export async function loadWire(): Promise<Wire> {
  const { grpc, loader } = await libraries()
  // What goes wrong is said in our own words; the library would write to standard error beside them.
  grpc.setLogVerbosity(grpc.logVerbosity.NONE)
  const definition = loader.loadSync(fileURLToPath(new URL('urlfrontier.proto', import.meta.url)), {
    keepCase: true,
    longs: Number,
    enums: Number,
    oneofs: true,
  })
  const declared = definition['urlfrontier.URLFrontier'] as Grpc.ServiceDefinition
  const service: Record<string, Grpc.MethodDefinition<unknown, unknown>> = {}
  for (const [name, method] of Object.entries(declared))
    service[name] = longStreams.has(name)
      ? { ...method, requestDeserialize: received(method.requestDeserialize) }
      : method
  return { grpc, service: service as Grpc.ServiceDefinition }
}

function received<Message>(read: (bytes: Buffer) => Message) {
  return (bytes: Buffer): Received<Message | Record<string, never>> => {
    try {
      return { message: read(bytes), bytes: bytes.length }
    } catch {
      return { message: {}, bytes: bytes.length }
    }
  }
}

async function libraries() {
  try {
    const [grpc, loader] = await Promise.all([
      import('@grpc/grpc-js'),
      import('@grpc/proto-loader'),
    ])
    return { grpc: 'default' in grpc ? (grpc.default as typeof Grpc) : grpc, loader }
  } catch (cause) {
    throw new EnvironmentError(
      'no-grpc',
      'the frontier speaks gRPC, and its library is not installed here; run npm install @grpc/grpc-js @grpc/proto-loader',
      { cause },
    )
  }
}
