import { closeSync, openSync } from 'node:fs'

/**
 * Makes an empty file that its owner alone can read, unless one is there: a
 * store holds the passwords of pages and the secrets of channels, and SQLite
 * would make it readable by all. Its log and its journals take the file's mode.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch {
    // It is there, or cannot be made: then SQLite, which opens it next, says why.
  }
}
