import type { Store } from '../model/store.js'
import { type Clock, DAY, type Seconds } from '../model/units.js'
import { filtered, urlStatus } from './get-urls.js'
import { crawlNamed } from './items.js'
import { type FrontierLog, logLevels } from './log.js'
import type { FrontierMetrics } from './metrics.js'
import type { QueueParams } from './wire.js'

export interface CallParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: FrontierLog
  readonly metrics: FrontierMetrics
  /** Where this node listens. */
  readonly address: () => string
}

/** A small call: what is asked, and what is answered; null for something that is not there. */
type Call = (params: QueueParams, parts: CallParts) => Promise<object | null>

/** Queues listed where a client does not say how many, and at most. */
const usualList = 100
const longestList = 100_000
/** A worker without a sign of life for so long is no node any more. */
const silence: Seconds = 60

/** How the role of a frontier begins; its address follows. */
const role = 'frontier'

/** What a node reports itself as to others on the store. */
export function nodeRole(address: string): string {
  return `${role} ${address}`
}

/**
 * The calls that ask or set one thing. All nodes are on one store, so that
 * `local` makes no difference: what holds here holds everywhere.
 */
export const queueCalls: Readonly<Record<string, Call>> = {
  async ListNodes(_, { store, clock, address }) {
    const now = clock.now()
    const workers = await store.workers({ now })
    const alive = workers.filter(({ lastSign }) => lastSign > now - silence)
    const nodes = alive.filter((each) => each.role.startsWith(`${role} `))
    const others = nodes.map((each) => each.role.slice(role.length + 1))
    return { values: [...new Set([address(), ...others])] }
  },

  async ListCrawls(_, { store }) {
    return { values: await store.queues.crawls() }
  },

  async ListQueues({ start = 0, size = 0, include_inactive: inactive = false, crawlID }, parts) {
    const collection = crawlNamed(crawlID)
    const limit = size === 0 ? usualList : Math.min(size, longestList)
    const now = parts.clock.now()
    const { queues, total } = await parts.store.queues.queues({
      collection,
      start,
      limit,
      inactive,
      now,
    })
    const values = queues.map(({ key }) => key)
    return { values, total, start, size: values.length, crawlID: collection }
  },

  async GetStats({ key = '', crawlID }, { store, clock }) {
    const collection = crawlNamed(crawlID)
    const now = clock.now()
    const only = key === '' ? {} : { key }
    const sums = await store.queues.stats({ collection, ...only, now })
    const { addresses, inProcess, completed, queues } = sums
    const active = { collection, start: 0, limit: 1, inactive: false, now }
    const activeQueues =
      key === '' ? { active_queues: (await store.queues.queues(active)).total } : {}
    return {
      size: addresses - completed,
      inProcess,
      counts: { completed, ...activeQueues },
      numberOfQueues: queues,
      crawlID: collection,
    }
  },

  GetURLStatus: (params, parts) => urlStatus(params, parts),

  async CountURLs({ crawlID, ...which }, { store }) {
    const collection = crawlNamed(crawlID)
    return { value: await store.queues.count({ collection, ...filtered(which) }) }
  },

  async BlockQueueUntil({ key = '', crawlID, time = 0 }, { store }) {
    const blockedUntil = time === 0 ? null : time
    if (key !== '') await store.queues.setRules(queueOf(key, crawlID), { blockedUntil })
    return {}
  },

  async SetDelay({ key = '', crawlID, delay_requestable: delay = 0 }, { store }) {
    if (key === '') await store.queues.setDefaultDelay(delay)
    else await store.queues.setRules(queueOf(key, crawlID), { delay })
    return {}
  },

  async SetCrawlLimit({ key = '', crawlID, limit = 0 }, { store }) {
    if (key !== '') await store.queues.setRules(queueOf(key, crawlID), { limit })
    return {}
  },

  async SetActive({ state = false }, { store, log }) {
    await store.queues.setActive(state)
    log.info(state ? 'addresses are given again' : 'no address is given until SetActive(true)')
    return {}
  },

  async GetActive(_, { store }) {
    return { state: await store.queues.active() }
  },

  async SetLogLevel({ level = 0 }, { log }) {
    const named = logLevels[level]
    if (named !== undefined) log.setLevel(named)
    return {}
  },

  async DeleteCrawl({ value }, { store }) {
    return { value: await store.queues.remove({ collection: crawlNamed(value) }) }
  },

  async DeleteQueue({ key = '', crawlID }, { store }) {
    // Without its name it would be the whole crawl.
    return { value: key === '' ? 0 : await store.queues.remove(queueOf(key, crawlID)) }
  },

  async PurgeURLs({ key = '', crawlID, days = 0 }, { store, clock }) {
    const which = { collection: crawlNamed(crawlID), ...(key === '' ? {} : { key }) }
    const createdBefore = clock.now() - days * DAY
    return { value: await store.queues.purge({ ...which, createdBefore }) }
  },
}

function queueOf(key: string, crawlID: string | undefined) {
  return { collection: crawlNamed(crawlID), key }
}
