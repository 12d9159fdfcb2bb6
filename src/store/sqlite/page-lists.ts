import { type Expression, type ExpressionBuilder, sql } from 'kysely'
import { OptionError } from '../../model/errors.js'
import { outcomes } from '../../model/history.js'
import type { PageFilter, PageList, PageQuery, PageSort } from '../../model/page.js'
import { type ListCursor, readCursor, writeCursor } from '../request-checks.js'
import { hashFactor, hashLimit } from '../rules.js'
import { column, type PageColumn, type PageRow, pageColumns, type Tables } from '../schema.js'
import { columnsOfPage } from './due-pages.js'
import type { Database } from './file/database.js'
import { queries } from './file/statement.js'
import type { Names } from './hosts.js'
import type { Pages } from './pages.js'

/** The column each order goes by. */
const sortColumns = {
  added: 'id',
  url: 'url',
  due: 'due',
  importance: 'importance',
  lastVisit: 'last_at',
  lastChange: 'last_change',
} as const satisfies Record<PageSort, PageColumn>

/**
 * Pages by filter and order, stretch by stretch. The order is found in a
 * narrow index (`pages_by_order`, `pages_by_url`), and only the pages of the
 * stretch are read whole: at 100,000 pages a few milliseconds.
 */
export class PageLists {
  readonly #db: Database
  readonly #collections: Names
  readonly #hosts: Names
  readonly #pages: Pages

  constructor(parts: {
    readonly db: Database
    readonly collections: Names
    readonly hosts: Names
    readonly pages: Pages
  }) {
    this.#db = parts.db
    this.#collections = parts.collections
    this.#hosts = parts.hosts
    this.#pages = parts.pages
  }

  count(filter: PageFilter): number {
    const query = this.#filtered(filter).select((eb) => eb.fn.countAll<number>().as('pages'))
    return this.#db.once(query)[0]?.pages ?? 0
  }

  list(query: PageQuery): PageList {
    const name = sortColumns[query.sort ?? 'added']
    if (name === undefined)
      throw new OptionError(
        'bad-sort',
        `pages can be sorted by ${Object.keys(sortColumns).join(', ')}`,
      )
    const way = query.descending === true ? 'desc' : 'asc'
    const after = query.after === undefined ? null : readCursor(query.after)
    const rows = after?.value === null ? [] : this.#having(query, { name, way, after })
    const missing = query.limit + 1 - rows.length
    // What is due by some time is not without a due time: no need to look for it.
    const lacks = nullable.has(name) && !(query.sort === 'due' && query.dueBy !== undefined)
    if (missing > 0 && lacks) {
      const beyond = after?.value === null ? after.id : 0
      rows.push(...this.#lacking({ ...query, limit: missing }, { name, beyond }))
    }
    return this.#stretch(rows, query, name)
  }

  /** Pages that have the value, in its order. */
  #having(
    query: PageQuery,
    { name, way, after }: { name: SortColumn; way: 'asc' | 'desc'; after: ListCursor | null },
  ): PageRow[] {
    const sorted = sortedBy(query, name)
    let found = this.#filtered(query)
      .where(sql<boolean>`${sorted} is not null`)
      .orderBy(sorted, way)
      .orderBy('pages.id')
      .limit(query.limit + 1)
    if (after !== null) found = found.where((eb) => beyond(eb, { name, way, after }))
    return this.#whole(found.select('pages.id'))
  }

  /** Pages without the value come last either way, by when they were added. */
  #lacking(query: PageQuery, { name, beyond }: { name: SortColumn; beyond: number }): PageRow[] {
    const found = this.#filtered(query)
      .where(`pages.${name}`, 'is', null)
      .where(sql<boolean>`+pages.id > ${beyond}`)
      .orderBy(sql`+pages.id`)
      .limit(query.limit)
    return this.#whole(found.select('pages.id'))
  }

  /** The rows of pages that were chosen, in the order in which they were. */
  #whole(chosen: Expression<unknown>): PageRow[] {
    const query = sql<PageRow>`select ${columnsOfPage()} from ${chosen} as chosen
      cross join pages on pages.id = chosen.id`
    return this.#db.once(query, { arrays: true })
  }

  #filtered(filter: PageFilter) {
    const collection = this.#collections.find(filter.collection) ?? 0
    let query = queries.selectFrom('pages').where('pages.collection', '=', collection)
    if (filter.host !== undefined)
      query = query.where('pages.host', '=', this.#hosts.find(filter.host) ?? 0)
    if (filter.group !== undefined)
      query = query.where('pages.id', 'in', pagesOfGroup(collection, filter.group))
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

  #stretch(rows: readonly PageRow[], { limit }: PageQuery, name: SortColumn): PageList {
    const pages = rows.slice(0, limit)
    const last = rows.length > limit ? pages[limit - 1] : undefined
    return {
      pages: pages.map((row) => this.#pages.record(row)),
      next:
        last === undefined ? null : writeCursor({ value: last[column[name]], id: last[column.id] }),
    }
  }
}

/**
 * The ids of pages of a group: by their own group in a narrow index, and by
 * their tags in one that only pages with tags are in.
 */
export function pagesOfGroup(collection: number, group: string) {
  const tagged = queries
    .selectFrom('pages')
    .select('id')
    .where('collection', '=', collection)
    .where('tags', 'is not', null)
    .where(sql<boolean>`instr(tags, ${JSON.stringify(group)}) > 0`)
  return queries
    .selectFrom('pages')
    .select('id')
    .where('collection', '=', collection)
    .where('page_group', '=', group)
    .unionAll(tagged)
}

type SortColumn = (typeof sortColumns)[PageSort]

/**
 * A plus hides a column's index from SQLite. Walking along the index is worth
 * it where most pages pass the filter. Where few may, and the index does not
 * hold what the filter looks at, it would read row after row in vain: finding
 * those that pass and sorting them is quicker.
 */
function sortedBy({ sort = 'added', ...filter }: PageQuery, name: SortColumn) {
  const { host, group, outcome, urlContains, dueBy } = filter
  const few = [group, outcome, dueBy].some((each) => each !== undefined)
  // `pages_by_due` holds the pages of each host by due time.
  const hidden =
    (host !== undefined && sort !== 'due') ||
    (few && sort !== 'due') ||
    (urlContains !== undefined && sort === 'added')
  const sorted = sql.ref(`pages.${name}`)
  return hidden ? sql`+${sorted}` : sorted
}

/** Columns that a page may lack. */
const nullable: ReadonlySet<string> = new Set(
  pageColumns.filter(([, type]) => type.endsWith('?')).map(([name]) => name),
)

/**
 * Rows that come after the last of the stretch before. SQLite walks to the
 * start of a range, but not to that of two joined by `or`: the first condition
 * is what keeps a later stretch from passing over all those before it.
 */
function beyond(
  eb: ExpressionBuilder<Tables, 'pages'>,
  { name, way, after }: { name: SortColumn; way: 'asc' | 'desc'; after: ListCursor },
) {
  const value = after.value as number
  const further = way === 'desc' ? '<' : '>'
  if (name === 'id') return eb('pages.id', further, after.id)
  return eb.and([
    eb(`pages.${name}`, `${further}=`, value),
    eb.or([eb(`pages.${name}`, further, value), eb('pages.id', '>', after.id)]),
  ])
}
