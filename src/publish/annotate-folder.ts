import { constants, type Dirent, type Stats } from 'node:fs'
import { access, lstat, open, readdir, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EnvironmentError } from '../model/errors.js'
import { HOUR, type UnixSeconds } from '../model/units.js'
import { annotateHtml, writtenTag } from './annotate-html.js'
import {
  type PagePast,
  pagePast,
  partialName,
  readFolderRecord,
  replaceFile,
  sameFile,
  writeFolderRecord,
} from './folder-record.js'
import {
  type ChangeRecord,
  type CountReading,
  declaredChange,
  tagContent,
  weeklyCounts,
  weeksCompared,
} from './tag.js'

/** Pages of a folder, by their path in it. */
interface FoundPages {
  readonly pages: readonly string[]
  /** Links, which are not followed: what they lead to may lie anywhere. */
  readonly links: readonly string[]
  /** Folders that cannot be read, and why. */
  readonly problems: ReadonlyArray<{ readonly path: string; readonly problem: string }>
}

const pageEnding = /\.(?:html?|xhtml)$/i

/**
 * All pages below a folder, in order. Hidden files and folders and
 * node_modules are none. Takes away what a run that was killed left behind,
 * an hour after.
 */
async function findPages(
  folder: string,
  { now }: { readonly now: UnixSeconds },
): Promise<FoundPages> {
  const found = { pages: [] as string[], links: [] as string[], problems: [] as Problem[] }
  const waiting = ['']
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const path = at
    const entries = await readdir(join(folder, path), { withFileTypes: true }).catch((error) => {
      found.problems.push({ path: path === '' ? '.' : path, problem: (error as Error).message })
      return []
    })
    for (const entry of entries) {
      const name = path === '' ? entry.name : `${path}/${entry.name}`
      if (partialName.test(entry.name)) await removeOld(join(folder, name), now)
      else sort(entry, { name, found, waiting })
    }
  }
  found.pages.sort()
  return found
}

type Problem = FoundPages['problems'][number]

function sort(
  entry: Dirent,
  {
    name,
    found,
    waiting,
  }: { name: string; found: { pages: string[]; links: string[] }; waiting: string[] },
): void {
  const hidden = entry.name.startsWith('.') || entry.name === 'node_modules'
  if (hidden) return
  if (entry.isDirectory()) waiting.push(name)
  else if (entry.isSymbolicLink()) found.links.push(name)
  else if (entry.isFile() && pageEnding.test(name)) found.pages.push(name)
}

async function removeOld(path: string, now: UnixSeconds): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (found !== null && found.mtimeMs / 1000 < now - HOUR) await rm(path, { force: true })
}

/**
 * What became of a page: its tag was inserted, replaced, or was right already;
 * a tag that was there was kept; nothing is known for long enough (`too-new`)
 * or at all (`unknown`); it is a piece of a page, or in UTF-16; or it could not
 * be read or written.
 */
export type PageOutcome =
  | 'inserted'
  | 'replaced'
  | 'unchanged'
  | 'kept'
  | 'too-new'
  | 'unknown'
  | 'fragment'
  | 'encoding'
  | 'failed'

export interface PageNote {
  /** In the folder, with `/` between its parts. */
  readonly path: string
  readonly outcome: PageOutcome
  /** The content that follows from the counts; null where there is none. */
  readonly tag: string | null
  /** Days with a change in each week, the oldest first. */
  readonly counts: readonly number[] | null
  /** Since when changes are known. */
  readonly since: UnixSeconds | null
  readonly problem?: string
}

/** A note, and the file it was made from; null where nothing is to be written. */
interface PagePlan {
  readonly note: PageNote
  readonly was: Stats | null
}

interface PlanSettings {
  readonly folder: string
  readonly now: UnixSeconds
  readonly weeks: number
  readonly reading: CountReading
  readonly keep: boolean
  /** The folder's own record, in which the page is written down; null if another source is asked. */
  readonly record: Map<string, PagePast> | null
  readonly pastOf: ((path: string) => Promise<ChangeRecord | null>) | undefined
}

/** Looks at a page and decides on its tag; writes nothing but into the record. */
async function planPage(path: string, settings: PlanSettings): Promise<PagePlan> {
  const { folder, record, pastOf, now } = settings
  const note = { path, tag: null, counts: null, since: null }
  try {
    const { bytes, was } = await readPage(join(folder, path))
    const written = was.mtimeMs / 1000
    const own = record === null ? null : pagePast(record.get(path), { bytes, written, now })
    if (own !== null) record?.set(path, own)
    const past = pastOf === undefined ? own : await pastOf(path)
    if (past === null) return { note: { ...note, outcome: 'unknown' }, was: null }
    return decided(past, { path, bytes, was, settings })
  } catch (error) {
    return { note: { ...note, outcome: 'failed', problem: (error as Error).message }, was: null }
  }
}

function decided(past: ChangeRecord, { path, bytes, was, settings }: PageToDecide): PagePlan {
  const { now, weeks, reading, keep } = settings
  const counts = weeklyCounts(past, { now, weeks })
  const note = { path, counts, since: past.since }
  if (counts === null) return { note: { ...note, tag: null, outcome: 'too-new' }, was: null }
  const tag = tagContent(declaredChange(counts, { reading }))
  if (keep && writtenTag(bytes) !== null)
    return { note: { ...note, tag, outcome: 'kept' }, was: null }
  const made = annotateHtml(bytes, tag)
  if (made.outcome === 'refused') return { note: { ...note, tag, outcome: made.reason }, was: null }
  return {
    note: { ...note, tag, outcome: made.outcome },
    was: made.outcome === 'unchanged' ? null : was,
  }
}

interface PageToDecide {
  readonly path: string
  readonly bytes: Uint8Array
  readonly was: Stats
  readonly settings: PlanSettings
}

/** Writes a page that needs it. What it is written from is read again: plans hold no contents. */
async function writePage(
  { note, was }: PagePlan,
  { folder, touch }: { readonly folder: string; readonly touch: boolean },
): Promise<PageNote> {
  if (was === null || note.tag === null) return note
  try {
    const path = join(folder, note.path)
    await within(folder, path)
    await access(path, constants.W_OK)
    const found = await readPage(path)
    if (!sameFile(was, found.was)) throw new Error('it was written meanwhile; run again')
    const made = annotateHtml(found.bytes, note.tag)
    if (made.outcome !== 'refused') await replaceFile(path, { bytes: made.bytes, was, touch })
    return note
  } catch (error) {
    return { ...note, outcome: 'failed', problem: (error as Error).message }
  }
}

/** The file itself: a link that took its place since it was found is not followed. */
async function readPage(path: string): Promise<{ bytes: Uint8Array; was: Stats }> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    return { was: await file.stat(), bytes: await file.readFile() }
  } finally {
    await file.close()
  }
}

/** A folder on the way may have become a link since it was found. */
async function within(folder: string, path: string): Promise<void> {
  const place = await realpath(dirname(path))
  if (place !== dirname(path) || !`${place}/`.startsWith(`${folder}/`))
    throw new Error('it no longer lies in the folder')
}

export interface AnnotateFolderOptions {
  readonly folder: string
  readonly now: UnixSeconds
  /** `tags`: pages and record; `record`: only what was counted; `nothing`: only look. Tags by default. */
  readonly write?: 'tags' | 'record' | 'nothing'
  /** Whole weeks that are compared, and needed before a tag is written; 4 by default. */
  readonly weeks?: number
  readonly reading?: CountReading
  /** Leaves a tag that is there as it is. */
  readonly keep?: boolean
  /** Gives written files the time of now; they keep theirs by default. */
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
