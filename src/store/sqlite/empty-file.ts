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
 * An empty file beside a log that is not is one half of a store: SQLite writes
 * the first page of the file before it begins the log, and would remove the log
 * of an empty one, with the last visits in it, without a word.
 */
export function isCutFromLog(path: string): boolean {
  return isEmptyFile(path) && hasLog(path)
}

/** Refuses, before SQLite sees it, an empty file that cannot be taken for a new store. */
export function checkEmptyFile(
  path: string,
  { readOnly = false }: { readonly readOnly?: boolean },
): void {
  if (isCutFromLog(path))
    throw new EnvironmentError(
      'store-damaged',
      `${path} is empty (0 bytes), but its log ${path}-wal is not: this is a torn copy of a store. Copy both files again from where they came, put the last good copy in their place with \`revisit restore BACKUP --replace\`, or move both away to begin a new store; nothing was changed`,
    )
  if (readOnly && isEmptyFile(path))
    throw new EnvironmentError(
      'no-store',
      `${path} is empty (0 bytes), and no store. If it held pages before, put the last good copy in its place with \`revisit restore BACKUP --replace\`; else begin with \`revisit watch\``,
    )
}
