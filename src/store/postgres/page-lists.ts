import { OptionError } from '../../model/errors.js'
import { outcomes } from '../../model/history.js'
import type { PageFilter, PageList, PageQuery, PageRecord, PageSort } from '../../model/page.js'
import { readCursor, writeCursor } from '../request-checks.js'
import { hashFactor, hashLimit } from '../rules.js'
import { columnsOfPage, type FoundPage, queueKey, wholePages } from './due-pages.js'
import type { Collections } from './hosts.js'
import { hostKey } from './keys.js'
import type { Pages } from './pages.js'
import type { Database } from './server/database.js'
import type { Session } from './server/session.js'

/** Whether a page is of a group: its own, or one of its tags. */
export const isOfGroup = '(p.page_group = ? or strpos(p.tags, ?) > 0)'

/** How long the beginnings of addresses are by which they are sorted; an index takes no longer ones. */
const addressStart = 'left(p.url, 200) collate "C"'

/** What each order goes by, and which of them a page may lack. */
const sortings = {
  added: { value: 'p.number', learned: false },
  url: { value: 'p.url collate "C"', learned: false },
  due: { value: 's.due', learned: true },
  importance: { value: 'p.importance', learned: false },
  lastVisit: { value: 's.last_at', learned: true },
  lastChange: { value: 's.last_change', learned: true },
} as const satisfies Record<PageSort, { value: string; learned: boolean }>

/** Whether nothing but an order is asked of a collection, or an even share of it. */
function isWhole({ host, group, outcome, dueBy, urlContains }: PageQuery): boolean {
  return [host, group, outcome, dueBy, urlContains].every((each) => each === undefined)
}

/** A condition in the making: its text, with the slots that it takes. */
export class Conditions {
  readonly values: unknown[] = []
  readonly #parts: string[] = []

  /** `?` stands for each value in turn. */
  add(text: string, ...values: readonly unknown[]): this {
    const given = values[Symbol.iterator]()
    this.#parts.push(
      text.replaceAll('?', () => {
        this.values.push(given.next().value)
        return `$${this.values.length}`
      }),
    )
    return this
  }

  get text(): string {
    return this.#parts.join(' and ')
  }
}

const both =
  'pages p join page_states s on s.host = p.host and s.page = p.page and s.collection = p.collection'

/**
 * Pages by filter and order, stretch by stretch. What a page is has indexes. An
 * index of what is learned of it (due, last visit, last change) would be
 * written at each visit: in that order the states of all pages of the collection
 * are gone through, and only those of the stretch read whole.
 *
 * All pages in the order in which they were added, as whoever goes through a
 * collection asks for them, are read along their index by plans that hold: where
 * a collection grew faster than its statistics, the server would sort all of it
 * for each stretch.
 */
export class PageLists {
  readonly #db: Database
  readonly #collections: Collections
  readonly #pages: Pages

  constructor(parts: {
    readonly db: Database
    readonly collections: Collections
    readonly pages: Pages
  }) {
    this.#db = parts.db
    this.#collections = parts.collections
    this.#pages = parts.pages
  }

