import { outcomes } from '../../model/history.js'
import type {
  LoggedVisit,
  VisitList,
  VisitLogQuery,
  VisitQuery,
  VisitRange,
  VisitRecord,
} from '../../model/visit-record.js'
import { type LoggedRow, loggedVisit, visitFrom } from '../report-rows.js'
import { readCursor, writeCursor } from '../request-checks.js'
import { type RowObject, type VisitRow, visitColumns } from '../schema.js'
import { type Key, type PageKey, pageId } from './keys.js'
import { type Database, placesInTransaction, rowsGiven, statement } from './server/database.js'
import type { Session, Value } from './server/session.js'

/**
 * A visit's number is that of its transaction times 4096, and its place there.
 * So numbers need no counter that writers would wait for, and tell a reader how
 * far the log is whole: PostgreSQL knows the oldest transaction under way, and
 * below it nothing can appear any more.
 */

/** From so many rows on COPY takes less time than a statement. */
const manyRows = 500

/** As they lie in the table: the page's key stands for its number. */
const columns = ['number', 'previous', 'host', ...visitColumns.map(([name]) => name)]
const typeOf: Readonly<Record<string, string>> = {
  ...{ number: 'bigint', previous: 'bigint', host: 'bigint', page: 'bigint', bytes: 'bigint' },
  ...Object.fromEntries(
    visitColumns
      .filter(([name]) => name !== 'page' && name !== 'bytes')
      .map(([name, type]) => [
        name,
        type.startsWith('real') ? 'float8' : type.startsWith('integer') ? 'int' : 'text',
      ]),
  ),
}

const insert = statement(`
  insert into visits (${columns.join(', ')})
  select * from unnest(${columns.map((name, at) => `$${at + 1}::${typeOf[name]}[]`).join(', ')})`)

/** A visit with its place in the log. */
export interface NumberedVisit {
  readonly number: number
  readonly previous: number | null
  readonly host: Key
  readonly visit: VisitRow
}

/** Rows that are copied have the connection for themselves; others are sent together with what follows. */
export function isCopied({ length }: readonly NumberedVisit[]): boolean {
  return length >= manyRows
}

export async function appendVisits(
  session: Session,
  visits: readonly NumberedVisit[],
): Promise<void> {
  if (visits.length === 0) return
  const rows = visits.map(({ number, previous, host, visit }): Value[] => [
    ...[number, previous, host],
    ...(visit as readonly Value[]),
  ])
  if (isCopied(visits)) await session.copy({ table: 'visits', columns }, rows)
  else
    await session.run(
      insert,
      columns.map((_, at) => rows.map((row) => row[at]!)),
    )
}

/** From the newest visit of pages back to their first that lies in a range. */
const chain = (pages: string, range: string) => `
  with recursive chain as (
    select visits.* from ${pages} as chosen (host, page)
      cross join lateral (
        select newest_visit from page_states s
        where s.host = chosen.host and s.page = chosen.page offset 0) as page
      cross join lateral (
        select * from visits v
        where v.number = page.newest_visit and v.host = chosen.host ${range} offset 0) as visits
    union all
    select visits.* from chain cross join lateral (
      select * from visits v
      where v.number = chain.previous and v.host = chain.host ${range} offset 0) as visits
  )`

const names = visitColumns.map(([name]) => name).join(', ')
const ofPage = statement(`
  ${chain('(values ($1::bigint, $2::bigint))', 'and v.at >= $3')}
  select ${names} from chain where at < $4 order by at desc limit $5`)

/** Removed visits leave their highest number, so that none is given as the last that is not. */
const keepNumber = statement(`
  update counters set value = greatest(value, gone.number)
  from (
    select max(newest_visit) as number from ${rowsGiven('$1::bigint[], $2::bigint[]')} as wanted (host, page)
      cross join lateral (select newest_visit from page_states s
        where s.host = wanted.host and s.page = wanted.page) as s
  ) as gone
  where counters.name = 'visit' and gone.number > value`)

const remove = statement(`
  ${chain(rowsGiven('$1::bigint[], $2::bigint[]'), '')}
  delete from visits using (
    select number, host from chain limit (select 1000000000)
  ) as gone where visits.number = gone.number and visits.host = gone.host`)

