import { constants, type Stats } from 'node:fs'
import { access, open, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { UnixSeconds } from '../../model/index.js'
import { annotateHtml, writtenTag } from '../html/annotate-html.js'
import { type CountReading, declaredChange } from '../tag/declared-change.js'
import { tagContent } from '../tag/tag-content.js'
import { type ChangeRecord, weeklyCounts } from '../tag/weekly-counts.js'
import { type PagePast, pagePast } from './page-past.js'
import { replaceFile, sameFile } from './replace-file.js'

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
export interface PagePlan {
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
export async function planPage(path: string, settings: PlanSettings): Promise<PagePlan> {
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
export async function writePage(
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
