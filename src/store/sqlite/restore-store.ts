import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { EnvironmentError, OptionError } from '../../model/index.js'
import { copyStore } from './copy-store.js'
import { databaseFault } from './database-fault.js'
import { isCutFromLog } from './empty-file.js'
import { tornParts } from './torn-parts.js'

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
