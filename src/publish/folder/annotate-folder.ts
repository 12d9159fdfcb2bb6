import { realpath, stat } from 'node:fs/promises'
import { EnvironmentError, type UnixSeconds } from '../../model/index.js'
import { type CountReading, weeksCompared } from '../tag/declared-change.js'
import type { ChangeRecord } from '../tag/weekly-counts.js'
import { findPages } from './find-pages.js'
import { readFolderRecord, writeFolderRecord } from './folder-record.js'
import { type PageNote, type PagePlan, planPage, writePage } from './page-note.js'
import type { PagePast } from './page-past.js'

export interface AnnotateFolderOptions {
  readonly folder: string
  readonly now: UnixSeconds
  /** `tags`: pages and record; `record`: only what was counted; `nothing`: only look. Tags unless said. */
  readonly write?: 'tags' | 'record' | 'nothing'
  /** Whole weeks that are compared, and needed before a tag is written; 4 unless said. */
  readonly weeks?: number
  readonly reading?: CountReading
  /** Leaves a tag that is there as it is. */
  readonly keep?: boolean
  /** Gives written files the time of now; they keep theirs unless said. */
  readonly touch?: boolean
  /** Another source of the past than the folder's own record; null for a page it does not know. */
  readonly pastOf?: (path: string) => Promise<ChangeRecord | null>
  /** Called after each step of the work; a page is two, one to look at and one to write. */
  readonly progress?: (done: number, all: number) => void
  /** Ends after the pages under way. */
  readonly signal?: AbortSignal
}

export interface FolderNotes {
  readonly pages: readonly PageNote[]
  /** Links, which are not followed. */
  readonly links: readonly string[]
  /** Folders that cannot be read. */
  readonly problems: ReadonlyArray<{ readonly path: string; readonly problem: string }>
}

/** Pages written at a time: most of it is waiting for the disk. */
const together = 32

/**
 * Looks at each page of a folder, counts its changes, and gives it the tag
 * that follows from them. The record is written before the first page, and a
 * page is written whole or not at all, so that a run that is killed loses
 * nothing and the next one ends its work. A page that cannot be read or written
 * is noted and left.
 */
export async function annotateFolder(options: AnnotateFolderOptions): Promise<FolderNotes> {
  const { now, write = 'tags', progress, signal } = options
  const folder = await realFolder(options.folder)
  const { pages, links, problems } = await findPages(folder, { now })
  const record = options.pastOf === undefined ? new Map(await readFolderRecord(folder)) : null
  const steps = write === 'tags' ? 2 * pages.length : pages.length
  const plans: PagePlan[] = []
  for (const path of pages) {
    if (signal?.aborted) break
    plans.push(await planPage(path, settings(options, { folder, record })))
    progress?.(plans.length, steps)
  }
  if (record !== null && write !== 'nothing') await writeFolderRecord(folder, { record, now })
  if (write !== 'tags') return { pages: plans.map(({ note }) => note), links, problems }
  const notes: PageNote[] = []
  for (let from = 0; from < plans.length && !signal?.aborted; from += together) {
    const some = plans.slice(from, from + together)
    const touch = options.touch ?? false
    notes.push(...(await Promise.all(some.map((each) => writePage(each, { folder, touch })))))
    progress?.(pages.length + notes.length, steps)
  }
  return { pages: notes, links, problems }
}

function settings(
  { now, weeks = weeksCompared, reading = 'days', keep = false, pastOf }: AnnotateFolderOptions,
  { folder, record }: { folder: string; record: Map<string, PagePast> | null },
) {
  return { folder, now, weeks, reading, keep, record, pastOf }
}

async function realFolder(folder: string): Promise<string> {
  const path = await realpath(folder).catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? 'there is no such folder' : cause.message
    throw new EnvironmentError('unreadable-folder', `cannot read ${folder}: ${why}`, { cause })
  })
  if ((await stat(path)).isDirectory()) return path
  throw new EnvironmentError('unreadable-folder', `${folder} is not a folder; name one with pages`)
}
