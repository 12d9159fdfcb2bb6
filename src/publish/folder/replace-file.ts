import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** What is being written has such a name until it is whole. */
export const partialName = /^\.revisit-[0-9a-f]{12}\.partial$/

export interface Replacement {
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
