import type { Database } from './database.js'

/** Enough for the hosts at work; beyond it the cache starts again. */
const cached = 50_000

/** Collections and hosts by name: the small integers that stand for them in this file. */
export class Names {
  readonly #table: 'collections' | 'hosts'
  readonly #ids = new Map<string, number>()
  readonly #names = new Map<number, string>()
  readonly #find
  readonly #add
  readonly #name
  readonly #all

  constructor(db: Database, table: 'collections' | 'hosts') {
    this.#table = table
    this.#find = db.statement((q, slot) =>
      q.selectFrom(this.#table).select('id').where('name', '=', slot('name')),
    )
    this.#name = db.statement((q, slot) =>
      q.selectFrom(this.#table).select('name').where('id', '=', slot('id')),
    )
    this.#all = db.statement((q) => q.selectFrom(this.#table).select('name').orderBy('name'))
    this.#add = db.statement((q, slot) => q.insertInto(this.#table).values({ name: slot('name') }))
    // An id given in a transaction that was undone may be given again to another name.
    db.onUndo(() => this.#clear())
  }

  /** The id of a name; undefined where the store has never heard of it. */
  find(name: string): number | undefined {
    const known = this.#ids.get(name) ?? this.#find().first({ name })?.id
    if (known !== undefined) this.#keep(name, known)
    return known
  }

  /** The id of a name, new if need be; within a transaction that writes. */
  ensure(name: string): number {
    const known = this.find(name)
    if (known !== undefined) return known
    const id = this.#add().insert({ name })
    this.#keep(name, id)
    return id
  }

  nameOf(id: number): string {
    const name = this.#names.get(id) ?? this.#name().first({ id })?.name ?? ''
    this.#keep(name, id)
    return name
  }

  all(): string[] {
    return this.#all()
      .all()
      .map(({ name }) => name)
  }

  #keep(name: string, id: number): void {
    if (this.#ids.size >= cached) this.#clear()
    this.#ids.set(name, id)
    this.#names.set(id, name)
  }

  #clear(): void {
    this.#ids.clear()
    this.#names.clear()
  }
}
