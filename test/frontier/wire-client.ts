import { create, createFileRegistry, fromBinary, toBinary } from '@bufbuild/protobuf'
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  EnumDescriptorProtoSchema,
  type FieldDescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  MessageOptionsSchema,
  MethodDescriptorProtoSchema,
  OneofDescriptorProtoSchema,
  ServiceDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt'
import { createClient } from '@connectrpc/connect'
import { createGrpcTransport } from '@connectrpc/connect-node'

/**
 * A client that has nothing of ours: Connect's gRPC over HTTP/2, and the
 * messages from the table below, which is the API's and not our .proto.
 * `*` is repeated, `{}` a map from strings, `?` optional, `|name` in a oneof.
 */
const messages: Readonly<Record<string, readonly string[]>> = {
  Empty: [],
  AnyCrawlID: [],
  StringList: ['1 values string*'],
  URLInfo: ['1 url string', '2 key string', '3 metadata StringList{}', '4 crawlID string'],
  KnownURLItem: ['1 info URLInfo', '2 refetchable_from_date uint64'],
  DiscoveredURLItem: ['1 info URLInfo'],
  URLItem: [
    '1 discovered DiscoveredURLItem|item',
    '2 known KnownURLItem|item',
    '3 ID string',
    '4 creation_date uint64',
  ],
  AckMessage: ['1 ID string', '2 status AckMessage.Status'],
  DiscoveredBatch: ['1 ID string', '2 items URLInfo*'],
  BatchAck: ['1 ID string', '2 statuses AckMessage.Status*'],
  GetParams: [
    '1 max_urls_per_queue uint32',
    '2 max_queues uint32',
    '3 key string',
    '4 delay_requestable uint32',
    '5 anyCrawlID AnyCrawlID|item',
    '6 crawlID string|item',
  ],
  Stats: [
    '1 size uint64',
    '2 inProcess uint32',
    '3 counts uint64{}',
    '4 numberOfQueues uint64',
    '5 crawlID string',
  ],
  QueueDelayParams: [
    '1 key string',
    '2 delay_requestable uint32',
    '3 crawlID string',
    '4 local bool',
  ],
  BlockQueueParams: ['1 key string', '2 time uint64', '3 crawlID string', '4 local bool'],
  CrawlLimitParams: ['1 key string', '2 limit uint32', '3 crawlID string', '4 local bool'],
  Pagination: [
    '1 start uint32',
    '2 size uint32',
    '3 include_inactive bool',
    '4 crawlID string',
    '5 local bool',
  ],
  QueueList: [
    '1 values string*',
    '2 total uint64',
    '3 start uint32',
    '4 size uint32',
    '5 crawlID string',
  ],
  QueueWithinCrawlParams: ['1 key string', '2 crawlID string', '3 local bool'],
  URLStatusRequest: ['1 url string', '2 key string', '3 crawlID string'],
  ListUrlParams: [
    '1 start uint32',
    '2 size uint32',
    '3 key string',
    '4 crawlID string',
    '5 local bool',
    '6 filter string?',
    '7 ignoreCase bool?',
  ],
  CountUrlParams: [
    '1 key string',
    '2 crawlID string',
    '3 filter string?',
    '4 ignoreCase bool?',
    '5 local bool',
  ],
  PurgeUrlParams: ['1 key string', '2 crawlID string', '3 days uint32'],
  DeleteCrawlMessage: ['1 value string', '2 local bool'],
  Active: ['1 state bool', '2 local bool'],
  Local: ['1 local bool'],
  Boolean: ['1 state bool'],
  Long: ['1 value uint64'],
  LogLevelParams: ['1 package string', '2 level LogLevelParams.Level', '3 local bool'],
}

const enums: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  AckMessage: ['Status', ['OK', 'SKIPPED', 'FAIL']],
  LogLevelParams: ['Level', ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR']],
}