/** Takes away all visits of pages whose hosts are locked. */
export async function removeVisits(
  session: Session,
  places: readonly [readonly Key[], readonly number[]],
): Promise<void> {
  await session.run(keepNumber, [...places])
  await session.run(remove, [...places])
}

export async function visitsOf(
  db: Database,
  { host, page }: PageKey,
  { from, until, newest }: VisitRange = {},
): Promise<VisitRecord[]> {
  const values = [host, page, from ?? -Number.MAX_VALUE, until ?? Number.MAX_VALUE, newest ?? null]
  const rows = await db.read((session) => session.rows<VisitRow>(ofPage, values))
  return rows.reverse().map((row) => visitFrom(objectOf(row)))
}

function objectOf(row: VisitRow): RowObject<typeof visitColumns> {
  return Object.fromEntries(
    visitColumns.map(([name], at) => [name, row[at]]),
  ) as unknown as RowObject<typeof visitColumns>
}

const logged = `
  v.*, v.number, v.host::text as host, p.url, p.page_group, p.tags
  from visits v cross join lateral (
    select url, page_group, tags, collection from pages
    where pages.host = v.host and pages.page = v.page offset 0) as p
  where p.collection = $1`

type FoundVisit = LoggedRow & PageKey & { readonly number: number }

/** All visits of a collection, in the order they were recorded. */
export async function listVisits(
  db: Database,
  { from, until, limit, after }: VisitQuery,
  collection: number,
): Promise<VisitList> {
  const text = `select ${logged} and v.number > $2 and v.at >= $3 and v.at < $4
    order by v.number limit $5`
  const begin = after === undefined ? 0 : readCursor(after).id
  const range = [from ?? -Number.MAX_VALUE, until ?? Number.MAX_VALUE]
  const values = [collection, begin, ...range, limit + 1]
  const rows = await db.read((session) => session.once<FoundVisit>(text, values))
  const visits = rows.slice(0, limit)
  const last = rows.length > limit ? visits[limit - 1] : undefined
  return {
    visits: visits.map((row) => ({ ...visitFrom(row), url: row.url })),
    next: last === undefined ? null : writeCursor({ value: null, id: last.number }),
  }
}

/** Below this number nothing can appear any more. */
const horizon = `(select value from counters where name = 'visit base')
  + pg_snapshot_xmin(pg_current_snapshot())::text::bigint * ${placesInTransaction}`
const highest = statement(`
  select ${horizon},
    greatest((select max(number) from visits), (select value from counters where name = 'visit')),
    greatest((select max(number) from visits where number < ${horizon}),
      (select value from counters where name = 'visit'))`)

/** How long a reader waits for visits that are there already to be given. */
const patience = 500
const step = 3

/** Visits by their number. Each stretch costs what it gives, and a page looked up for each. */
export class VisitLog {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async last(): Promise<number> {
    return (await this.#whole()).last
  }

  async list(query: VisitLogQuery, collection: number): Promise<LoggedVisit[]> {
    const { after = 0, before = Number.MAX_SAFE_INTEGER, limit } = query
    const { end } = await this.#whole()
    // As a literal: an index of changes alone serves no slot.
    const changes =
      query.changesOnly === true ? `and v.outcome = ${outcomes.indexOf('changed')}` : ''
    const order = query.newestFirst === true ? 'desc' : 'asc'
    const text = `select ${logged} and v.number > $2 and v.number < $3 ${changes}
      order by v.number ${order} limit $4`
    const values = [collection, after, Math.min(before, end), limit]
    const rows = await this.#db.read((session) => session.once<FoundVisit>(text, values))
    return rows.map((row) => loggedVisit(row, { number: row.number, page: pageId(row) }))
  }

  /**
   * Where the log ends for now. What its caller has just recorded should be in
   * it: a transaction of somebody else that began before is waited for a little.
   */
  async #whole(): Promise<{ readonly end: number; readonly last: number }> {
    const giveUp = performance.now() + patience
    let wanted: number | undefined
    for (;;) {
      type Row = readonly [end: number, newest: number, last: number]
      const row = await this.#db.read((session) => session.first<Row>(highest))
      const [end, newest, last] = row!
      wanted ??= newest
      if (wanted < end || performance.now() > giveUp) return { end, last }
      await new Promise((resolve) => setTimeout(resolve, step))
    }
  }
}
