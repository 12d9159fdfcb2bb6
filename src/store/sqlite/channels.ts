import { sql } from 'kysely'
import type { ChannelChange, ChannelRecord, NewChannel, UnixSeconds } from '../../model/index.js'
import { channelExists } from '../outbox-rules.js'
import type { Database } from './database.js'
import type { Names } from './names.js'
import { type ChannelRow, channelFrom } from './outbox-rows.js'

/** Channels, their cursors, and who is at work on them. Called inside transactions. */
export class Channels {
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