/** Name, request, answer; `*` is a stream. */
const calls = [
  'GetURLs GetParams URLInfo*',
  'PutURLs URLItem* AckMessage*',
  'PutDiscovered DiscoveredBatch* BatchAck*',
  'ListURLs ListUrlParams URLItem*',
  'ListNodes Empty StringList',
  'ListCrawls Local StringList',
  'DeleteCrawl DeleteCrawlMessage Long',
  'DeleteQueue QueueWithinCrawlParams Long',
  'ListQueues Pagination QueueList',
  'GetStats QueueWithinCrawlParams Stats',
  'BlockQueueUntil BlockQueueParams Empty',
  'SetDelay QueueDelayParams Empty',
  'SetActive Active Empty',
  'SetLogLevel LogLevelParams Empty',
  'SetCrawlLimit CrawlLimitParams Empty',
  'GetActive Local Boolean',
  'GetURLStatus URLStatusRequest URLItem',
  'CountURLs CountUrlParams Long',
  'PurgeURLs PurgeUrlParams Long',
]

const scalars: Readonly<Record<string, FieldDescriptorProto_Type>> = {
  string: FieldDescriptorProto_Type.STRING,
  bool: FieldDescriptorProto_Type.BOOL,
  uint32: FieldDescriptorProto_Type.UINT32,
  uint64: FieldDescriptorProto_Type.UINT64,
}

function typeOf(name: string) {
  const scalar = scalars[name]
  if (scalar !== undefined) return { type: scalar }
  const type = name.includes('.')
    ? FieldDescriptorProto_Type.ENUM
    : FieldDescriptorProto_Type.MESSAGE
  return { type, typeName: `.urlfrontier.${name}` }
}

function messageOf(name: string, lines: readonly string[]): DescriptorProto {
  const oneofs: string[] = []
  const nested: DescriptorProto[] = []
  const field = lines.map((line): FieldDescriptorProto => {
    const [, number, own, type, mark, oneof] =
      /^(\d+) (\w+) ([\w.]+)(\*|\{\}|\?)?(?:\|(\w+))?$/.exec(line) as unknown as [
        string,
        string,
        string,
        string,
        string | undefined,
        string | undefined,
      ]
    const made = create(FieldDescriptorProtoSchema, {
      name: own,
      number: Number(number),
      label:
        mark === '*' || mark === '{}'
          ? FieldDescriptorProto_Label.REPEATED
          : FieldDescriptorProto_Label.OPTIONAL,
      ...typeOf(type),
    })
    if (mark === '{}') {
      const entry = `${own[0]!.toUpperCase()}${own.slice(1)}Entry`
      nested.push(
        create(DescriptorProtoSchema, {
          ...messageOf(entry, ['1 key string', `2 value ${type}`]),
          options: create(MessageOptionsSchema, { mapEntry: true }),
        }),
      )
      made.type = FieldDescriptorProto_Type.MESSAGE
      made.typeName = `.urlfrontier.${name}.${entry}`
    }
    const group = mark === '?' ? `_${own}` : oneof
    if (group !== undefined) {
      if (!oneofs.includes(group)) oneofs.push(group)
      made.oneofIndex = oneofs.indexOf(group)
      made.proto3Optional = mark === '?'
    }
    return made
  })
  const [enumName, values] = enums[name] ?? []
  return create(DescriptorProtoSchema, {
    name,
    field,
    nestedType: nested,
    oneofDecl: oneofs.map((each) => create(OneofDescriptorProtoSchema, { name: each })),
    enumType:
      enumName === undefined
        ? []
        : [
            create(EnumDescriptorProtoSchema, {
              name: enumName,
              value: values!.map((each, number) => ({ name: each, number })),
            }),
          ],
  })
}

function described() {
  const file = create(FileDescriptorProtoSchema, {
    name: 'table.proto',
    package: 'urlfrontier',
    syntax: 'proto3',
    messageType: Object.entries(messages).map(([name, lines]) => messageOf(name, lines)),
    service: [
      create(ServiceDescriptorProtoSchema, {
        name: 'URLFrontier',
        method: calls.map((line) => {
          const [name, request, answer] = line.split(' ') as [string, string, string]
          return create(MethodDescriptorProtoSchema, {
            name,
            inputType: `.urlfrontier.${request.replace('*', '')}`,
            outputType: `.urlfrontier.${answer.replace('*', '')}`,
            clientStreaming: request.endsWith('*'),
            serverStreaming: answer.endsWith('*'),
          })
        }),
      }),
    ],
  })
  return createFileRegistry(create(FileDescriptorSetSchema, { file: [file] }))
}

