import { sql } from 'kysely'
import type { Database } from './database.js'

/** One host of one collection. */
export interface Place {
  readonly collection: number
  readonly host: number
}

/**
 * One row for each host of a collection, kept in step with its pages in the
 * same transaction, so that a lease among a million pages reads only hosts that
 * are ready.
 */
export class Frontier {
  readonly #grow
  readonly #settle
  readonly #blocked
  readonly #empty

  constructor(db: Database) {
    this.#grow = db.statement(
      (_, slot) => sql<never>`
        insert into frontier (collection, host, pages, blocked)
        values (${slot('collection')}, ${slot('host')}, ${slot('pages')},
          (select blocked_until from hosts where id = ${slot('host')}))
        on conflict do update set pages = pages + excluded.pages`,
    )
    this.#settle = db.statement(
      (_, slot) => sql<never>`
        update frontier set due = (
          select min(due) from pages
          where pages.collection = frontier.collection and pages.host = frontier.host
            and due is not null),
          served = coalesce(max(served, ${slot('at')}), served, ${slot('at')})
        where collection = ${slot('collection')} and host = ${slot('host')}`,
    )
    this.#blocked = db.statement((q, slot) =>
      q
        .updateTable('frontier')
        .set({ blocked: slot('until') })
        .where('host', '=', slot('host'))
        .where('blocked', 'is not', slot('until')),
    )
    this.#empty = db.statement((q, slot) =>
      q
        .deleteFrom('frontier')
        .where('collection', '=', slot('collection'))
        .where('host', '=', slot('host'))
        .where('pages', '=', 0),
    )
  }

  /** So many pages more, or fewer. */
  grow({ collection, host }: Place, pages: number): void {
    this.#grow().run({ collection, host, pages })
  }

  /**
   * After due times of its pages have changed, or one was visited: hosts that
   * have waited longer come first.
   */
  settle({ collection, host }: Place, servedAt: number | null): void {
    this.#settle().execute({ collection, host, at: servedAt })
  }

  /** Its pages wait until then, in all collections. */
  blocked(host: number, until: number | null): void {
    this.#blocked().execute({ host, until })
  }

  dropIfEmpty({ collection, host }: Place): void {
    this.#empty().run({ collection, host })
  }
}
