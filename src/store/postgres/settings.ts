import type { DayCount } from '../../model/store.js'
import type { Json } from '../../model/units.js'
import { daySum } from '../rules.js'
import type { Collections } from './hosts.js'
import { type Database, statement } from './server/database.js'

const all = statement('select name, value from settings where collection = $1 order by name')
const one = statement('select value from settings where collection = $1 and name = $2')
const locked = statement(
  'select value from settings where collection = $1 and name = $2 for update',
)
const put = statement(`
  insert into settings (collection, name, value) values ($1, $2, $3)
  on conflict (collection, name) do update set value = excluded.value`)
const begin = statement(
  'insert into settings (collection, name, value) values ($1, $2, $3) on conflict do nothing',
)
const swap = statement(
  'update settings set value = $4 where collection = $1 and name = $2 and value = $3',
)

interface Named {
  readonly collection: string
  readonly name: string
}

/** Settings of collections, as JSON. */
export class Settings {
  readonly #db: Database
  readonly #collections: Collections
  /** Sums of one process are made in the order they are asked for. */
  #adding: Promise<unknown> = Promise.resolve()

  constructor(parts: { readonly db: Database; readonly collections: Collections }) {
    this.#db = parts.db
    this.#collections = parts.collections
  }

  async all(collection: string): Promise<Record<string, Json>> {
    const id = await this.#collections.find(collection)
    const rows = await this.#db.read((session) => session.rows<[string, string]>(all, [id]))
    return Object.fromEntries(rows.map(([name, value]) => [name, JSON.parse(value) as Json]))
  }

  async get({ collection, name }: Named): Promise<Json | undefined> {
    const id = await this.#collections.find(collection)
    const row = await this.#db.read((session) => session.first<[string]>(one, [id, name]))
    return row === undefined ? undefined : (JSON.parse(row[0]) as Json)
  }

  async put({ collection, name }: Named, value: Json): Promise<void> {
    const id = await this.#collections.ensure(collection)
    await this.#db.write((session) => session.run(put, [id, name, JSON.stringify(value)]))
  }

  /** Whether it was what it should be. */
  async swap(
    { collection, name }: Named,
    { from, to }: { readonly from: Json | undefined; readonly to: Json },
  ): Promise<boolean> {
    const id = await this.#collections.ensure(collection)
    const text = JSON.stringify(to)
    const changed = await this.#db.write((session) =>
      from === undefined
        ? session.run(begin, [id, name, text])
        : session.run(swap, [id, name, JSON.stringify(from), text]),
    )
    return changed > 0
  }

  addToDay(named: Named, more: DayCount): Promise<DayCount> {
    const sum = this.#adding.then(() => this.#added(named, more))
    this.#adding = sum.catch(() => {})
    return sum
  }

  async #added({ collection, name }: Named, more: DayCount): Promise<DayCount> {
    const id = await this.#collections.ensure(collection)
    return this.#db.write(async (session) => {
      // There is a row to lock, so that all who add do so one after another.
      await session.run(begin, [id, name, 'null'])
      const row = await session.first<[string]>(locked, [id, name])
      const kept = JSON.parse(row![0]) as Json
      const sum = daySum(kept ?? undefined, more)
      await session.run(put, [id, name, JSON.stringify(sum)])
      return sum
    })
  }
}
