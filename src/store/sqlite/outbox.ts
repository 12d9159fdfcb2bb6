import { sql } from 'kysely'
import type {
  ChannelAdvance,
  ChannelChange,
  ChannelHold,
  ChannelRecord,
  Delivered,
  DeliveriesGivenUp,
  DeliveryFailure,
  DeliveryQuery,
  EndedDeliveries,
  NewChannel,
  Outbox,
  PendingQuery,
  SendableQuery,
} from '../../model/outbox.js'
import {
  type Attempt,
  afterAttempt,
  type ChannelRow,
  channelExists,
  channelFrom,
  type DeliveryRow,
  deliveryFrom,
  deliveryStates,
} from '../outbox-rows.js'
import { rowId } from '../page-row.js'
import type { Database } from './file/database.js'
import { queries } from './file/statement.js'
import type { Names } from './hosts.js'

/** Their statements, each compiled when it is first needed. */
function statementsOf(db: Database) {
  const rows = sql`select channels.*, collections.name as collection_name
    from channels join collections on collections.id = channels.collection`
  const wellAgain = { failing_since: null, failures: 0, rests_until: null, error: null }
  return {
    channel: db.statement((_, slot) => sql<ChannelRow>`${rows} where channels.id = ${slot('id')}`),
    channels: db.statement(
      (_, slot) =>
        sql<ChannelRow>`${rows} where channels.collection = ${slot('collection')} order by channels.id`,
    ),
    named: db.statement((q, slot) =>
      q
        .selectFrom('channels')
        .select('id')
        .where('collection', '=', slot('collection'))
        .where('name', '=', slot('name')),
    ),
    addChannel: db.statement((q, slot) =>
      q.insertInto('channels').values({
        collection: slot('collection'),
        name: slot('name'),
        settings: slot('settings'),
        enabled: 1,
        added_at: slot('now'),
        cursor: slot('cursor'),
      }),
    ),
    putChannel: db.statement((q, slot) =>
      q
        .updateTable('channels')
        .set({
          name: slot('name'),
          settings: slot('settings'),
          enabled: slot('enabled'),
          ...wellAgain,
        })
        .where('id', '=', slot('id')),
    ),
    removeChannel: db.statement((q, slot) => q.deleteFrom('channels').where('id', '=', slot('id'))),
    hold: db.statement(
      (_, slot) => sql`update channels set holder = ${slot('worker')}, held_until = ${slot('until')}
        where id = ${slot('id')}
          and (holder is null or holder = ${slot('worker')} or held_until <= ${slot('now')})`,
    ),
    release: db.statement((q, slot) =>
      q
        .updateTable('channels')
        .set({ holder: null, held_until: null })
        .where('holder', '=', slot('worker')),
    ),
    advance: db.statement((q, slot) =>
      q
        .updateTable('channels')
        .set({ cursor: slot('upTo') })
        .where('id', '=', slot('id'))
        .where('cursor', '=', slot('from')),
    ),
    well: db.statement((q, slot) =>
      q.updateTable('channels').set(wellAgain).where('id', '=', slot('id')),
    ),
    ill: db.statement(
      (_, slot) => sql`update channels set
        failing_since = coalesce(failing_since, ${slot('now')}), failures = failures + 1,
        rests_until = ${slot('until')}, error = ${slot('error')} where id = ${slot('id')}`,
    ),
    addDelivery: db.statement((q, slot) =>
      q.insertInto('deliveries').values({
        channel: slot('channel'),
        page: slot('page'),
        event: slot('event'),
        made_at: slot('now'),
        next_at: slot('now'),
      }),
    ),
    countPending: db.statement(
      (_, slot) => sql<{ count: number }>`select count(*) as count from deliveries
        where channel = ${slot('channel')} and state = 0`,
    ),
    sendable: db.statement(
      (_, slot) => sql<DeliveryRow>`select * from deliveries where id in
          (select min(id) from deliveries where channel = ${slot('channel')} and state = 0
            group by page)
        and next_at <= ${slot('now')} order by attempts, id limit ${slot('limit')}`,
    ),
    pending: db.statement(
      (_, slot) => sql<DeliveryRow>`select * from deliveries
        where channel = ${slot('channel')} and state = 0 order by id limit ${slot('limit')}`,
    ),
    attempted: db.statement(
      (_, slot) => sql`update deliveries set state = ${slot('state')}, attempts = attempts + 1,
        first_at = coalesce(first_at, ${slot('now')}),
        next_at = coalesce(${slot('nextAt')}, next_at), ended_at = ${slot('endedAt')},
        error = ${slot('error')} where id = ${slot('id')} and state = 0`,
    ),
    giveUp: db.statement(
      (_, slot) => sql`update deliveries set state = 2, ended_at = ${slot('now')},
        error = ${slot('error')}
        where channel = ${slot('channel')} and state = 0 and made_at <= ${slot('madeBy')}`,
    ),
    forget: db.statement(
      (_, slot) => sql`delete from deliveries where state > 0 and ended_at <= ${slot('by')}`,
    ),
    removeOf: db.statement((q, slot) =>
      q.deleteFrom('deliveries').where('channel', '=', slot('channel')),
    ),
  }
}

/** Channels and deliveries in the file of the store: each call one transaction. */
export class SqliteOutbox implements Outbox {
  readonly #db: Database
  readonly #collections: Names
  readonly #sql: ReturnType<typeof statementsOf>

