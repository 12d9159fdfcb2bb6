import {
  type ChangeFilter,
  type ChangeList,
  type ChangeQuery,
  type ChangeRecord,
  type Inbox,
  type NewChange,
  type SeenMark,
  searchWords,
  type UnseenCounts,
  wordsOfChange,
} from '../../model/inbox.js'
import { isOfGroup, type PageRecord } from '../../model/page.js'
import { countedGroups, mostSearchWords } from '../inbox-rules.js'

interface Kept {
  readonly change: NewChange
  readonly words: readonly string[]
  seen: boolean
}

/** Changes in a plain map; looks at all of them for every question. */
export class MemoryInbox implements Inbox {
  readonly #kept = new Map<number, Kept>()
  /** The page of an id, as it is now. */
  readonly #page: (id: string) => PageRecord | undefined

  constructor(page: (id: string) => PageRecord | undefined) {
    this.#page = page
  }

  async add(collection: string, changes: readonly NewChange[]) {
    for (const change of changes) {
      const page = this.#page(change.page)
      if (page?.collection !== collection || this.#kept.has(change.number)) continue
      const words = wordsOfChange(change, page.url)
      this.#kept.set(change.number, { change: structuredClone(change), words, seen: false })
    }
  }

  async list(query: ChangeQuery): Promise<ChangeList> {
    const { before = Infinity, limit } = query
    const found = this.#filtered(query).filter(({ change }) => change.number < before)
    const changes = found.slice(0, limit).map((kept) => this.#record(kept))
    return { changes, next: found.length > limit ? (changes.at(-1)?.number ?? null) : null }
  }

  async unseen(collection: string): Promise<UnseenCounts> {
    return countedGroups(
      this.#filtered({ collection, unseen: true }).map(({ change }) => {
        const { group = null, tags } = this.#page(change.page)!
        return { unseen: 1, group, tags }
      }),
    )
  }

  async mark({ seen, numbers, upTo = Infinity, ...filter }: SeenMark): Promise<number> {
    const found = this.#filtered(filter).filter(
      ({ change: { number }, seen: before }) =>
        before !== seen && number <= upTo && (numbers?.includes(number) ?? true),
    )
    for (const kept of found) kept.seen = seen
    return found.length
  }

  async keepNewest(collection: string, most: number): Promise<number> {
    const old = this.#filtered({ collection }).slice(most)
    for (const { change } of old) this.#kept.delete(change.number)
    return old.length
  }

  /** The newest first. */
  #filtered({ collection, group, page, unseen, search }: ChangeFilter): Kept[] {
    const asked = searchWords(search ?? '').slice(0, mostSearchWords)
    if (search !== undefined && asked.length === 0) return []
    return [...this.#kept.values()]
      .filter(({ change, words, seen }) => {
        const record = this.#page(change.page)
        if (record === undefined) this.#kept.delete(change.number)
        return (
          record?.collection === collection &&
          (group === undefined || isOfGroup(record, group)) &&
          (page === undefined || record.id === page) &&
          !(unseen === true && seen) &&
          asked.every((word) => words.some((each) => each.startsWith(word)))
        )
      })
      .sort((a, b) => b.change.number - a.change.number)
  }

  #record({ change: { text: _, page: id, ...change }, seen }: Kept): ChangeRecord {
    const { url, host, title, group = null, tags } = this.#page(id)!
    return structuredClone({ ...change, page: { id, url, host, title, group, tags }, seen })
  }
}
