import { type RawBuilder, sql } from 'kysely'
import { outcomes } from '../../model/history.js'
import type {
  LoggedVisit,
  VisitList,
  VisitLogQuery,
  VisitQuery,
  VisitRange,
  VisitRecord,
} from '../../model/visit-record.js'
import { loggedVisit, visitFrom } from '../report-rows.js'
import { readCursor, writeCursor } from '../request-checks.js'
import { type VisitRow, type VisitsTable, visitColumns } from '../schema.js'
import type { Database } from './file/database.js'
import { queries, type SlotOf } from './file/statement.js'

type FoundVisit = Omit<VisitsTable, 'id'> & { id: number }

/** Visits: appended, and read back along the chain of their page. */
export class Visits {
  readonly #append
  readonly #chain
  readonly #list
  readonly #remove
  readonly #keepNumber

  constructor(db: Database) {
    const columns = ['id', 'previous', ...visitColumns.map(([name]) => name)]
    this.#append = db.statement(
      (_, slot) => sql<never>`
        insert into visits (${sql.join(columns.map((name) => sql.ref(name)))})
        values (${sql.join(columns.map((name) => slot(name)))})`,
    )
    this.#chain = db.statement((_, slot) => chain(slot))
    this.#list = db.statement((q, slot) =>
      q
        .selectFrom('visits')
        .innerJoin('pages', 'pages.id', 'visits.page')
        .selectAll('visits')
        .select('pages.url')
        .where('pages.collection', '=', slot('collection'))
        .where('visits.id', '>', slot('after'))
        .where('visits.at', '>=', slot('from'))
        .where('visits.at', '<', slot('until'))
        .orderBy('visits.id')
        .limit(slot('limit')),
    )
    this.#remove = db.statement((q, slot) => q.deleteFrom('visits').where('id', '=', slot('id')))
    this.#keepNumber = db.statement(
      () => sql<never>`
        update counters set value = max(value, (select coalesce(max(id), 0) from visits))
        where name = 'visit'`,
    )
  }

  /** The number comes from `VisitLog.last`: SQLite's own would be given again once the newest visits have been removed. */
  append(
    visit: VisitRow,
    place: { readonly number: number; readonly previous: number | null },
  ): void {
    this.#append().execute([place.number, place.previous, ...visit])
  }

  of(page: number, range: VisitRange = {}): VisitRecord[] {
    return this.#rows(page, range).reverse().map(visitFrom)
  }

  removeAll(page: number): void {
    this.#keepNumber().run()
    for (const { id } of this.#rows(page, {})) this.#remove().run({ id })
  }

  list({ from, until, limit, after }: VisitQuery, collection: number): VisitList {
    const rows = this.#list().all({
      collection,
      after: after === undefined ? 0 : readCursor(after).id,
      from: from ?? -Number.MAX_VALUE,
      until: until ?? Number.MAX_VALUE,
      limit: limit + 1,
    })
    const visits = rows.slice(0, limit)
    const last = rows.length > limit ? visits[limit - 1] : undefined
    return {
      visits: visits.map((row) => ({ ...visitFrom(row), url: row.url })),
      next: last === undefined ? null : writeCursor({ value: null, id: last.id }),
    }
  }

  /** Newest first. */
  #rows(page: number, { from, until, newest }: VisitRange): FoundVisit[] {
    return this.#chain().all({
      page,
      from: from ?? -Number.MAX_VALUE,
      until: until ?? Number.MAX_VALUE,
      newest: newest ?? -1,
    })
  }
}

/** From the newest visit back to the first that lies in the range. */
function chain(slot: SlotOf): RawBuilder<FoundVisit> {
  return sql<FoundVisit>`
    with recursive chain as (
      select visits.* from pages join visits on visits.id = pages.newest_visit
      where pages.id = ${slot('page')} and visits.at >= ${slot('from')}
      union all
      select visits.* from chain join visits on visits.id = chain.previous
      where visits.at >= ${slot('from')}
    )
    select * from chain where at < ${slot('until')} limit ${slot('newest')}`
}

/** A number that no visit reaches: whole, and exact as a float. */
const beyondAll = Number.MAX_SAFE_INTEGER

/** Visits by their number. Each stretch costs what it gives, and a page looked up for each. */
export class VisitLog {
  readonly #db: Database
  readonly #last

  constructor(db: Database) {
    this.#db = db
    this.#last = db.statement(
      () => sql<{ last: number }>`
        select max(coalesce(max(id), 0),
          (select value from counters where name = 'visit')) as last from visits`,
    )
  }

  last(): number {
    return this.#last().first()!.last
  }

  list(query: VisitLogQuery, collection: number): LoggedVisit[] {
    const { after = 0, before = beyondAll, limit } = query
    let found = queries
      .selectFrom('visits')
      .innerJoin('pages', 'pages.id', 'visits.page')
      .selectAll('visits')
      .select(['pages.url', 'pages.page_group', 'pages.tags'])
      .where('visits.id', '>', after)
      .where('visits.id', '<', before)
      .where('pages.collection', '=', collection)
      .orderBy('visits.id', query.newestFirst === true ? 'desc' : 'asc')
      .limit(limit)
    // As a literal: an index of changes alone serves no slot.
    if (query.changesOnly === true)
      found = found.where(sql<boolean>`visits.outcome = ${sql.lit(outcomes.indexOf('changed'))}`)
    return this.#db
      .once(found)
      .map((row) => loggedVisit(row, { number: row.id, page: String(row.page) }))
  }
}
