import type { UnseenCounts } from '../model/inbox.js'

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
