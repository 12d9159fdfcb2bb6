import { type SqlBool, sql } from 'kysely'
import {
  type ChangeFilter,
  type ChangeList,
  type ChangeQuery,
  type Inbox,
  type NewChange,
  type SeenMark,
  searchWords,
  type UnseenCounts,
  wordsOfChange,
} from '../../model/inbox.js'
import {
  type ChangeRow,
  changeFrom,
  countedRows,
  mostSearchWords,
  type UnseenRow,
} from '../inbox-rules.js'
import { rowId } from '../page-row.js'
import type { Database } from './file/database.js'
import type { Names } from './hosts.js'
import { pagesOfGroup } from './page-lists.js'

/** Changes by the number of their visit, and their words in an index of SQLite's FTS5. */
export class SqliteInbox implements Inbox {
  readonly #db: Database
  readonly #collections: Names
  readonly #add
  readonly #addWords
  readonly #page
  readonly #ofPage
  readonly #oldest
  readonly #remove
  readonly #removeWords

  constructor({ db, collections }: { readonly db: Database; readonly collections: Names }) {
    this.#db = db
    this.#collections = collections
    this.#add = db.statement(
      (_, slot) => sql<never>`insert into changes
        (number, collection, page, at, previous, title, removed, added, share, note)
        values (${slot('number')}, ${slot('collection')}, ${slot('page')}, ${slot('at')},
          ${slot('previous')}, ${slot('title')}, ${slot('removed')}, ${slot('added')},
          ${slot('share')}, ${slot('note')}) on conflict do nothing`,
    )
    this.#addWords = db.statement(
      (_, slot) =>
        sql<never>`insert into change_words (rowid, words) values (${slot('number')}, ${slot('words')})`,
    )
    this.#page = db.statement((q, slot) =>
      q
        .selectFrom('pages')
        .select('url')
        .where('id', '=', slot('id'))
        .where('collection', '=', slot('collection')),
    )
    this.#ofPage = db.statement((q, slot) =>
      q.selectFrom('changes').select('number').where('page', '=', slot('page')),
    )
    this.#oldest = db.statement(
      (_, slot) => sql<{ number: number }>`select number from changes
        where collection = ${slot('collection')} order by number desc limit -1 offset ${slot('most')}`,
    )
    this.#remove = db.statement((q, slot) =>
      q.deleteFrom('changes').where('number', '=', slot('number')),
    )
    this.#removeWords = db.statement(
      (_, slot) => sql<never>`delete from change_words where rowid = ${slot('number')}`,
    )
  }

  async add(collection: string, changes: readonly NewChange[]) {
    this.#db.write(() => {
      const place = this.#collections.ensure(collection)
      for (const { text, page, ...change } of changes) {
        const id = rowId(page)
        const url = this.#page().first({ id, collection: place })?.url
        if (url === undefined) continue
        const { number } = change
        if (this.#add().run({ ...change, page: id, collection: place }) === 0) continue
        const words = wordsOfChange({ title: change.title, text }, url)
        this.#addWords().run({ number, words: words.join(' ') })
      }
    })
  }

  async list(query: ChangeQuery): Promise<ChangeList> {
    return this.#db.read(() => {
      const { before = Number.MAX_SAFE_INTEGER, limit } = query
      const { from, number, where } = this.#chosen(query)
      const rows = this.#db.once(
        sql<
          ChangeRow & { page: number; seen: number }
        >`select changes.*, pages.url, pages.title as page_title, pages.page_group,
          pages.tags from ${from} cross join pages on pages.id = changes.page
          where ${where} and ${number} < ${before} order by ${number} desc limit ${limit + 1}`,
      )
      const changes = rows
        .slice(0, limit)
        .map((row) => changeFrom(row, { page: String(row.page), seen: row.seen === 1 }))
      return { changes, next: rows.length > limit ? (changes.at(-1)?.number ?? null) : null }
    })
  }

  async unseen(collection: string): Promise<UnseenCounts> {
    return this.#db.read(() => {
      const query = sql<UnseenRow>`
        select counted.unseen, pages.page_group, pages.tags from
          (select page, count(*) as unseen from changes indexed by changes_unseen
            where collection = ${this.#collections.find(collection) ?? 0} and seen = 0
            group by page) as counted
          join pages on pages.id = counted.page`
      return countedRows(this.#db.once(query))
    })
  }

  async mark({ seen, numbers, upTo, ...filter }: SeenMark): Promise<number> {
    return this.#db.write(() => {
      const { from, number, where } = this.#chosen(filter)
      const among = JSON.stringify(numbers ?? [])
      const some =
        numbers === undefined
          ? sql`true`
          : sql`${number} in (select value from json_each(${among}))`
      const chosen = sql<{ number: number }>`select ${number} as number from ${from}
        where ${where} and changes.seen = ${seen ? 0 : 1} and ${some}
          and ${number} <= ${upTo ?? Number.MAX_SAFE_INTEGER}`
      const found = this.#db.once(chosen).length
      this.#db.once(
        sql<never>`update changes set seen = ${seen ? 1 : 0} where number in (${chosen})`,
      )
      return found
    })
  }

  async keepNewest(collection: string, most: number): Promise<number> {
    return this.#db.write(() => {
      const place = this.#collections.find(collection) ?? 0
      return this.#forget(this.#oldest().all({ collection: place, most }))
    })
  }

  /** With its page; called inside a transaction. */
  removeAll(page: number): void {
    this.#forget(this.#ofPage().all({ page }))
  }

  #forget(rows: readonly { readonly number: number }[]): number {
    for (const { number } of rows) {
      this.#remove().run({ number })
      this.#removeWords().run({ number })
    }
    return rows.length
  }

  /**
   * Where changes are looked for, and by which conditions. A search goes along
   * the index of words, newest first, and so ends with the stretch that it gives.
   */
  #chosen({ collection, group, page, unseen, search }: ChangeFilter) {
    const place = this.#collections.find(collection) ?? 0
    const conditions = [sql<SqlBool>`changes.collection = ${place}`]
    if (page !== undefined) conditions.push(sql`changes.page = ${rowId(page)}`)
    if (group !== undefined) conditions.push(sql`changes.page in ${pagesOfGroup(place, group)}`)
    if (unseen === true) conditions.push(sql`changes.seen = 0`)
    const words = searchWords(search ?? '').slice(0, mostSearchWords)
    if (search !== undefined && words.length === 0) conditions.push(sql`false`)
    const match = words.map((word) => `"${word}"*`).join(' AND ')
    // Letters and digits alone: nothing in them is a sign of the query language.
    if (words.length > 0) conditions.push(sql`change_words match ${match}`)
    const where = sql.join(conditions, sql` and `)
    if (words.length === 0) return { from: sql`changes`, number: sql`changes.number`, where }
    const from = sql`change_words cross join changes on changes.number = change_words.rowid`
    return { from, number: sql`change_words.rowid`, where }
  }
}
