import { sql } from 'kysely'
import type {
  ChannelChange,
  ChannelRecord,
  DeliveryQuery,
  DeliveryRecord,
  NewChannel,
  NewDelivery,
  Outbox,
} from '../../model/outbox.js'
import type { Seconds, UnixSeconds } from '../../model/units.js'
import {
  type ChannelRow,
  channelExists,
  channelFrom,
  type DeliveryRow,
  deliveryFrom,
  deliveryStates,
} from '../outbox-rows.js'
import type { Database } from './file/database.js'
import { queries } from './file/statement.js'
import type { Names } from './hosts.js'

/** Channels, their cursors, and who is at work on them. Called inside transactions. */
class Channels {
  readonly #collections: Names
  readonly #get
  readonly #all
  readonly #named
  readonly #add
  readonly #put
  readonly #remove
  readonly #hold
  readonly #letGo
  readonly #advance
  readonly #well
  readonly #ill

  constructor({ db, collections }: { readonly db: Database; readonly collections: Names }) {
    this.#collections = collections
    const rows = sql`select channels.*, collections.name as collection_name
      from channels join collections on collections.id = channels.collection`
    this.#get = db.statement(
      (_, slot) => sql<ChannelRow>`${rows} where channels.id = ${slot('id')}`,
    )
    this.#all = db.statement(
      (_, slot) =>
        sql<ChannelRow>`${rows} where channels.collection = ${slot('collection')} order by channels.id`,
    )
    this.#named = db.statement((q, slot) =>
      q
        .selectFrom('channels')
        .select('id')
        .where('collection', '=', slot('collection'))
        .where('name', '=', slot('name')),
    )
    this.#add = db.statement((q, slot) =>
      q.insertInto('channels').values({
        collection: slot('collection'),
        name: slot('name'),
        settings: slot('settings'),
        enabled: 1,
        added_at: slot('now'),
        cursor: slot('cursor'),
      }),
    )
    const wellAgain = { failing_since: null, failures: 0, rests_until: null, error: null }
    this.#put = db.statement((q, slot) =>
      q
        .updateTable('channels')
        .set({
          name: slot('name'),
          settings: slot('settings'),
          enabled: slot('enabled'),
          ...wellAgain,
        })
        .where('id', '=', slot('id')),
    )
    this.#remove = db.statement((q, slot) => q.deleteFrom('channels').where('id', '=', slot('id')))
    this.#hold = db.statement(
      (_, slot) => sql`update channels set holder = ${slot('worker')}, held_until = ${slot('until')}
        where id = ${slot('id')}
          and (holder is null or holder = ${slot('worker')} or held_until <= ${slot('now')})`,
    )
    this.#letGo = db.statement((q, slot) =>
      q
        .updateTable('channels')
        .set({ holder: null, held_until: null })
        .where('holder', '=', slot('worker')),
    )
    this.#advance = db.statement((q, slot) =>
      q
        .updateTable('channels')
        .set({ cursor: slot('upTo') })
        .where('id', '=', slot('id'))
        .where('cursor', '=', slot('from')),
    )
    this.#well = db.statement((q, slot) =>
      q.updateTable('channels').set(wellAgain).where('id', '=', slot('id')),
    )
    this.#ill = db.statement(
      (_, slot) => sql`update channels set
        failing_since = coalesce(failing_since, ${slot('now')}), failures = failures + 1,
        rests_until = ${slot('until')}, error = ${slot('error')} where id = ${slot('id')}`,
    )
  }

  get(id: string): ChannelRecord | null {
    const row = this.#get().first({ id: Number(id) })
    return row === undefined ? null : channelFrom(row)
  }

  all(collection: string): ChannelRecord[] {
    return this.#all()
      .all({ collection: this.#collections.find(collection) ?? 0 })
      .map(channelFrom)
  }

  add({ collection, name, settings, now, cursor }: NewChannel): ChannelRecord {
    const at = this.#collections.ensure(collection)
    if (this.#named().first({ collection: at, name }) !== undefined) throw channelExists(name)
    const slots = { collection: at, name, settings: JSON.stringify(settings), now, cursor }
    return this.get(String(this.#add().insert(slots)))!
  }

  change(id: string, change: ChannelChange): ChannelRecord | null {
    const before = this.get(id)
    if (before === null) return null
    const { name, settings, enabled } = { ...before, ...change }
    const collection = this.#collections.find(before.collection)!
    if (name !== before.name && this.#named().first({ collection, name }) !== undefined)
      throw channelExists(name)
    const slots = { name, settings: JSON.stringify(settings), enabled: Number(enabled) }
    this.#put().run({ id: Number(id), ...slots })
    return this.get(id)
  }

  remove(id: string): boolean {
    return this.#remove().run({ id: Number(id) }) > 0
  }

  hold(request: { channel: string; worker: string; now: UnixSeconds; until: UnixSeconds }) {
    const { channel, worker, now, until } = request
    return this.#hold().run({ id: Number(channel), worker, now, until }) > 0
  }

  letGo(worker: string): void {
    this.#letGo().run({ worker })
  }

  advance({ channel, from, upTo }: { channel: string; from: number; upTo: number }): boolean {
    return this.#advance().run({ id: Number(channel), from, upTo }) > 0
  }

  well(channel: string): void {
    this.#well().run({ id: Number(channel) })
  }

  ill(
    channel: string,
    { now, until, error }: { now: UnixSeconds; until: UnixSeconds; error: string },
  ) {
    this.#ill().run({ id: Number(channel), now, until, error })
  }
}

/** What is to be sent, and what became of it. Called inside transactions. */
class Deliveries {
  readonly #db: Database
  readonly #add
  readonly #count
  readonly #sendable
  readonly #pending
  readonly #attempted
  readonly #giveUp
  readonly #forget
  readonly #removeOf

  constructor(db: Database) {
    this.#db = db
    this.#add = db.statement((q, slot) =>
      q.insertInto('deliveries').values({
        channel: slot('channel'),
        page: slot('page'),
        event: slot('event'),
        made_at: slot('now'),
        next_at: slot('now'),
      }),
    )
    this.#count = db.statement(
      (_, slot) => sql<{ count: number }>`select count(*) as count from deliveries
        where channel = ${slot('channel')} and state = 0`,
    )
    this.#sendable = db.statement(
      (_, slot) => sql<DeliveryRow>`select * from deliveries where id in
          (select min(id) from deliveries where channel = ${slot('channel')} and state = 0
            group by page)
        and next_at <= ${slot('now')} order by attempts, id limit ${slot('limit')}`,
    )
    this.#pending = db.statement(
      (_, slot) => sql<DeliveryRow>`select * from deliveries
        where channel = ${slot('channel')} and state = 0 order by id limit ${slot('limit')}`,
    )
    this.#attempted = db.statement(
      (_, slot) => sql`update deliveries set state = ${slot('state')}, attempts = attempts + 1,
        first_at = coalesce(first_at, ${slot('now')}),
        next_at = coalesce(${slot('nextAt')}, next_at), ended_at = ${slot('endedAt')},
        error = ${slot('error')} where id = ${slot('id')} and state = 0`,
    )
    this.#giveUp = db.statement(
      (_, slot) => sql`update deliveries set state = 2, ended_at = ${slot('now')},
        error = ${slot('error')}
        where channel = ${slot('channel')} and state = 0 and made_at <= ${slot('madeBy')}`,
    )
    this.#forget = db.statement(
      (_, slot) => sql`delete from deliveries where state > 0 and ended_at <= ${slot('by')}`,
    )
    this.#removeOf = db.statement((q, slot) =>
      q.deleteFrom('deliveries').where('channel', '=', slot('channel')),
    )
  }

  add(channel: string, { page, event, now }: NewDelivery & { now: UnixSeconds }): void {
    const slots = { page: Number(page), event: JSON.stringify(event), now }
    this.#add().run({ channel: Number(channel), ...slots })
  }

  countPending(channel: string): number {
    return this.#count().first({ channel: Number(channel) })!.count
  }

  sendable({ channel, now, limit }: { channel: string; now: UnixSeconds; limit: number }) {
    return this.#sendable()
      .all({ channel: Number(channel), now, limit })
      .map(deliveryFrom)
  }

  pending({ channel, limit }: { channel: string; limit: number }): DeliveryRecord[] {
    return this.#pending()
      .all({ channel: Number(channel), limit })
      .map(deliveryFrom)
  }

  /** With no error it arrived; without a next time it never will. */
  attempted(
    id: string,
    attempt: { now: UnixSeconds; error: string | null; nextAt: UnixSeconds | null },
  ): void {
    const { now, error, nextAt } = attempt
    const state = error === null ? 1 : nextAt === null ? 2 : 0
    const endedAt = state === 0 ? null : now
    this.#attempted().run({ id: Number(id), now, state, nextAt, endedAt, error })
  }

  giveUp(request: { channel: string; madeBy: UnixSeconds; now: UnixSeconds; error: string }) {
    const { channel, madeBy, now, error } = request
    return this.#giveUp().run({ channel: Number(channel), madeBy, now, error })
  }

  list({ channel, state, before, limit }: DeliveryQuery, collection: number): DeliveryRecord[] {
    let found = queries
      .selectFrom('deliveries')
      .selectAll()
      .where('channel', 'in', (q) =>
        q.selectFrom('channels').select('channels.id').where('collection', '=', collection),
      )
      .orderBy('id', 'desc')
      .limit(limit)
    if (channel !== undefined) found = found.where('channel', '=', Number(channel))
    if (state !== undefined) found = found.where('state', '=', deliveryStates.indexOf(state))
    if (before !== undefined) found = found.where('id', '<', Number(before))
    return this.#db.once(found).map((row) => deliveryFrom(row as unknown as DeliveryRow))
  }

  forget({ now, after }: { now: UnixSeconds; after: Seconds }): number {
    return this.#forget().run({ by: now - after })
  }

  removeOf(channel: string): void {
    this.#removeOf().run({ channel: Number(channel) })
  }
}

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
