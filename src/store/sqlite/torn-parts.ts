import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { isTorn } from './database-fault.js'
import { readAtOnce } from './read-at-once.js'

/**
 * What SQLite's own check finds wrong with a file, a line each; empty where all
 * is well. The check itself breaks off at some damage, after it has told of it:
 * what was told counts.
 */
export function tornParts(
  db: DatabaseSyncInstance,
  check: 'quick_check' | 'integrity_check',
): string[] {
  const told: unknown[] = []
  try {
    readAtOnce(db, { column: check, from: `pragma_${check}`, into: told })
  } catch (cause) {
    if (!isTorn(cause)) throw cause
    if (told.length === 0) told.push((cause as Error).message)
  }
  const lines = told.flatMap((text) => String(text).split('\n'))
  return lines.filter((line) => line !== 'ok' && !line.startsWith('***'))
}
