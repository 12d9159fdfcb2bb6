import { sql } from 'kysely'
import type { QueueRules } from '../../../model/queue.js'
import type { UnixSeconds } from '../../../model/units.js'
import { delayIn, delaySetting, noCollection, readyAt } from '../../queue-rules.js'
import type { Place } from '../../schema.js'
import { ofQueues } from '../due-pages.js'
import type { Database } from '../file/database.js'
import type { Crawls } from './crawls.js'

/** What happened to a queue beside its addresses. */
export interface QueueEvent {
  /** It gave. */
  readonly given?: UnixSeconds
  /** When leases that are gone since ended. */
  readonly ended?: UnixSeconds
}

/** A queue as it is kept; then its leases, and the earliest due time of its other addresses. */
type QueueRow = readonly [
  delay: number | null,
  blocked: number | null,
  quota: number,
  given: number | null,
  ended: number | null,
  inFlight: number,
  due: number | null,
  ready: number | null,
  leases: number,
  firstDue: number | null,
]

/**
 * One row for each queue, kept in step with its addresses and leases in the
 * same transaction, so that a turn among a million addresses reads only queues
 * that may give.
 */
export class QueueStates {
  readonly #crawls: Crawls
  readonly #get
  readonly #completed
  readonly #put
  readonly #add
  readonly #setting
  readonly #set
  readonly #setRules
  readonly #remove
  readonly #all
  readonly #clamp

  constructor({ db, crawls }: { readonly db: Database; readonly crawls: Crawls }) {
    this.#crawls = crawls
    this.#get = db.statement(
      (_, slot) => sql<QueueRow>`
        select delay, blocked, quota, given, ended, in_flight, due, ready,
          (select count(*) from leases where leases.host = queues.host
            and leases.collection = queues.collection and leases.worker = ${ofQueues}),
          (select pages.due from pages
            where pages.collection = queues.collection and pages.host = queues.host
              and pages.due is not null
              and not exists (select 1 from leases
                where leases.page = pages.id and leases.worker = ${ofQueues})
            order by pages.due limit 1)
        from queues where collection = ${slot('collection')} and host = ${slot('host')}`,
      { arrays: true },
    )
    this.#completed = db.statement(
      (_, slot) => sql<{ pages: number }>`
        select count(*) as pages from (
          select 1 from pages
          where collection = ${slot('collection')} and host = ${slot('host')} and due is null
          limit ${slot('most')} + 0)`,
    )
    this.#put = db.statement((q, slot) =>
      q
        .updateTable('queues')
        .set({
          given: slot('given'),
          ended: slot('ended'),
          in_flight: slot('inFlight'),
          due: slot('due'),
          ready: slot('ready'),
        })
        .where('collection', '=', slot('collection'))
        .where('host', '=', slot('host')),
    )
    this.#add = db.statement(
      (_, slot) => sql<never>`
        insert into queues (collection, host) values (${slot('collection')}, ${slot('host')})
        on conflict do nothing`,
    )
    this.#setting = db.statement((q, slot) =>
      q
        .selectFrom('settings')
        .select('value')
        .where('collection', '=', noCollection)
        .where('name', '=', slot('name')),
    )
    this.#set = db.statement((q, slot) =>
      q
        .insertInto('settings')
        .values({ collection: noCollection, name: slot('name'), value: slot('value') })
        .onConflict((conflict) => conflict.doUpdateSet({ value: slot('value') })),
    )
    this.#setRules = db.statement(
      (_, slot) => sql<never>`
        update queues set
          delay = iif(${slot('hasDelay')}, ${slot('delay')}, delay),
          blocked = iif(${slot('hasBlock')}, ${slot('blocked')}, blocked),
          quota = coalesce(${slot('quota')}, quota)
        where collection = ${slot('collection')} and host = ${slot('host')}`,
    )
    this.#remove = db.statement(
      (_, slot) => sql<never>`
        delete from queues where collection = ${slot('collection')}
          and host = coalesce(${slot('host')}, host)
          and not exists (select 1 from frontier
            where frontier.collection = queues.collection and frontier.host = queues.host)`,
    )
    this.#all = db.statement((q) => q.selectFrom('queues').select(['collection', 'host']))
    this.#clamp = db.statement(
      (_, slot) => sql<never>`
        update queues set given = min(given, ${slot('now')}), ended = min(ended, ${slot('now')})`,
    )
  }

  /** A queue that may be new; within a transaction that writes. */
  ensure(place: Place): void {
    this.#add().execute({ ...place })
  }

  /** After due times or leases of its addresses have changed, or its rules. Nothing for hosts of other collections. */
  settle(place: Place, event: QueueEvent = {}): void {
    const { collection, host } = place
    if (!this.#crawls.is(collection)) return
    const queue = this.#get().first({ collection, host })
    if (queue === undefined) return
    const [delay, blocked, quota, gave, rested, wereInFlight, dueBefore, readyBefore] = queue
    const [, , , , , , , , inFlight, due] = queue
    const isFull =
      quota > 0 && this.#completed().first({ collection, host, most: quota })!.pages >= quota
    const given = later(gave, event.given)
    const ended = inFlight < wereInFlight ? later(rested, event.ended) : rested
    const state = { delay, blocked, given, ended, due: isFull ? null : due }
    const ready = readyAt(state, delay ?? this.defaultDelay())
    const isSame = inFlight === wereInFlight && due === dueBefore && ready === readyBefore
    if (isSame && given === gave && ended === rested) return
    this.#put().execute({ given, ended, inFlight, due, ready, collection, host })
  }

  /** What is left to be done is to settle it. */
  setRules({ collection, host }: Place, { delay, blockedUntil, limit }: QueueRules): void {
    this.#setRules().run({
      ...{ collection, host },
      ...{ hasDelay: delay === undefined ? 0 : 1, delay: delay ?? null },
      ...{ hasBlock: blockedUntil === undefined ? 0 : 1, blocked: blockedUntil ?? null },
      quota: limit ?? null,
    })
  }

  /** Queues without addresses, with what held for them. */
  remove({ collection, host }: { readonly collection: number; readonly host?: number }): void {
    this.#remove().run({ collection, host: host ?? null })
  }

  /** Every queue: after what holds for all has changed. */
  settleAll(): void {
    for (const place of this.#all().all()) this.settle(place)
  }

  /** Takes back turns that lie ahead of a clock that was set right. */
  setBack(now: UnixSeconds): void {
    this.#clamp().run({ now })
    this.settleAll()
  }

  defaultDelay(): number {
    return delayIn(this.setting(delaySetting))
  }

  setting(name: string): string | undefined {
    return this.#setting().first({ name })?.value
  }

  set(name: string, value: string): void {
    this.#set().run({ name, value })
  }
}

function later(before: number | null, at: number | undefined): number | null {
  return at === undefined ? before : Math.max(before ?? at, at)
}