  constructor({ db, collections }: { readonly db: Database; readonly collections: Names }) {
    this.#db = db
    this.#collections = collections
    this.#sql = statementsOf(db)
  }

  async addChannel({ collection, name, settings, now, cursor }: NewChannel) {
    return this.#db.write(() => {
      const at = this.#collections.ensure(collection)
      this.#checkName(at, name)
      const slots = { collection: at, name, settings: JSON.stringify(settings), now, cursor }
      return this.#channel(this.#sql.addChannel().insert(slots))!
    })
  }

  async changeChannel(id: string, change: ChannelChange) {
    return this.#db.write(() => {
      const before = this.#channel(rowId(id))
      if (before === null) return null
      const { name, settings, enabled } = { ...before, ...change }
      if (name !== before.name) this.#checkName(this.#collections.find(before.collection)!, name)
      const slots = { name, settings: JSON.stringify(settings), enabled: Number(enabled) }
      this.#sql.putChannel().run({ id: rowId(id), ...slots })
      return this.#channel(rowId(id))
    })
  }

  async removeChannel(id: string) {
    return this.#db.write(() => {
      this.#sql.removeOf().run({ channel: rowId(id) })
      return this.#sql.removeChannel().run({ id: rowId(id) }) > 0
    })
  }

  async channel(id: string) {
    return this.#db.readOne(() => this.#channel(rowId(id)))
  }

  async channels(collection: string) {
    return this.#db.read(() => {
      const slots = { collection: this.#collections.find(collection) ?? 0 }
      return this.#sql.channels().all(slots).map(channelFrom)
    })
  }

  async holdChannel({ channel, worker, now, until }: ChannelHold) {
    const slots = { id: rowId(channel), worker, now, until }
    return this.#db.writeLightly(() => this.#sql.hold().run(slots) > 0)
  }

  async release(worker: string) {
    this.#db.writeLightly(() => this.#sql.release().run({ worker }))
  }

  async advance({ channel, from, upTo, deliveries, now }: ChannelAdvance) {
    const id = rowId(channel)
    return this.#db.write(() => {
      if (this.#sql.advance().run({ id, from, upTo }) === 0) return false
      for (const { page, event } of deliveries) {
        const slots = { page: Number(page), event: JSON.stringify(event), now }
        this.#sql.addDelivery().run({ channel: id, ...slots })
      }
      return true
    })
  }

  async countPending(channel: string) {
    const slots = { channel: rowId(channel) }
    return this.#db.readOne(() => this.#sql.countPending().first(slots)!.count)
  }

  async sendable({ channel, now, limit }: SendableQuery) {
    const slots = { channel: rowId(channel), now, limit }
    return this.#db.readOne(() => this.#sql.sendable().all(slots).map(deliveryFrom))
  }

  async pending({ channel, limit }: PendingQuery) {
    const slots = { channel: rowId(channel), limit }
    return this.#db.readOne(() => this.#sql.pending().all(slots).map(deliveryFrom))
  }

  async noteDelivered({ channel, deliveries, now }: Delivered) {
    this.#db.write(() => {
      this.#attempted(deliveries, { now, error: null, nextAt: null })
      this.#sql.well().run({ id: rowId(channel) })
    })
  }

  async noteFailed({ channel, deliveries, restsUntil, ...attempt }: DeliveryFailure) {
    const { now, error } = attempt
    this.#db.write(() => {
      this.#attempted(deliveries, attempt)
      if (restsUntil !== null)
        this.#sql.ill().run({ id: rowId(channel), now, until: restsUntil, error })
    })
  }

  async giveUp({ channel, ...terms }: DeliveriesGivenUp) {
    const slots = { channel: rowId(channel), ...terms }
    return this.#db.write(() => this.#sql.giveUp().run(slots))
  }

  async deliveries({ collection, channel, state, before, limit }: DeliveryQuery) {
    return this.#db.read(() => {
      const place = this.#collections.find(collection) ?? 0
      let found = queries
        .selectFrom('deliveries')
        .selectAll()
        .where('channel', 'in', (q) =>
          q.selectFrom('channels').select('channels.id').where('collection', '=', place),
        )
        .orderBy('id', 'desc')
        .limit(limit)
      if (channel !== undefined) found = found.where('channel', '=', rowId(channel))
      if (state !== undefined) found = found.where('state', '=', deliveryStates.indexOf(state))
      if (before !== undefined) found = found.where('id', '<', rowId(before))
      return this.#db.once(found).map(deliveryFrom)
    })
  }

  async forgetEnded({ now, after }: EndedDeliveries) {
    return this.#db.write(() => this.#sql.forget().run({ by: now - after }))
  }

  #channel(id: number): ChannelRecord | null {
    const row = this.#sql.channel().first({ id })
    return row === undefined ? null : channelFrom(row)
  }

  #checkName(collection: number, name: string): void {
    if (this.#sql.named().first({ collection, name }) !== undefined) throw channelExists(name)
  }

  #attempted(deliveries: readonly string[], attempt: Attempt): void {
    const slots = { ...attempt, ...afterAttempt(attempt) }
    for (const id of deliveries) this.#sql.attempted().run({ id: rowId(id), ...slots })
  }
}
