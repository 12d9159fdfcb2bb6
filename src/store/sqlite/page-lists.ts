import { type ExpressionBuilder, sql } from 'kysely'
import {
  OptionError,
  outcomes,
  type PageFilter,
  type PageList,
  type PageQuery,
  type PageSort,
} from '../../model/index.js'
import { type ListCursor, readCursor, writeCursor } from '../list-cursor.js'
import type { Database } from './database.js'
import type { Names } from './names.js'
import { type PageRow, pageColumns, pageFrom } from './page-row.js'
import { queries } from './statement.js'
import type { Tables } from './tables.js'

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
 * Pages by filter and order, stretch by stretch. An order other than `added`
 * reads all pages that pass the filter: about a second for a million.
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
    let found = this.#filtered(query)
      .select([...pageColumns, sql<number | string | null>`${sql.ref(column)}`.as('value')])
      .orderBy(sql`${sql.ref(column)} is null`)
      .orderBy(column, way)
      .orderBy('pages.id')
      .limit(query.limit + 1)
    if (query.after !== undefined) {
      const after = query.after
      found = found.where((eb) => beyond(eb, { column, way, after }))
    }
    const rows = this.#db.once(found, { arrays: true }) as unknown as SortedRow[]
    return this.#stretch(rows, query)
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

/** Rows that come after the last of the stretch before; those without the value come last. */
function beyond(
  eb: ExpressionBuilder<Tables, 'pages'>,
  { column, way, after }: { column: Column; way: 'asc' | 'desc'; after: string },
) {
  const { value, id } = readCursor(after)
  const later = eb('pages.id', '>', id)
  if (value === null) return eb.and([eb(column, 'is', null), later])
  return eb.or([
    eb(column, 'is', null),
    eb(column, way === 'desc' ? '<' : '>', value as number),
    eb.and([eb(column, '=', value as number), later]),
  ])
}
