import type {
  ChannelAdvance,
  ChannelChange,
  ChannelHold,
  ChannelRecord,
  Delivered,
  DeliveriesGivenUp,
  DeliveryFailure,
  DeliveryQuery,
  DeliveryRecord,
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
import type { Collections } from './hosts.js'
import { type Database, rowsGiven, statement } from './server/database.js'
import type { Session } from './server/session.js'

const channelRows = `
  select channels.*, collections.name as collection_name
  from channels join collections on collections.id = channels.collection`
const wellAgain = 'failing_since = null, failures = 0, rests_until = null, error = null'

const addChannel = statement(`
  insert into channels (collection, name, settings, enabled, added_at, cursor)
  values ($1, $2, $3, 1, $4, $5) on conflict do nothing returning id`)
const putChannel = statement(`
  update channels set name = $2, settings = $3, enabled = $4, ${wellAgain} where id = $1`)
const namesake = statement(`
  select 1 from channels c join channels other on other.collection = c.collection
  where c.id = $1 and other.id <> c.id and other.name = $2`)
const removeChannel = statement('delete from channels where id = $1')
const removeOf = statement('delete from deliveries where channel = $1')
const hold = statement(`
  update channels set holder = $2, held_until = $4
  where id = $1 and (holder is null or holder = $2 or held_until <= $3)`)
const release = statement('update channels set holder = null, held_until = null where holder = $1')
const advance = statement('update channels set cursor = $3 where id = $1 and cursor = $2')
const well = statement(`update channels set ${wellAgain} where id = $1`)
const ill = statement(`
  update channels set failing_since = coalesce(failing_since, $2), failures = failures + 1,
    rests_until = $3, error = $4 where id = $1`)

/** In the order given: a number of a delivery tells which was made first. */
const addDeliveries = statement(`
  insert into deliveries (channel, page, event, made_at, next_at)
  select $1::bigint, page, event, $4::float8, $4::float8
  from ${rowsGiven('$2::text[], $3::text[]', 'with ordinality')} as fresh (page, event, place) order by place`)
const countPending = statement('select count(*) from deliveries where channel = $1 and state = 0')
const attempted = statement(`
  update deliveries set state = $3, attempts = attempts + 1,
    first_at = coalesce(first_at, $2::float8), next_at = coalesce($4::float8, next_at),
    ended_at = $5, error = $6
  where id = any($1::bigint[]) and state = 0`)
const giveUp = statement(`
  update deliveries set state = 2, ended_at = $2, error = $4
  where channel = $1 and state = 0 and made_at <= $3`)
const forget = statement('delete from deliveries where state > 0 and ended_at <= $1')

/** Channels and deliveries on the server of the store: each call one transaction. */
export class PostgresOutbox implements Outbox {
  readonly #db: Database
  readonly #collections: Collections

  constructor(parts: { readonly db: Database; readonly collections: Collections }) {
    this.#db = parts.db
    this.#collections = parts.collections
  }

  async addChannel({ collection, name, settings, now, cursor }: NewChannel) {
    const id = await this.#collections.ensure(collection)
    return this.#db.write(async (session) => {
      const values = [id, name, JSON.stringify(settings), now, cursor]
      const row = await session.first<[number]>(addChannel, values)
      if (row === undefined) throw channelExists(name)
      return (await channelOf(session, row[0]))!
    })
  }

  async changeChannel(id: string, change: ChannelChange) {
    return this.#db.write(async (session) => {
      const before = await channelOf(session, rowId(id), 'for update of channels')
      if (before === null) return null
      const { name, settings, enabled } = { ...before, ...change }
      if ((await session.first(namesake, [rowId(id), name])) !== undefined)
        throw channelExists(name)
      const values = [name, JSON.stringify(settings), enabled ? 1 : 0]
      await session.run(putChannel, [rowId(id), ...values])
      return channelOf(session, rowId(id))
    })
  }

  async removeChannel(id: string) {
    return this.#db.write(async (session) => {
      await session.run(removeOf, [rowId(id)])
      return (await session.run(removeChannel, [rowId(id)])) > 0
    })
  }

  async channel(id: string) {
    return this.#db.read((session) => channelOf(session, rowId(id)))
  }

  async channels(collection: string): Promise<ChannelRecord[]> {
    const id = await this.#collections.find(collection)
    const rows = await this.#db.read((session) =>
      session.once<ChannelRow>(
        `${channelRows} where channels.collection = $1 order by channels.id`,
        [id],
      ),
    )
    return rows.map(channelFrom)
  }

  async holdChannel({ channel, worker, now, until }: ChannelHold) {
    const held = await this.#db.writeLightly((session) =>
      session.run(hold, [rowId(channel), worker, now, until]),
    )
    return held > 0
  }

  async release(worker: string) {
    await this.#db.writeLightly((session) => session.run(release, [worker]))
  }

  async advance(request: ChannelAdvance) {
    const { from, upTo, deliveries, now } = request
    const channel = rowId(request.channel)
    return this.#db.write(async (session) => {
      if ((await session.run(advance, [channel, from, upTo])) === 0) return false
      const pages = deliveries.map(({ page }) => page)
      const events = deliveries.map(({ event }) => JSON.stringify(event))
      if (deliveries.length > 0) await session.run(addDeliveries, [channel, pages, events, now])
      return true
    })
  }

  async countPending(channel: string) {
    const row = await this.#db.read((session) =>
      session.first<[number]>(countPending, [rowId(channel)]),
    )
    return row![0]
  }

  async sendable({ channel, now, limit }: SendableQuery) {
    return this.#deliveries(
      `select * from deliveries where id in
          (select min(id) from deliveries where channel = $1 and state = 0 group by page)
        and next_at <= $2 order by attempts, id limit $3`,
      [rowId(channel), now, limit],
    )
  }

  async pending({ channel, limit }: PendingQuery) {
    return this.#deliveries(
      'select * from deliveries where channel = $1 and state = 0 order by id limit $2',
      [rowId(channel), limit],
    )
  }

  async noteDelivered({ channel, deliveries, now }: Delivered) {
    await this.#db.write(async (session) => {
      await noteAttempt(session, deliveries, { now, error: null, nextAt: null })
      await session.run(well, [rowId(channel)])
    })
  }

  async noteFailed({ channel, deliveries, restsUntil, ...attempt }: DeliveryFailure) {
    const { now, error } = attempt
    await this.#db.write(async (session) => {
      await noteAttempt(session, deliveries, attempt)
      if (restsUntil !== null) await session.run(ill, [rowId(channel), now, restsUntil, error])
    })
  }

  async giveUp({ channel, madeBy, now, error }: DeliveriesGivenUp) {
    return this.#db.write((session) => session.run(giveUp, [rowId(channel), now, madeBy, error]))
  }

  async deliveries({ collection, channel, state, before, limit }: DeliveryQuery) {
    const values: unknown[] = [await this.#collections.find(collection), limit]
    const also = (text: string, value: number) => {
      values.push(value)
      return ` and ${text} $${values.length}`
    }
    const text = [
      'select * from deliveries where channel in (select id from channels where collection = $1)',
      channel === undefined ? '' : also('channel =', rowId(channel)),
      state === undefined ? '' : also('state =', deliveryStates.indexOf(state)),
      before === undefined ? '' : also('id <', rowId(before)),
      ' order by id desc limit $2',
    ]
    return this.#deliveries(text.join(''), values)
  }

  async forgetEnded({ now, after }: EndedDeliveries) {
    return this.#db.write((session) => session.run(forget, [now - after]))
  }

  async #deliveries(text: string, values: readonly unknown[]): Promise<DeliveryRecord[]> {
    const rows = await this.#db.read((session) => session.once<DeliveryRow>(text, values))
    return rows.map(deliveryFrom)
  }
}

async function noteAttempt(session: Session, deliveries: readonly string[], attempt: Attempt) {
  const { now, error, nextAt } = attempt
  const { state, endedAt } = afterAttempt(attempt)
  await session.run(attempted, [deliveries.map(rowId), now, state, nextAt, endedAt, error])
}

async function channelOf(session: Session, id: number, lock = ''): Promise<ChannelRecord | null> {
  const text = `${channelRows} where channels.id = $1 ${lock}`
  const [row] = await session.once<ChannelRow>(text, [id])
  return row === undefined ? null : channelFrom(row)
}
