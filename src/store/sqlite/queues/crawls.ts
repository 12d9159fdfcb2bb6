import { sql } from 'kysely'
import { notACrawl } from '../../queue-rules.js'
import type { Database } from '../file/database.js'
import type { Names } from '../hosts.js'

/** Which collections are crawls of the frontier: pages of those are given out by their queues alone. */
export class Crawls {
  readonly #collections: Names
  /** As of the last time that another process wrote. */
  readonly #known = new Map<number, boolean>()
  readonly #is
  readonly #mark
  readonly #hasPages
  readonly #all

  constructor({ db, collections }: { readonly db: Database; readonly collections: Names }) {
    this.#collections = collections
    this.#is = db.statement((q, slot) =>
      q.selectFrom('collections').select('queued').where('id', '=', slot('id')),
    )
    this.#mark = db.statement((q, slot) =>
      q.updateTable('collections').set({ queued: 1 }).where('id', '=', slot('id')),
    )
    this.#hasPages = db.statement((q, slot) =>
      q.selectFrom('frontier').select('host').where('collection', '=', slot('id')).limit(1),
    )
    this.#all = db.statement(
      () => sql<{ id: number; name: string }>`
        select id, name from collections
        where queued = 1 and exists (select 1 from queues where collection = collections.id)
        order by name`,
    )
    db.onOtherWrite(() => this.#known.clear())
  }

  is(collection: number): boolean {
    const known = this.#known.get(collection)
    if (known !== undefined) return known
    const found = this.#is().first({ id: collection })?.queued === 1
    this.#known.set(collection, found)
    return found
  }

  /** The number of a crawl; undefined where there is none of that name. */
  find(name: string): number | undefined {
    const id = this.#collections.find(name)
    return id !== undefined && this.is(id) ? id : undefined
  }

  /** The same, new if need be; within a transaction that writes. Refuses a collection that has pages of its own. */
  ensure(name: string): number {
    const id = this.#collections.ensure(name)
    if (this.is(id)) return id
    if (this.#hasPages().first({ id }) !== undefined) throw notACrawl(name)
    this.#mark().run({ id })
    this.#known.set(id, true)
    return id
  }

  /** Those with queues. */
  all(): { readonly id: number; readonly name: string }[] {
    return this.#all().all()
  }
}
