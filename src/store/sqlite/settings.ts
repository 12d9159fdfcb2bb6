import type { DayCount } from '../../model/store.js'
import type { Json } from '../../model/units.js'
import { daySum } from '../rules.js'
import type { Database } from './file/database.js'
import type { Names } from './hosts.js'

/** Settings of collections, as JSON. */
export class Settings {
  readonly #collections: Names
  readonly #all
  readonly #one
  readonly #put

  constructor(parts: { readonly db: Database; readonly collections: Names }) {
    this.#collections = parts.collections
    this.#all = parts.db.statement((q, slot) =>
      q
        .selectFrom('settings')
        .select(['name', 'value'])
        .where('collection', '=', slot('collection'))
        .orderBy('name'),
    )
    this.#one = parts.db.statement((q, slot) =>
      q
        .selectFrom('settings')
        .select('value')
        .where('collection', '=', slot('collection'))
        .where('name', '=', slot('name')),
    )
    this.#put = parts.db.statement((q, slot) =>
      q
        .insertInto('settings')
        .values({ collection: slot('collection'), name: slot('name'), value: slot('value') })
        .onConflict((conflict) => conflict.doUpdateSet({ value: slot('value') })),
    )
  }

  all(collection: string): Record<string, Json> {
    const id = this.#collections.find(collection)
    if (id === undefined) return {}
    const rows = this.#all().all({ collection: id })
    return Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value) as Json]))
  }

  get(collection: string, name: string): Json | undefined {
    const id = this.#collections.find(collection)
    const row = id === undefined ? undefined : this.#one().first({ collection: id, name })
    return row === undefined ? undefined : (JSON.parse(row.value) as Json)
  }

  /** Within a transaction that writes; whether it was what it should be. */
  swap(
    collection: string,
    change: { readonly name: string; readonly from: Json | undefined; readonly to: Json },
  ): boolean {
    const { name, from, to } = change
    const isSame = JSON.stringify(this.get(collection, name)) === JSON.stringify(from)
    if (isSame) this.put(collection, { name, value: to })
    return isSame
  }

  /** Within a transaction that writes. */
  addToDay(
    collection: string,
    { name, more }: { readonly name: string; readonly more: DayCount },
  ): DayCount {
    const value = daySum(this.get(collection, name), more)
    this.put(collection, { name, value: value as unknown as Json })
    return value
  }

  put(collection: string, { name, value }: { readonly name: string; readonly value: Json }): void {
    const id = this.#collections.ensure(collection)
    this.#put().run({ collection: id, name, value: JSON.stringify(value) })
  }
}