  async count(filter: PageFilter): Promise<number> {
    const where = await this.#filtered(filter)
    const { outcome, dueBy } = filter
    const from = outcome === undefined && dueBy === undefined ? 'pages p' : both
    const [row] = await this.#db.readTogether((session) =>
      session.once<{ pages: number }>(
        `select count(*) as pages from ${from} where ${where.text}`,
        where.values,
      ),
    )
    return row!.pages
  }

  async list(query: PageQuery): Promise<PageList> {
    const sorting = sortings[query.sort ?? 'added']
    if (sorting === undefined)
      throw new OptionError(
        'bad-sort',
        `pages can be sorted by ${Object.keys(sortings).join(', ')}`,
      )
    const after = query.after === undefined ? undefined : readCursor(query.after)
    const rows =
      after?.value === null
        ? []
        : sorting.learned
          ? await this.#learned(query, after)
          : await this.#having(query, after)
    const missing = query.limit + 1 - rows.length
    // What is due by some time is not without a due time: no need to look for it.
    const lacks = sorting.learned && !(query.sort === 'due' && query.dueBy !== undefined)
    if (missing > 0 && lacks)
      rows.push(...(await this.#lacking(query, after?.value === null ? after.id : 0, missing)))
    const stretch = rows.slice(0, query.limit)
    const last = rows.length > query.limit ? stretch.at(-1) : undefined
    const pages: PageRecord[] = []
    for (const { page, key } of stretch) pages.push(await this.#pages.record(page, key))
    return {
      pages,
      next: last === undefined ? null : writeCursor({ value: last.value, id: last.number }),
    }
  }

  /** In the order of what is learned of them: pages as far along as the last of the stretch before, then the others. */
  async #learned(query: PageQuery, after: ReturnType<typeof readCursor> | undefined) {
    const { value } = sortings[query.sort ?? 'due']
    const limit = query.limit + 1
    if (after === undefined) return this.#furthest(query, limit)
    const same = (await this.#filtered(query)).add(`${value} = ?`, after.value)
    same.add('p.number > ?', after.id)
    const rows = await this.#rows(same, { value, order: 'p.number', limit })
    if (rows.length < limit)
      rows.push(...(await this.#furthest(query, limit - rows.length, after.value)))
    return rows
  }

  /** The next beyond a value. Which they are is found from the states alone, where the filter is about these alone. */
  async #furthest(query: PageQuery, limit: number, beyond?: number | string | null) {
    const { value } = sortings[query.sort ?? 'due']
    const way = query.descending === true ? 'desc' : 'asc'
    const { group, urlContains, share } = query
    const isNarrow = group === undefined && urlContains === undefined && share === undefined
    const where = await this.#filtered(query, isNarrow ? 's' : 'p')
    if (beyond === undefined) where.add(`${value} is not null`)
    else where.add(`${value} ${way === 'desc' ? '<' : '>'} ?`, beyond)
    const chosen = `(
      select s.host, s.page, ${value} as sorted from ${isNarrow ? 'page_states s' : both}
      where ${where.text} order by ${value} ${way} fetch first ${Math.floor(limit)} rows with ties
    ) as chosen`
    return this.#read(
      `select ${columnsOfPage}, ${queueKey}, chosen.sorted, p.number from ${chosen} ${wholePages}
       order by chosen.sorted ${way}, p.number limit ${Math.floor(limit)}`,
      where.values,
    )
  }

  /** Pages that have the value, in its order. */
  async #having(query: PageQuery, after: ReturnType<typeof readCursor> | undefined) {
    const sort = query.sort ?? 'added'
    const { value } = sortings[sort]
    const way = query.descending === true ? 'desc' : 'asc'
    const further = way === 'desc' ? '<' : '>'
    const where = await this.#filtered(query)
    if (after !== undefined && sort === 'added') where.add(`p.number ${further} ?`, after.id)
    else if (after !== undefined) {
      // A stretch begins where an index can be entered.
      if (sort === 'url') where.add(`${addressStart} ${further}= left(?, 200)`, after.value)
      else where.add(`${value} ${further}= ?`, after.value)
      where.add(`(${value} ${further} ? or p.number > ?)`, after.value, after.id)
    }
    const start = sort === 'url' ? `${addressStart} ${way}, ` : ''
    return this.#rows(where, {
      value,
      order: `${start}${value} ${way}${sort === 'added' ? '' : ', p.number'}`,
      limit: query.limit + 1,
      along: sort === 'added' && isWhole(query),
    })
  }

  /** Pages without the value come last either way, by when they were added. */
  async #lacking(query: PageQuery, beyond: number, limit: number) {
    const { value } = sortings[query.sort ?? 'added']
    const where = await this.#filtered(query)
    where.add(`${value} is null`).add('p.number > ?', beyond)
    return this.#rows(where, { value: 'null', order: 'p.number', limit })
  }

  async #rows(
    where: Conditions,
    how: { value: string; order: string; limit: number; along?: boolean },
  ) {
    const text = `select ${columnsOfPage}, ${queueKey}, ${how.value}, p.number from ${both}
      where ${where.text} order by ${how.order} limit ${Math.floor(how.limit)}`
    return this.#read(text, where.values, how.along)
  }

  async #read(text: string, values: readonly unknown[], along = false) {
    const work = (session: Session) => session.onceArrays<readonly unknown[]>(text, values)
    const rows = along ? await this.#db.read(work) : await this.#db.readTogether(work)
    return rows.map((row) => ({
      page: row.slice(0, -3) as unknown as FoundPage,
      key: row.at(-3) as string | null,
      value: row.at(-2) as number | string | null,
      number: row.at(-1) as number,
    }))
  }

  /** `of` names the table by which collection and host go: that of what pages are, or of what is learned of them. */
  async #filtered(filter: PageFilter, of: 'p' | 's' = 'p'): Promise<Conditions> {
    const { host, group, outcome, dueBy, urlContains, share } = filter
    const where = new Conditions()
    where.add(`${of}.collection = ?`, await this.#collections.find(filter.collection))
    if (host !== undefined) where.add(`${of}.host = ?::bigint`, hostKey(host))
    if (group !== undefined) where.add(isOfGroup, group, JSON.stringify(group))
    if (outcome !== undefined) where.add('s.last_outcome = ?', outcomes.indexOf(outcome))
    if (dueBy !== undefined) where.add('s.due <= ?', dueBy)
    if (urlContains !== undefined) where.add('strpos(p.url, ?) > 0', urlContains)
    if (share !== undefined)
      where.add(
        `((p.number & 4294967295) * ${hashFactor}) & 4294967295 < ?::bigint`,
        hashLimit(share),
      )
    return where
  }
}
