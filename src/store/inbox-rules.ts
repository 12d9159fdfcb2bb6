import type { ChangeRecord, UnseenCounts } from '../model/inbox.js'
import { hostOf } from '../model/page.js'
import { type Tables, tagsIn } from './schema.js'

/** Words of a search that are looked for; the rest narrow it no further. */
export const mostSearchWords = 20

/** Unseen changes of pages, by their groups and tags. */
export function countedGroups(
  pages: Iterable<{
    readonly unseen: number
    readonly group: string | null
    readonly tags: readonly string[]
  }>,
): UnseenCounts {
  const groups = new Map<string, number>()
  let all = 0
  for (const { unseen, group, tags } of pages) {
    all += unseen
    for (const name of new Set([...(group === null ? [] : [group]), ...tags]))
      groups.set(name, (groups.get(name) ?? 0) + unseen)
  }
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
  return { unseen: all, groups: sorted.map(([name, unseen]) => ({ name, unseen })) }
}

/** What both databases give of a change, and of its page as it is now. */
export interface ChangeRow extends Omit<Tables['changes'], 'collection' | 'page' | 'seen'> {
  readonly url: string
  readonly page_title: string | null
  readonly page_group: string | null
  readonly tags: string | null
}

export function changeFrom(
  row: ChangeRow,
  { page: id, seen }: { readonly page: string; readonly seen: boolean },
): ChangeRecord {
  const { number, at, previous, title, removed, added, share, note, url } = row
  const { page_title, page_group: group, tags } = row
  const page = { id, url, host: hostOf(url), title: page_title, group, tags: tagsIn(tags) }
  return { number, page, at, previous, title, removed, added, share, note, seen }
}

/** Unseen changes of a page, as both databases count them. */
export interface UnseenRow {
  readonly unseen: number
  readonly page_group: string | null
  readonly tags: string | null
}

export function countedRows(rows: readonly UnseenRow[]): UnseenCounts {
  return countedGroups(
    rows.map(({ unseen, page_group: group, tags }) => ({ unseen, group, tags: tagsIn(tags) })),
  )
}
