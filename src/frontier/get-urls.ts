import type { ServerWritableStream } from '@grpc/grpc-js'
import type { QueuedPage } from '../model/queue.js'
import type { Store } from '../model/store.js'
import type { Clock, Seconds, UnixSeconds } from '../model/units.js'
import { inTime } from './in-time.js'
import { addressOf, crawlNamed } from './items.js'
import type { FrontierMetrics } from './metrics.js'
import { handedMetadata } from './visit-metadata.js'
import type { GetParams, QueueParams, UrlInfo, UrlItem } from './wire.js'

export interface GiveParts {
  readonly store: Store
  readonly clock: Clock
  readonly metrics: FrontierMetrics
}

/** A lease of whoever names no time. */
const usualLease: Seconds = 30
/** Addresses of one queue at most, also where a client names no limit. */
const mostPerQueue = 1_000
/** Addresses leased in one step: what is in memory for one client. */
const slice = 1_000
/** Addresses listed where a client does not say how many. */
const usualList = 100

/** Gives addresses that are due, queue by queue, in steps, as fast as the client reads them. */
export async function getUrls(
  call: ServerWritableStream<GetParams, UrlInfo>,
  parts: GiveParts,
): Promise<void> {
  const { store, clock, metrics } = parts
  const { key = '', crawlID, max_queues: queues = 0, max_urls_per_queue: each = 0 } = call.request
  const { delay_requestable: ttl = 0 } = call.request
  // A queue has a name within a crawl alone.
  if (key !== '' && crawlID === undefined) return
  if (!(await inTime(store.queues.active()))) return
  const perQueue = Math.min(each === 0 ? mostPerQueue : each, mostPerQueue)
  const terms = {
    collection: crawlID === undefined ? null : crawlNamed(crawlID),
    ...(key === '' ? {} : { key }),
    perQueue,
    ttl: ttl === 0 ? usualLease : ttl,
  }
  let left = key === '' ? (queues === 0 ? Infinity : queues) : 1
  while (left > 0 && !call.cancelled) {
    const began = performance.now()
    const maxQueues = Math.min(left, Math.max(1, Math.floor(slice / perQueue)))
    const now = clock.now()
    const pages = await inTime(store.queues.give({ ...terms, maxQueues, now }))
    metrics.gave(pages.length, (performance.now() - began) / 1000)
    for (const page of pages) await sent(call, infoOf(page, now))
    const given = new Set(pages.map(({ collection, key: own }) => `${collection}\0${own}`)).size
    if (given < maxQueues) return
    left -= given
  }
}

/** All addresses of a queue or a crawl, in a stable order, a stretch at a time. */
export async function listUrls(
  call: ServerWritableStream<QueueParams, UrlItem>,
  { store, clock }: GiveParts,
): Promise<void> {
  const { start = 0, size = 0, key = '', crawlID, filter = '', ignoreCase = false } = call.request
  const query = { collection: crawlNamed(crawlID), ...filtered({ key, filter, ignoreCase }) }
  let skip = start
  let left = size === 0 ? usualList : size
  let after: string | null = null
  do {
    const from: { after?: string } = after === null ? {} : { after }
    const list = await inTime(
      store.queues.list({ ...query, ...from, limit: Math.min(slice, skip + left) }),
    )
    const now = clock.now()
    for (const page of list.pages) {
      if (skip > 0) skip--
      else if (left > 0) {
        left--
        await sent(call, itemOfPage(page, now))
      }
    }
    after = list.next
  } while (after !== null && left > 0 && !call.cancelled)
}

/** Which addresses of a crawl are meant. */
export function filtered({ key = '', filter = '', ignoreCase = false }: QueueParams) {
  return {
    ...(key === '' ? {} : { key }),
    ...(filter === '' ? {} : { contains: filter, ignoreCase }),
  }
}

/** What is stored of one address; null where there is none. */
export async function urlStatus(
  params: QueueParams,
  { store, clock }: GiveParts,
): Promise<UrlItem | null> {
  const address = addressOf(params)
  const found = address === null ? null : await store.queues.find(address)
  return found === null ? null : itemOfPage(found, clock.now())
}

function itemOfPage(queued: QueuedPage, now: UnixSeconds): UrlItem {
  const { due, addedAt } = queued.page
  return {
    known: {
      info: infoOf(queued, now),
      refetchable_from_date: due.at === 'never' ? 0 : Math.max(1, Math.ceil(due.at)),
    },
    creation_date: Math.floor(addedAt),
  }
}

function infoOf({ collection, key, url, metadata, page }: QueuedPage, now: UnixSeconds): UrlInfo {
  const handed = Object.entries(handedMetadata(metadata, page, now))
  return {
    url,
    key,
    crawlID: collection,
    metadata: Object.fromEntries(handed.map(([name, values]) => [name, { values }])),
  }
}

/** Resolves once more can be sent, or the client is gone. */
function sent<Request, Message>(
  call: ServerWritableStream<Request, Message>,
  message: Message,
): Promise<void> {
  if (call.cancelled || call.write(message)) return done
  return new Promise((resolve) => {
    const over = () => {
      for (const event of ends) call.off(event, over)
      resolve()
    }
    for (const event of ends) call.on(event, over)
  })
}

const done = Promise.resolve()
const ends = ['drain', 'cancelled', 'close', 'error'] as const
