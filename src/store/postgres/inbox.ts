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
import type { Collections } from './hosts.js'
import { type PageKey, pageId, pageKey } from './keys.js'
import { Conditions, isOfGroup } from './page-lists.js'
import { type Database, rowsGiven, statement } from './server/database.js'
import type { Session } from './server/session.js'

/** Pages that changes are of, kept from being taken away meanwhile. */
const findPages = statement(`
  select wanted.place::int, p.url
  from ${rowsGiven('$1::bigint[], $2::bigint[]', 'with ordinality')} as wanted (host, page, place)
    cross join lateral (select url from pages
      where pages.host = wanted.host and pages.page = wanted.page and pages.collection = $3
      for key share) as p`)

const insert = statement(`
  insert into changes
    (number, collection, host, page, at, previous, title, removed, added, share, note, words)
  values ($1, $2, $3::bigint, $4, $5, $6, $7, $8, $9, $10, $11, array_to_tsvector($12::text[]))
  on conflict do nothing`)

const keepNewest = statement(`
  delete from changes where number in (
    select number from changes where collection = $1 order by number desc offset $2)`)

/** What PostgreSQL takes of the words of one change, in bytes; each word with some of its own. */
const mostWordBytes = 800_000
const longestWord = 500

/** Changes by the number of their visit, and their words in an index of PostgreSQL's text search. */
export class PostgresInbox implements Inbox {
  readonly #db: Database
  readonly #collections: Collections

  constructor(parts: { readonly db: Database; readonly collections: Collections }) {
    this.#db = parts.db
    this.#collections = parts.collections
  }

  async add(collection: string, changes: readonly NewChange[]) {
    const place = await this.#collections.ensure(collection)
    const known = changes.flatMap((change) => {
      const key = pageKey(change.page)
      return key === undefined ? [] : [{ change, key }]
    })
    if (known.length === 0) return
    await this.#db.write(async (session) => {
      const keys = known.map(({ key }) => key)
      for (const [at, url] of await pagesOf(session, keys, place))
        await added(session, { ...known[at]!, url, collection: place })
    })
  }

  async list(query: ChangeQuery): Promise<ChangeList> {
    const { before = Number.MAX_SAFE_INTEGER, limit } = query
    const where = (await this.#filtered(query)).add('c.number < ?', before)
    const rows = await this.#db.readTogether((session) =>
      session.once<ChangeRow & PageKey & { seen: boolean }>(
        `select c.number, c.host::text as host, c.page, c.at, c.previous, c.title, c.removed,
           c.added, c.share, c.note, c.seen, p.url, s.title as page_title, p.page_group, p.tags
         from ${withPage} join page_states s on s.host = c.host and s.page = c.page
         where ${where.text} order by c.number desc limit ${Math.floor(limit) + 1}`,
        where.values,
      ),
    )
    const changes = rows
      .slice(0, limit)
      .map((row) => changeFrom(row, { page: pageId(row), seen: row.seen }))
    return { changes, next: rows.length > limit ? (changes.at(-1)?.number ?? null) : null }
  }

  async unseen(collection: string): Promise<UnseenCounts> {
    const where = await this.#filtered({ collection, unseen: true })
    const rows = await this.#db.readTogether((session) =>
      session.once<UnseenRow>(
        `select count(*) as unseen, p.page_group, p.tags from ${withPage}
         where ${where.text} group by p.host, p.page`,
        where.values,
      ),
    )
    return countedRows(rows)
  }

  async mark({ seen, numbers, upTo, ...filter }: SeenMark): Promise<number> {
    const where = (await this.#filtered(filter)).add('c.seen <> ?', seen)
    if (numbers !== undefined) where.add('c.number = any(?::bigint[])', [...numbers])
    if (upTo !== undefined) where.add('c.number <= ?', upTo)
    const text = `update changes set seen = ${seen} where seen <> ${seen} and number in (
      select c.number from ${withPage} where ${where.text})`
    return this.#db.write((session) => session.onceCounted(text, where.values))
  }

  async keepNewest(collection: string, most: number): Promise<number> {
    const place = await this.#collections.find(collection)
    return this.#db.write((session) => session.run(keepNewest, [place, most]))
  }

  async #filtered(filter: ChangeFilter): Promise<Conditions> {
    const { collection, group, page, unseen, search } = filter
    const where = new Conditions()
    where.add('c.collection = ?', await this.#collections.find(collection))
    if (page !== undefined) {
      const key = pageKey(page)
      where.add('c.host = ?::bigint and c.page = ?', key?.host ?? '0', key?.page ?? 0)
    }
    if (group !== undefined) where.add(isOfGroup, group, JSON.stringify(group))
    if (unseen === true) where.add('not c.seen')
    const words = searchWords(search ?? '').slice(0, mostSearchWords)
    if (search !== undefined && words.length === 0) where.add('false')
    // Letters and digits alone: nothing in them is a sign of the query language.
    if (words.length > 0)
      where.add('c.words @@ ?::tsquery', words.map((word) => `'${cut(word)}':*`).join(' & '))
    return where
  }
}

const withPage = 'changes c join pages p on p.host = c.host and p.page = c.page'

async function pagesOf(
  session: Session,
  keys: readonly PageKey[],
  collection: number,
): Promise<(readonly [at: number, url: string])[]> {
  const places = [keys.map(({ host }) => host), keys.map(({ page }) => page)]
  const rows = await session.rows<readonly [number, string]>(findPages, [...places, collection])
  return rows.map(([place, url]) => [place - 1, url])
}

async function added(
  session: Session,
  {
    change,
    key,
    url,
    collection,
  }: {
    readonly change: NewChange
    readonly key: PageKey
    readonly url: string
    readonly collection: number
  },
): Promise<void> {
  const { number, at, previous, title, removed, added: came, share, note } = change
  const words = boundedWords(wordsOfChange(change, url))
  const place = [number, collection, key.host, key.page]
  await session.run(insert, [...place, at, previous, title, removed, came, share, note, words])
}

function boundedWords(words: readonly string[]): string[] {
  let bytes = 0
  const bounded = new Set(words.map(cut))
  return [...bounded].filter((word) => {
    bytes += Buffer.byteLength(word) + 8
    return bytes < mostWordBytes
  })
}

function cut(word: string): string {
  return word.slice(0, longestWord)
}
