import type {
  AddressFilter,
  DatedItem,
  GiveRequest,
  QueueAddress,
  QueueItem,
  QueueRef,
  QueueRules,
  QueueScope,
  Queues,
  ReportedItem,
} from '../../../model/queue.js'
import type { Seconds, UnixSeconds } from '../../../model/units.js'
import type { RecordResult, VisitReport } from '../../../model/visit-record.js'
import {
  activeSetting,
  checkDates,
  checkGive,
  checkItems,
  checkRules,
  claimToken,
  delaySetting,
  noLease,
  queueReports,
} from '../../queue-rules.js'
import { column, type PageRow } from '../../schema.js'
import type { PageChanges } from '../pages.js'
import { Addresses, type AddressParts } from './addresses.js'
import { QueueLists } from './lists.js'
import { QueueTurns } from './turns.js'

/** Addresses removed in one commit: others come in between. */
const stretch = 500

interface Parts extends AddressParts {
  readonly changes: PageChanges
  /** `recordVisits` of the store. */
  readonly record: (reports: readonly VisitReport[]) => Promise<readonly RecordResult[]>
}

/** Queues of a store in a file. */
export class SqliteQueues implements Queues {
  readonly #parts: Parts
  readonly #addresses: Addresses
  readonly #turns: QueueTurns
  readonly #lists: QueueLists

  constructor(parts: Parts) {
    this.#parts = parts
    this.#addresses = new Addresses(parts)
    this.#turns = new QueueTurns(parts)
    this.#lists = new QueueLists(parts.db)
  }

  async discover(items: readonly QueueItem[], now: UnixSeconds) {
    checkItems(items)
    return this.#parts.db.write(() => this.#addresses.add(items, now))
  }

  async putDated(items: readonly DatedItem[], now: UnixSeconds) {
    checkItems(items)
    checkDates(items.map(({ due }) => due))
    this.#parts.db.write(() => this.#addresses.put(items, now))
  }

  async claim(addresses: readonly QueueAddress[]) {
    return this.claimedRows(addresses).map((row, at) => {
      if (row === undefined) return null
      const { page } = this.#addresses.page(row)
      const token = claimToken(row[column.newest_visit])
      return { page, host: addresses[at]!.key, token, ...noLease }
    })
  }

  /** The same as rows, for the way to another thread. */
  claimedRows(addresses: readonly QueueAddress[]): (PageRow | undefined)[] {
    checkItems(addresses)
    return this.#parts.db.read(() => this.#addresses.claimed(addresses))
  }

  async report(items: readonly ReportedItem[], now: UnixSeconds) {
    return this.#parts.record(queueReports(items, now))
  }

  async give(request: GiveRequest) {
    checkGive(request)
    const { db, crawls, states, hosts } = this.#parts
    const { collection, key, now, ttl } = request
    return db.write(() => {
      if (states.setting(activeSetting) === 'false') return []
      const named = collection === null ? undefined : crawls.find(collection)
      const ids = collection === null ? crawls.all().map(({ id }) => id) : named ? [named] : []
      const host = key === undefined ? null : (hosts.find(key) ?? 0)
      const expiresAt = now + ttl
      return this.#turns
        .give(request, { crawls: ids, host })
        .map((row) => ({ ...this.#addresses.page(row), expiresAt }))
    })
  }

  async find(address: QueueAddress) {
    return this.#parts.db.read(() => {
      const row = this.#addresses.row(address)
      return row === undefined ? null : this.#addresses.page(row)
    })
  }

  async list(query: AddressFilter & { readonly after?: string; readonly limit: number }) {
    return this.#parts.db.read(() => this.#addresses.list(query))
  }

  async count(query: AddressFilter) {
    return this.#parts.db.read(() => {
      const scope = this.#scope(query)
      return scope === undefined ? 0 : this.#addresses.count(query, scope)
    })
  }

  async crawls() {
    return this.#parts.db.read(() => this.#parts.crawls.all().map(({ name }) => name))
  }

  async queues(query: {
    readonly collection: string
    readonly start: number
    readonly limit: number
    readonly inactive: boolean
    readonly now: UnixSeconds
  }) {
    return this.#parts.db.read(() => {
      const crawl = this.#parts.crawls.find(query.collection)
      if (crawl === undefined) return { queues: [], total: 0 }
      return this.#lists.queues(query, crawl)
    })
  }

  async stats({ collection, key, now }: Partial<QueueRef> & { readonly now: UnixSeconds }) {
    return this.#parts.db.read(() => {
      const scope = collection === undefined ? {} : this.#scope({ collection, key })
      return this.#lists.stats(scope ?? { collection: 0 }, now)
    })
  }

  async setRules(queue: QueueRef, rules: QueueRules) {
    checkRules(rules)
    checkItems([{ ...queue, url: '-' }])
    const { db, states } = this.#parts
    db.write(() => {
      const place = this.#addresses.ensured(queue)
      states.setRules(place, rules)
      states.settle(place)
    })
  }

  async setDefaultDelay(delay: Seconds) {
    checkRules({ delay })
    const { db, states } = this.#parts
    db.write(() => {
      states.set(delaySetting, JSON.stringify(delay))
      states.settleAll()
    })
  }

  async remove(of: QueueScope) {
    const removed = await this.#removeEach(of)
    const { db, states } = this.#parts
    db.write(() => {
      const scope = this.#scope(of)
      if (scope !== undefined) states.remove(scope)
    })
    return removed
  }

  async purge({ createdBefore, ...of }: QueueScope & { readonly createdBefore: UnixSeconds }) {
    return this.#removeEach(of, createdBefore)
  }

  async setActive(active: boolean) {
    const { db, states } = this.#parts
    db.writeBeside(() => states.set(activeSetting, JSON.stringify(active)))
  }

  async active() {
    return this.#parts.db.readOne(() => this.#parts.states.setting(activeSetting) !== 'false')
  }

  /** Stretch by stretch, so that a million of them stop nobody. */
  async #removeEach(of: QueueScope, createdBefore = Infinity): Promise<number> {
    const { db, changes } = this.#parts
    let removed = 0
    for (let after = 0; ; ) {
      const last = db.write(() => {
        const scope = this.#scope(of)
        if (scope === undefined) return undefined
        const pages = this.#addresses.stretch(scope, { after, limit: stretch })
        const gone = pages.filter(([, addedAt]) => addedAt < createdBefore)
        for (const [id] of gone) changes.remove(id)
        removed += gone.length
        return pages.at(-1)?.[0]
      })
      if (last === undefined) return removed
      after = last
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  #scope({
    collection,
    key,
  }: {
    readonly collection: string
    readonly key?: string | undefined
  }): { readonly collection: number; readonly host?: number } | undefined {
    const crawl = this.#parts.crawls.find(collection)
    if (crawl === undefined) return undefined
    return key === undefined ? { collection: crawl } : this.#addresses.placeOf(collection, key)
  }
}
