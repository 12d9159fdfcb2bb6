import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { EnvironmentError } from '../../../model/errors.js'
import type { Seconds } from '../../../model/units.js'
import { checkSchema, checkUpToDate, migrate, migrations } from '../migrations.js'
import { Database } from './database.js'
import {
  checkEmptyFile,
  createPrivateFile,
  damagedText,
  databaseFault,
  FilePlace,
  hasLog,
  readAtOnce,
  tornParts,
} from './file-state.js'

export interface OpenOptions {
  readonly path: string
  /** Only look; the file must exist. */
  readonly readOnly?: boolean
  /** How long to wait for another process that is writing; 5 s by default. */
  readonly lockWait?: Seconds
  /** What the file may grow to; past it, writing fails as on a full disk. No limit by default. */
  readonly maxBytes?: number
  /** Leaves syncing to the system: for a store that is deleted at the end, as nothing of it must outlive a crash. */
  readonly unsynced?: boolean
  /** Takes the file as it is, for the check, which is to list what is wrong with it. */
  readonly unseen?: boolean
}

/** Room for the indexes' upper levels and the pages at work; bounds our memory, not the store's size. */
const cacheKibibytes = 65_536
/** A checkpoint moves pages from the log to their places: rarer than SQLite's 1,000, each page moves less often. */
const pagesBetweenCheckpoints = 10_000
/** Looked over at each start: `quick_check` takes 3 ms a MiB where rows are small, 0.2 s for all of this. */
const smallBytes = 64 * 1024 * 1024
/** What the log is cut back to after a checkpoint. */
const logBytes = 64 * 1024 * 1024

/**
 * Opens the file, makes it if need be, and brings an older schema up to date.
 * Nothing is written to a file that is not ours, nor to one that is torn as far
 * as we look: see `mustBeChecked`.
 */
export function openDatabase(options: OpenOptions): Database {
  const path = resolve(options.path)
  checkEmptyFile(path, options)
  const checked = mustBeChecked(path, options)
  const db = connect(path, options)
  try {
    checkSchema(db, { path, migrations })
    if (checked) checkDatabase(db, path)
    if (options.readOnly === true) checkUpToDate(db, { path, migrations })
    else {
      settle(db, options)
      migrate(db, { path, migrations })
    }
    const synced = options.unsynced !== true
    const kept = synced && options.readOnly !== true
    return new Database(db, path, { synced, ...(kept ? { place: new FilePlace(path) } : {}) })
  } catch (cause) {
    db.close()
    throw databaseFault(cause, path)
  }
}

/**
 * A file that its last user did not close (killed, or still at work) is always
 * looked over; one that was closed well, where we write and it is small. What
 * is not seen here ends the work when it is met, and is found by `check` and
 * by each backup, whose copy is read as a whole.
 */
function mustBeChecked(path: string, { readOnly, unseen }: OpenOptions): boolean {
  if (unseen === true) return false
  return hasLog(path) || (readOnly !== true && isSmall(path))
}

function isSmall(path: string): boolean {
  return existsSync(path) && statSync(path).size <= smallBytes
}

function connect(path: string, { readOnly = false, lockWait = 5 }: OpenOptions) {
  if (readOnly && !existsSync(path))
    throw new EnvironmentError(
      'no-store',
      `there is no store at ${path}; begin one with \`revisit watch\``,
    )
  try {
    if (!readOnly) {
      mkdirSync(dirname(path), { recursive: true })
      createPrivateFile(path)
    }
    return new DatabaseSync(path, { readOnly, timeout: lockWait * 1000 })
  } catch (cause) {
    throw folderFault(cause, path)
  }
}

/** The folder could not be made, or the file not opened. */
function folderFault(cause: unknown, path: string): unknown {
  const code = (cause as NodeJS.ErrnoException).code
  if (code === undefined || code === 'ERR_SQLITE_ERROR') return databaseFault(cause, path)
  return new EnvironmentError(
    code === 'ENOSPC' ? 'disk-full' : 'store-unreachable',
    `the folder of ${path} cannot be made (${code}); choose another, or give this user write access`,
    { cause },
  )
}

function checkDatabase(db: DatabaseSyncInstance, path: string): void {
  const [first] = tornParts(db, 'quick_check')
  if (first !== undefined)
    throw new EnvironmentError('store-damaged', `${damagedText(path)} (${first})`)
}

function settle(db: DatabaseSyncInstance, { maxBytes }: OpenOptions): void {
  db.exec(`
    pragma journal_mode = wal;
    pragma cache_size = -${cacheKibibytes};
    pragma wal_autocheckpoint = ${pagesBetweenCheckpoints};
    pragma journal_size_limit = ${logBytes};
  `)
  if (maxBytes === undefined) return
  const [pageBytes] = readAtOnce(db, { column: 'page_size', from: 'pragma_page_size' })
  db.exec(`pragma max_page_count = ${Math.max(1, Math.floor(maxBytes / Number(pageBytes)))}`)
}
