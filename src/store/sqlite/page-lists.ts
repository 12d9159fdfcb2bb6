import { type Expression, type ExpressionBuilder, sql } from 'kysely'
import { OptionError } from '../../model/errors.js'
import { outcomes } from '../../model/history.js'
import type { PageFilter, PageList, PageQuery, PageSort } from '../../model/page.js'
import { type PageRow, pageColumns, pageFrom } from '../page-row.js'
import { type ListCursor, readCursor, writeCursor } from '../request-checks.js'
import { hashFactor, hashLimit } from '../rules.js'
import type { Tables } from '../schema.js'
import type { Database } from './file/database.js'
import { queries } from './file/statement.js'
import type { Names } from './hosts.js'

/** The column each order goes by. */
const sortColumns = {
  added: 'pages.id',
  url: 'pages.url',
  due: 'pages.due',
  importance: 'pages.importance',
  lastVisit: 'pages.last_at',
  lastChange: 'pages.last_change',
} as const satisfies Record<PageSort, string>

/**
 * Pages by filter and order, stretch by stretch. The order is found in a
 * narrow index (`pages_by_order`, `pages_by_url`), and only the pages of the
 * stretch are read whole: at 100,000 pages a few milliseconds.
 */
export class PageLists {
  readonly #db: Database
  readonly #collections: Names
  readonly #hosts: Names

  constructor(parts: {
    readonly db: Database
    readonly collections: Names
    readonly hosts: Names
  }) {
    this.#db = parts.db
    this.#collections = parts.collections
    this.#hosts = parts.hosts
  }

  count(filter: PageFilter): number {
    const query = this.#filtered(filter).select((eb) => eb.fn.countAll<number>().as('pages'))
    return this.#db.once(query)[0]?.pages ?? 0
  }

  list(query: PageQuery): PageList {
    const column = sortColumns[query.sort ?? 'added']
    if (column === undefined)
      throw new OptionError(
        'bad-sort',
        `pages can be sorted by ${Object.keys(sortColumns).join(', ')}`,
      )
    const way = query.descending === true ? 'desc' : 'asc'
    const after = query.after === undefined ? null : readCursor(query.after)
    const rows = after?.value === null ? [] : this.#having(query, { column, way, after })
    const missing = query.limit + 1 - rows.length
    // What is due by some time is not without a due time: no need to look for it.
    const lacks = nullable.has(column) && !(query.sort === 'due' && query.dueBy !== undefined)
    if (missing > 0 && lacks) {
      const beyond = after?.value === null ? after.id : 0
      rows.push(...this.#lacking({ ...query, limit: missing }, { column, beyond }))
    }
    return this.#stretch(rows, query)
  }

  /** Pages that have the value, in its order. */
  #having(
    query: PageQuery,
    { column, way, after }: { column: Column; way: 'asc' | 'desc'; after: ListCursor | null },
  ): SortedRow[] {
    const sorted = sortedBy(query, column)
    let found = this.#filtered(query)
      .where(sql<boolean>`${sorted} is not null`)
      .orderBy(sorted, way)
      .orderBy('pages.id')
      .limit(query.limit + 1)
    if (after !== null) found = found.where((eb) => beyond(eb, { column, way, after }))
    return this.#whole(found.select(['pages.id', sql.ref(column).as('value')]))
  }

  /** Pages without the value come last either way, by when they were added. */
  #lacking(query: PageQuery, { column, beyond }: { column: Column; beyond: number }): SortedRow[] {
    const found = this.#filtered(query)
      .where(column, 'is', null)
      .where(sql<boolean>`+pages.id > ${beyond}`)
      .orderBy(sql`+pages.id`)
      .limit(query.limit)
    return this.#whole(found.select(['pages.id', sql.ref(column).as('value')]))
  }

  /** The rows of pages that were chosen, in the order in which they were. */
  #whole(chosen: Expression<unknown>): SortedRow[] {
    const columns = sql.join(pageColumns.map((name) => sql.ref(name)))
    const query = sql`select ${columns}, chosen.value from ${chosen} as chosen
      cross join pages on pages.id = chosen.id`
    return this.#db.once(query, { arrays: true }) as unknown as SortedRow[]
  }

  #filtered(filter: PageFilter) {
    let query = queries
      .selectFrom('pages')
      .where('pages.collection', '=', this.#collections.find(filter.collection) ?? 0)
    if (filter.host !== undefined)
      query = query.where('pages.host', '=', this.#hosts.find(filter.host) ?? 0)
    if (filter.group !== undefined) query = query.where('pages.page_group', '=', filter.group)
    if (filter.outcome !== undefined)
      query = query.where('pages.last_outcome', '=', outcomes.indexOf(filter.outcome))
    if (filter.dueBy !== undefined) query = query.where('pages.due', '<=', filter.dueBy)
    if (filter.urlContains !== undefined)
      query = query.where(sql<boolean>`instr(pages.url, ${filter.urlContains}) > 0`)
    if (filter.share !== undefined)
      query = query.where(
        sql<boolean>`((pages.id & 4294967295) * ${hashFactor}) & 4294967295 < ${hashLimit(filter.share)}`,
      )
    return query
  }

  #stretch(rows: readonly SortedRow[], { collection, limit }: PageQuery): PageList {
    const pages = rows.slice(0, limit)
    const last = rows.length > limit ? pages[limit - 1] : undefined
    return {
      pages: pages.map((row) => pageFrom(row as unknown as PageRow, collection)),
      next:
        last === undefined
          ? null
          : writeCursor({ value: last[last.length - 1] as ListCursor['value'], id: last[0] }),
    }
  }
}

/** A page's row, then the value it is sorted by. */
type SortedRow = readonly [...PageRow, value: ListCursor['value']]

type Column = (typeof sortColumns)[PageSort]

/**
 * A plus hides a column's index from SQLite. Walking along the index is worth
 * it where most pages pass the filter. Where few may, and the index does not
 * hold what the filter looks at, it would read row after row in vain: finding
 * those that pass and sorting them is quicker.
 */
function sortedBy({ sort = 'added', ...filter }: PageQuery, column: Column) {
  const { host, group, outcome, urlContains, dueBy } = filter
  const few = [group, outcome, dueBy].some((each) => each !== undefined)
  // `pages_by_due` holds the pages of each host by due time.
  const hidden =
    (host !== undefined && sort !== 'due') ||
    (few && sort !== 'due') ||
    (urlContains !== undefined && sort === 'added')
  return hidden ? sql`+${sql.ref(column)}` : sql.ref(column)
}

/** Columns that a page may lack. */
const nullable: ReadonlySet<Column> = new Set([
  'pages.due',
  'pages.last_at',
  'pages.last_change',
] as const)

/**
 * Rows that come after the last of the stretch before. SQLite walks to the
 * start of a range, but not to that of two joined by `or`: the first condition
 * is what keeps a later stretch from passing over all those before it.
 */
function beyond(
  eb: ExpressionBuilder<Tables, 'pages'>,
  { column, way, after }: { column: Column; way: 'asc' | 'desc'; after: ListCursor },
) {
  const value = after.value as number
  const further = way === 'desc' ? '<' : '>'
  if (column === 'pages.id') return eb(column, further, after.id)
  return eb.and([
    eb(column, `${further}=`, value),
    eb.or([eb(column, further, value), eb('pages.id', '>', after.id)]),
  ])
}
