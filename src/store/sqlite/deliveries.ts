import { sql } from 'kysely'
import type {
  DeliveryQuery,
  DeliveryRecord,
  NewDelivery,
  Seconds,
  UnixSeconds,
} from '../../model/index.js'
import { deliveryStates } from '../outbox-rules.js'
import type { Database } from './database.js'
import { type DeliveryRow, deliveryFrom } from './outbox-rows.js'
import { queries } from './statement.js'

/** What is to be sent, and what became of it. Called inside transactions. */
export class Deliveries {
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
