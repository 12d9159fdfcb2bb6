import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { backup, DatabaseSync } from '@photostructure/sqlite'
import { EnvironmentError, OptionError } from '../../../model/errors.js'
import type { StoreTotals } from '../../../model/store.js'
import { migrations, schemaOf } from '../migrations.js'
import {
  createPrivateFile,
  databaseFault,
  isCutFromLog,
  readAtOnce,
  tornParts,
} from './file-state.js'

/** The schema that brought channels. */
const channelsSince = 6
/** Pages copied before the event loop gets its turn. */
const pagesAtOnce = 1000

/** What a copy holds: the store it was made from may have gone on. */
type CopiedStore = Pick<StoreTotals, 'pages' | 'visits'>

/** Copies a store into a new file while work goes on; never over a file that is there. */
export async function backupStore(from: string, to: string): Promise<CopiedStore> {
  const path = resolve(to)
  if (existsSync(path))
    throw new OptionError('file-exists', `${path} is there already; name a new file for the backup`)
  await copyStore({ from, to: path })
  return contentsOf(path)
}

function contentsOf(path: string): CopiedStore {
  const db = new DatabaseSync(path, { readOnly: true })
  const count = (from: string) => Number(readAtOnce(db, { column: 'count(*)', from })[0])
  try {
    return { pages: count('pages'), visits: count('visits') }
  } finally {
    db.close()
  }
}

/**
 * Copies a store as it is at one moment. The copy gets its name only once it is
 * whole and looked over, so that no half copy is ever taken for a good one;
 * `beforeNaming` may still say no.
 */
async function copyStore({
  from,
  to,
  beforeNaming = () => {},
}: {
  readonly from: string
  readonly to: string
  readonly beforeNaming?: () => void
}): Promise<void> {
  const partial = `${to}.partial`
  try {
    remove(partial)
    createPrivateFile(partial)
    await copyAsItIs(from, partial)
    checkCopy(partial, from)
    sync(partial)
    beforeNaming()
    renameSync(partial, to)
    sync(dirname(to))
  } catch (cause) {
    remove(partial)
    throw databaseFault(cause, to)
  }
}

/** A transaction held open on a connection of its own keeps the moment still. */
async function copyAsItIs(from: string, to: string): Promise<void> {
  let source: InstanceType<typeof DatabaseSync> | undefined
  try {
    source = new DatabaseSync(from, { readOnly: true, timeout: 5000 })
    source.exec('begin')
    schemaOf(source, from)
  } catch (cause) {
    source?.close()
    throw databaseFault(cause, from)
  }
  try {
    await backup(source, to, { rate: pagesAtOnce })
    source.exec('commit')
  } finally {
    source.close()
  }
}

/** Also makes it one file without a log, to be read from anywhere. */
function checkCopy(path: string, from: string): void {
  const db = new DatabaseSync(path)
  try {
    db.exec('pragma journal_mode = delete')
    const schema = schemaOf(db, path)
    const newest = migrations[migrations.length - 1]!.version
    const [torn] = tornParts(db, 'integrity_check')
    const isWhole = schema >= 1 && schema <= newest && torn === undefined
    if (isWhole) giveBackAll(db, schema)
    else
      throw new EnvironmentError(
        'bad-copy',
        `${from} is not a whole store that this Revisit can read (schema ${schema}, check: ${torn ?? 'ok'}); its copy was let go, and nothing else was changed`,
      )
  } finally {
    db.close()
  }
}

/** Nobody is at work on a copy: what was held on that day would keep hosts waiting in it for nothing. */
function giveBackAll(db: InstanceType<typeof DatabaseSync>, schema: number): void {
  db.exec('delete from leases')
  if (schema >= channelsSince) db.exec('update channels set holder = null, held_until = null')
}

function remove(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${end}`, { force: true })
}

/** Without it a name could outlive a crash that its bytes do not. */
function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * Puts a backup in the place of a store. The old store stays until the new one
 * is whole and looked over, then gives way at once; a store in use is left
 * alone, a damaged one is kept beside as `.damaged`.
 */
export async function restoreStore({
  from,
  to,
  replace = false,
}: {
  readonly from: string
  readonly to: string
  /** Without it a store that is there is never touched. */
  readonly replace?: boolean
}): Promise<void> {
  const source = resolve(from)
  const target = resolve(to)
  if (!existsSync(source))
    throw new EnvironmentError(
      'no-backup',
      `there is no file ${source}; name the backup to restore`,
    )
  if (existsSync(target) && !replace)
    throw new OptionError('file-exists', `${target} is there already; say that it may be replaced`)
  mkdirSync(dirname(target), { recursive: true })
  await copyStore({ from: source, to: target, beforeNaming: () => giveWay(target) })
}

/**
 * Takes the old store's log in, so that none is left beside the new file: a log
 * that outlives its database would be played into the next one.
 */
function giveWay(path: string): void {
  const isHalf = isCutFromLog(path)
  if (!isHalf && (!existsSync(path) || isWhole(path))) return
  for (const end of ['', '-wal', '-shm'])
    if (existsSync(`${path}${end}`)) renameSync(`${path}${end}`, `${path}.damaged${end}`)
}

function isWhole(path: string): boolean {
  let db: InstanceType<typeof DatabaseSync> | undefined
  try {
    db = new DatabaseSync(path, { timeout: 1000 })
    db.exec('pragma journal_mode = delete; begin exclusive; commit')
    return tornParts(db, 'quick_check').length === 0
  } catch (cause) {
    const fault = databaseFault(cause, path)
    if (!isDamage(fault)) throw fault
    return false
  } finally {
    db?.close()
  }
}

function isDamage(fault: unknown): boolean {
  return (
    fault instanceof EnvironmentError &&
    (fault.code === 'store-damaged' || fault.code === 'not-a-store')
  )
}
