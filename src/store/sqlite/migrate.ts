import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { EnvironmentError } from '../../model/index.js'
import type { Migration } from './migrations.js'
import { readAtOnce } from './read-at-once.js'

/** "RVST": SQLite keeps it in the file's header, and `file` shows it. */
const applicationId = 0x52565354

/** The schema of a file; 0 for an empty one. Refuses a database that is somebody else's. */
export function schemaOf(db: DatabaseSyncInstance, path: string): number {
  const owner = number(db, { column: 'application_id', from: 'pragma_application_id' })
  const tables = number(db, { column: 'count(*)', from: 'sqlite_schema' })
  if (owner !== applicationId && (owner !== 0 || tables > 0))
    throw new EnvironmentError(
      'not-a-store',
      `${path} is a database of another program. Name another file; this one was left alone`,
    )
  return owner === 0 ? 0 : number(db, { column: 'user_version', from: 'pragma_user_version' })
}

/** Refuses, before anything is written, a file that a newer Revisit wrote or that is not ours. */
export function checkSchema(
  db: DatabaseSyncInstance,
  { path, migrations }: { readonly path: string; readonly migrations: readonly Migration[] },
): void {
  const schema = schemaOf(db, path)
  const newest = newestOf(migrations)
  if (schema <= newest) return
  throw new EnvironmentError(
    'store-newer',
    `${path} was written by a newer Revisit (schema ${schema}; this one knows ${newest}). Update Revisit; the file was left alone`,
  )
}

/** Brings a file to the newest schema, one transaction a step. */
export function migrate(
  db: DatabaseSyncInstance,
  { path, migrations }: { readonly path: string; readonly migrations: readonly Migration[] },
): void {
  const schema = schemaOf(db, path)
  for (const migration of migrations) if (migration.version > schema) take(db, migration)
}

/** Refuses to look into a file that would first have to be written. */
export function checkUpToDate(
  db: DatabaseSyncInstance,
  { path, migrations }: { readonly path: string; readonly migrations: readonly Migration[] },
): void {
  const schema = schemaOf(db, path)
  const newest = newestOf(migrations)
  if (schema >= newest) return
  throw new EnvironmentError(
    'store-older',
    `${path} has an older schema (${schema}; this Revisit has ${newest}). Open it once for writing, such as with \`revisit run\``,
  )
}

/** Another process may have taken the step while this one waited for the lock. */
function take(db: DatabaseSyncInstance, { version, sql }: Migration): void {
  db.exec('begin immediate')
  try {
    if (number(db, { column: 'user_version', from: 'pragma_user_version' }) < version)
      db.exec(`${sql}; pragma application_id = ${applicationId}; pragma user_version = ${version}`)
    db.exec('commit')
  } catch (cause) {
    if (db.isTransaction) db.exec('rollback')
    throw cause
  }
}

function newestOf(migrations: readonly Migration[]): number {
  return migrations[migrations.length - 1]?.version ?? 0
}

function number(
  db: DatabaseSyncInstance,
  query: { readonly column: string; readonly from: string },
): number {
  return Number(readAtOnce(db, query)[0])
}