const registry = described()
const service = registry.getService('urlfrontier.URLFrontier')!

// Messages without generated code have no types of their own: this much is used of them.
export interface SeenInfo {
  readonly url: string
  readonly key: string
  readonly crawlID: string
  readonly metadata: Readonly<Record<string, { readonly values: readonly string[] }>>
}
export interface SeenItem {
  readonly item: { readonly case?: string; readonly value?: SeenKnown }
  readonly creationDate: bigint
}
export interface SeenKnown {
  readonly info: SeenInfo
  readonly refetchableFromDate: bigint
}
export interface SeenAck {
  readonly ID: string
  readonly status: number
}
export interface SeenAnswer {
  readonly values: readonly string[]
  readonly value: bigint
  readonly state: boolean
  readonly total: bigint
  readonly start: number
  readonly size: number
  readonly crawlID: string
  readonly inProcess: number
  readonly counts: Readonly<Record<string, bigint>>
  readonly numberOfQueues: bigint
}

type Sent = Record<string, unknown>
type Small = (request: Sent) => Promise<SeenAnswer>

export interface WireClient {
  getURLs(request: Sent, options?: { signal?: AbortSignal }): AsyncIterable<SeenInfo>
  putURLs(items: AsyncIterable<Sent>, options?: { signal?: AbortSignal }): AsyncIterable<SeenAck>
  putDiscovered(
    batches: AsyncIterable<Sent>,
  ): AsyncIterable<{ readonly ID: string; readonly statuses: readonly number[] }>
  listURLs(request: Sent): AsyncIterable<SeenItem>
  getURLStatus(request: Sent): Promise<SeenItem>
  listNodes: Small
  listCrawls: Small
  deleteCrawl: Small
  deleteQueue: Small
  listQueues: Small
  getStats: Small
  blockQueueUntil: Small
  setDelay: Small
  setActive: Small
  setLogLevel: Small
  setCrawlLimit: Small
  getActive: Small
  countURLs: Small
  purgeURLs: Small
}

export const status = { OK: 0, SKIPPED: 1, FAIL: 2 } as const

export function wireClient(address: string): WireClient {
  const transport = createGrpcTransport({ baseUrl: `http://${address}` })
  return createClient(service, transport) as unknown as WireClient
}

/** All that comes. */
export async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const each of stream) found.push(each)
  return found
}

/** Items one after the other. */
export async function* some<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items
}

export function info(
  url: string,
  more: Partial<Sent> & { metadata?: Record<string, string> } = {},
) {
  const { metadata = {}, ...others } = more
  const lists = Object.entries(metadata).map(([name, value]) => [name, { values: [value] }])
  return { url, ...others, metadata: Object.fromEntries(lists) }
}

export function discovered(url: string, more: Parameters<typeof info>[1] = {}, ID = '') {
  return { ID, item: { case: 'discovered', value: { info: info(url, more) } } }
}

export function known(url: string, date: number, more: Parameters<typeof info>[1] = {}, ID = '') {
  const value = { info: info(url, more), refetchableFromDate: BigInt(Math.ceil(date)) }
  return { ID, item: { case: 'known', value } }
}

/** Sends items on one stream and gives their statuses by ID. */
export async function put(
  client: WireClient,
  items: readonly Sent[],
): Promise<Map<string, number>> {
  const acks = await all(client.putURLs(some(items)))
  return new Map(acks.map(({ ID, status: each }) => [ID, each]))
}

/** An item as the bytes that go over the wire. */
export function itemBytes(item: Sent): Uint8Array {
  const schema = registry.getMessage('urlfrontier.URLItem')!
  return toBinary(schema, create(schema, item))
}

/** The ID and the status of an acknowledgement. */
export function ackOf(bytes: Uint8Array): SeenAck {
  return fromBinary(registry.getMessage('urlfrontier.AckMessage')!, bytes) as unknown as SeenAck
}
