import type {
  ChannelChange,
  DeliveryQuery,
  NewChannel,
  NewDelivery,
  Outbox,
  Seconds,
  UnixSeconds,
} from '../../model/index.js'
import { Channels } from './channels.js'
import type { Database } from './database.js'
import { Deliveries } from './deliveries.js'
import type { Names } from './names.js'

/** Channels and deliveries in the file of the store: each call one transaction. */
export class SqliteOutbox implements Outbox {
  readonly #db: Database
  readonly #collections: Names
  readonly #channels: Channels
  readonly #deliveries: Deliveries

  constructor(parts: { readonly db: Database; readonly collections: Names }) {
    this.#db = parts.db
    this.#collections = parts.collections
    this.#channels = new Channels(parts)
    this.#deliveries = new Deliveries(parts.db)
  }

  async addChannel(channel: NewChannel) {
    return this.#db.write(() => this.#channels.add(channel))
  }

  async changeChannel(id: string, change: ChannelChange) {
    return this.#db.write(() => this.#channels.change(id, change))
  }

  async removeChannel(id: string) {
    return this.#db.write(() => {
      this.#deliveries.removeOf(id)
      return this.#channels.remove(id)
    })
  }

  async channel(id: string) {
    return this.#db.readOne(() => this.#channels.get(id))
  }

  async channels(collection: string) {
    return this.#db.read(() => this.#channels.all(collection))
  }

  async holdChannel(request: {
    channel: string
    worker: string
    now: UnixSeconds
    until: UnixSeconds
  }) {
    return this.#db.writeLightly(() => this.#channels.hold(request))
  }

  async letGo(worker: string) {
    this.#db.writeLightly(() => this.#channels.letGo(worker))
  }

  async advance(request: {
    channel: string
    from: number
    upTo: number
    deliveries: readonly NewDelivery[]
    now: UnixSeconds
  }) {
    const { channel, deliveries, now } = request
    return this.#db.write(() => {
      if (!this.#channels.advance(request)) return false
      for (const each of deliveries) this.#deliveries.add(channel, { ...each, now })
      return true
    })
  }

  async countPending(channel: string) {
    return this.#db.readOne(() => this.#deliveries.countPending(channel))
  }

  async sendable(request: { channel: string; now: UnixSeconds; limit: number }) {
    return this.#db.readOne(() => this.#deliveries.sendable(request))
  }

  async pending(request: { channel: string; limit: number }) {
    return this.#db.readOne(() => this.#deliveries.pending(request))
  }

  async noteDelivered(request: {
    channel: string
    deliveries: readonly string[]
    now: UnixSeconds
  }) {
    const { channel, deliveries, now } = request
    this.#db.write(() => {
      for (const id of deliveries)
        this.#deliveries.attempted(id, { now, error: null, nextAt: null })
      this.#channels.well(channel)
    })
  }

  async noteFailed(request: {
    channel: string
    deliveries: readonly string[]
    now: UnixSeconds
    error: string
    nextAt: UnixSeconds | null
    restsUntil: UnixSeconds | null
  }) {
    const { channel, deliveries, now, error, nextAt, restsUntil } = request
    this.#db.write(() => {
      for (const id of deliveries) this.#deliveries.attempted(id, { now, error, nextAt })
      if (restsUntil !== null) this.#channels.ill(channel, { now, until: restsUntil, error })
    })
  }

  async giveUp(request: { channel: string; madeBy: UnixSeconds; now: UnixSeconds; error: string }) {
    return this.#db.write(() => this.#deliveries.giveUp(request))
  }

  async deliveries(query: DeliveryQuery) {
    return this.#db.read(() =>
      this.#deliveries.list(query, this.#collections.find(query.collection) ?? 0),
    )
  }

  async forgetEnded(request: { now: UnixSeconds; after: Seconds }) {
    return this.#db.write(() => this.#deliveries.forget(request))
  }
}
