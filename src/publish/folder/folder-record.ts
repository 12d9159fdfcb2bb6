import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY, EnvironmentError, InputError, type UnixSeconds } from '../../model/index.js'
import type { PagePast } from './page-past.js'
import { replaceFile } from './replace-file.js'

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
