import { sql } from 'kysely'
import { type LoggedVisit, outcomes, type VisitLogQuery } from '../../model/index.js'
import type { Database } from './database.js'
import { queries } from './statement.js'
import { type VisitRow, visitFrom } from './visits.js'

type LoggedRow = VisitRow & { readonly url: string; readonly page_group: string | null }

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
      .select(['pages.url', 'pages.page_group'])
      .where('visits.id', '>', after)
      .where('visits.id', '<', before)
      .where('pages.collection', '=', collection)
      .orderBy('visits.id', query.newestFirst === true ? 'desc' : 'asc')
      .limit(limit)
    // As a literal: an index of changes alone serves no slot.
    if (query.changesOnly === true)
      found = found.where(sql<boolean>`visits.outcome = ${sql.lit(outcomes.indexOf('changed'))}`)
    return this.#db.once(found).map((row) => loggedVisit(row as unknown as LoggedRow))
  }
}

function loggedVisit(row: LoggedRow): LoggedVisit {
  const { id, page, url, page_group: group } = row
  const place = { id: String(page), url, ...(group === null ? {} : { group }) }
  return { ...visitFrom(row), number: id, page: place }
}
