import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { backup, DatabaseSync } from '@photostructure/sqlite'
import { EnvironmentError, OptionError, type StoreTotals } from '../../model/index.js'
import { databaseFault } from './database-fault.js'
import { schemaOf } from './migrate.js'
import { migrations } from './migrations.js'
import { createPrivateFile } from './private-file.js'
import { readAtOnce } from './read-at-once.js'
import { tornParts } from './torn-parts.js'

/** The schema that brought channels. */
const channelsSince = 6
/** Pages copied before the event loop gets its turn. */
const pagesAtOnce = 1000

/** What a copy holds: the store it was made from may have gone on. */
export type CopiedStore = Pick<StoreTotals, 'pages' | 'visits'>

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
export async function copyStore({
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
    lookOver(partial, from)
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
function lookOver(path: string, from: string): void {
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
