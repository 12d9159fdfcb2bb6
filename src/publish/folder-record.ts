import { createHash, randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { type FileHandle, lstat, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EnvironmentError, InputError } from '../model/errors.js'
import { DAY, type UnixSeconds, YEAR } from '../model/units.js'
import { withoutTag } from './annotate-html.js'
import type { ChangeRecord } from './tag.js'

/** What is being written has such a name until it is whole. */
export const partialName = /^\.revisit-[0-9a-f]{12}\.partial$/

interface Replacement {
  readonly bytes: Uint8Array
  /** The file as it was when it was read: its mode, owner and times are kept. */
  readonly was?: Stats
  /** Gives it the time of now instead. */
  readonly touch?: boolean
}

/**
 * Puts a file in the place of another, whole or not at all: it is written
 * beside it, brought to the disk and renamed. Refuses where the file has been
 * written by somebody else since it was read.
 */
export async function replaceFile(path: string, replacement: Replacement): Promise<void> {
  const partial = join(dirname(path), `.revisit-${randomBytes(6).toString('hex')}.partial`)
  const file = await open(partial, 'wx', replacement.was === undefined ? 0o644 : 0o600)
  try {
    await fill(file, replacement)
    if (replacement.was !== undefined && !sameFile(replacement.was, await lstat(path)))
      throw new Error('it was written by somebody else meanwhile; run again')
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

async function fill(file: FileHandle, { bytes, was, touch = false }: Replacement): Promise<void> {
  try {
    await file.writeFile(bytes)
    if (was !== undefined) await likeBefore(file, was)
    if (was !== undefined && !touch) await file.utimes(was.atimeMs / 1000, was.mtimeMs / 1000)
    await file.datasync()
  } finally {
    await file.close()
  }
}

async function likeBefore(file: FileHandle, was: Stats): Promise<void> {
  const { uid, gid } = await file.stat()
  if (uid !== was.uid || gid !== was.gid) await file.chown(was.uid, was.gid)
  await file.chmod(was.mode & 0o7777)
}

export function sameFile(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.size === other.size && one.mtimeMs === other.mtimeMs
}

/** What is remembered of one page of a folder. */
export interface PagePast extends ChangeRecord {
  /** Of its content without the tag. */
  readonly digest: string
  /** When it was last polled. */
  readonly seen: UnixSeconds
}

/** How a page is found: its bytes, and when its file was last written. */
interface PageFound {
  readonly bytes: Uint8Array
  readonly written: UnixSeconds
  readonly now: UnixSeconds
}

/** Files from archives and reproducible builds carry such times, and they mean nothing. */
const before = Date.UTC(1995, 0, 1) / 1000

/**
 * What is known of a page once it has been looked at again. It changed if its
 * content did, the tag left out; a file written anew with the same content did
 * not. When it changed is told by the time of the file, if that lies between
 * the two looks. A page never seen before has been as it is since its file was
 * written.
 */
export function pagePast(past: PagePast | undefined, { bytes, written, now }: PageFound): PagePast {
  const digest = contentDigest(bytes)
  if (past === undefined) {
    const since = written >= before && written <= now ? written : now
    return { digest, since, seen: now, changes: [] }
  }
  const seen = Math.max(now, past.seen)
  if (digest === past.digest) return { ...past, seen }
  const at = written > past.seen && written <= now ? written : seen
  const kept = past.changes.filter((each) => each > now - YEAR)
  return { digest, since: past.since, seen, changes: [...kept, at] }
}

function contentDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(withoutTag(bytes)).digest('base64url').slice(0, 22)
}

/** Where the past of a folder's pages is kept: in the folder itself, so that it moves with it. */
export const recordName = '.revisit-annotate.json'

/** The past of pages by their path in the folder, with `/` between its parts. */
export type FolderRecord = ReadonlyMap<string, PagePast>

/** A page that has not been there for so long is forgotten. */
const forgotten = 90 * DAY
const version = 1

/** The record of a folder; empty where it has none yet. */
export async function readFolderRecord(folder: string): Promise<FolderRecord> {
  const path = join(folder, recordName)
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return null
    throw new EnvironmentError('unreadable-file', `cannot read ${path}: ${cause.message}`, {
      cause,
    })
  })
  return text === null ? new Map() : parsed(text, path)
}

/** Writes the record in place of the one before, whole or not at all. */
export async function writeFolderRecord(
  folder: string,
  { record, now }: { readonly record: FolderRecord; readonly now: UnixSeconds },
): Promise<void> {
  const kept = [...record].filter(([, { seen }]) => seen > now - forgotten)
  const lines = kept.sort(([a], [b]) => (a < b ? -1 : 1)).map((each) => line(...each))
  const text = `{"version":${version},"pages":{\n${lines.join(',\n')}\n}}\n`
  const path = join(folder, recordName)
  await replaceFile(path, { bytes: Buffer.from(text) }).catch((cause: Error) => {
    throw new EnvironmentError(
      'unwritable-file',
      `cannot write ${path}: ${cause.message}; without it changes cannot be counted`,
      { cause },
    )
  })
}

function line(path: string, { digest, since, seen, changes }: PagePast): string {
  return `${JSON.stringify(path)}:${JSON.stringify({ digest, since, seen, changes })}`
}

function parsed(text: string, path: string): FolderRecord {
  try {
    const { version: found, pages } = JSON.parse(text)
    if (found !== version)
      throw new Error(`its version is ${found}, this software knows ${version}`)
    return new Map(Object.entries(pages).map(([name, past]) => [name, checked(past)]))
  } catch (cause) {
    throw new InputError(
      'bad-record',
      `${path} is damaged (${(cause as Error).message}); restore it, or remove it to begin counting anew`,
      { cause },
    )
  }
}

function checked(value: unknown): PagePast {
  const { digest, since, seen, changes } = value as PagePast
  const times = [since, seen, ...changes]
  if (typeof digest !== 'string' || !times.every(Number.isFinite)) throw new Error('a bad entry')
  return { digest, since, seen, changes }
}
