import type { UnixSeconds } from '../../model/index.js'
import { type FolderRecord, readFolderRecord } from '../folder/folder-record.js'
import { type CountReading, declaredChange, weeksCompared } from '../tag/declared-change.js'
import { tagContent } from '../tag/tag-content.js'
import { weeklyCounts } from '../tag/weekly-counts.js'

export interface FolderTagsOptions {
  readonly now: UnixSeconds
  readonly weeks?: number
  readonly reading?: CountReading
}

/**
 * The tags that follow from a folder's record, by the path a page is served
 * under: `/a/` is `a/index.html`, `/a` also `a.html`. For `tagPages`, where the
 * files shall stay as they are.
 */
export async function tagsOfFolder(
  folder: string,
  options: FolderTagsOptions,
): Promise<(path: string) => string | null> {
  const tags = tagsOf(await readFolderRecord(folder), options)
  return (path) => {
    const name = decoded(path).replace(/^\/+/, '')
    const files = name === '' || name.endsWith('/') ? pagesIn(name) : [name, `${name}.html`]
    return files.map((each) => tags.get(each)).find((each) => each !== undefined) ?? null
  }
}

function pagesIn(folder: string): string[] {
  return [`${folder}index.html`, `${folder}index.htm`, `${folder}index.xhtml`]
}

function tagsOf(
  record: FolderRecord,
  { now, weeks = weeksCompared, reading = 'days' }: FolderTagsOptions,
): ReadonlyMap<string, string> {
  const tags = new Map<string, string>()
  for (const [path, past] of record) {
    const counts = weeklyCounts(past, { now, weeks })
    if (counts !== null) tags.set(path, tagContent(declaredChange(counts, { reading })))
  }
  return tags
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
