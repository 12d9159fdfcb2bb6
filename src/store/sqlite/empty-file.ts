import { existsSync, statSync } from 'node:fs'
import { EnvironmentError } from '../../model/index.js'

/** Whether a file is there and has no byte: cut by a full disk or a bad copy, or just made by SQLite, which writes later. */
export function isEmptyFile(path: string): boolean {
  const there = fileAt(path)
  return there?.isFile() === true && there.size === 0
}

/** Whether a log lies beside the file; a clean close removes it. */
export function hasLog(path: string): boolean {
  return (fileAt(`${path}-wal`)?.size ?? 0) > 0
}

/** What cannot be reached is left to the opening, which says why. */
function fileAt(path: string) {
  return existsSync(path) ? statSync(path) : undefined
}

/**
 * A log without its file, or beside an empty one, is one half of a store: SQLite
 * writes the first page of the file before it begins the log. It would remove
 * the log, with the last visits in it, without a word, or play it into whatever
 * file is put there next.
 */
export function isCutFromLog(path: string): boolean {
  return (!existsSync(path) || isEmptyFile(path)) && hasLog(path)
}

/** Refuses, before SQLite sees it, a file that is empty or missing and cannot be taken for a new store. */
export function checkEmptyFile(
  path: string,
  { readOnly = false }: { readonly readOnly?: boolean },
): void {
  if (isCutFromLog(path)) throw new EnvironmentError('store-damaged', halfText(path))
  if (readOnly && isEmptyFile(path))
    throw new EnvironmentError(
      'no-store',
      `${path} is empty (0 bytes), and no store. If it held pages before, put the last good copy in its place with \`revisit restore BACKUP --replace\`; else begin with \`revisit watch\``,
    )
}

function halfText(path: string): string {
  const what = existsSync(path)
    ? `${path} is empty (0 bytes), but its log ${path}-wal is not`
    : `${path} is missing, but its log ${path}-wal is there`
  return `${what}: this is one half of a store. Copy both files again from where they came, put the last good copy in their place with \`revisit restore BACKUP --replace\`, or move what is left away to begin a new store; nothing was changed`
}
