import { OptionError } from '../../../model/errors.js'
import type { ServerName } from './faults.js'

/** An address of a database, taken apart. */
export interface ServerAddress {
  /** For `pg`: without what is ours. */
  readonly connectionString: string
  readonly name: ServerName
  /** Into how many parts new tables are split by host; 0 for none. */
  readonly partitions: number
}

/** Whether a store lies in a PostgreSQL database. */
export function isServerAddress(database: string): boolean {
  return /^postgres(?:ql)?:/i.test(database)
}

/** Where the tables lie unless the address says `?schema=`. */
const usualSchema = 'revisit'

/**
 * Takes `postgres://user@host/database?schema=NAME&partitions=16` apart. All
 * that is not ours (TLS, the password's file, a socket's folder) is left to
 * `pg`.
 */
export function serverAddress(address: string): ServerAddress {
  const url = parsed(address)
  const schema = url.searchParams.get('schema') ?? usualSchema
  const partitions = Number(url.searchParams.get('partitions') ?? 0)
  url.searchParams.delete('schema')
  url.searchParams.delete('partitions')
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema) || schema.startsWith('pg_'))
    throw bad(`schema is a name of small letters, digits and _; got ${JSON.stringify(schema)}`)
  if (!Number.isInteger(partitions) || partitions < 0 || partitions > 1024)
    throw bad('partitions is a whole number from 0 to 1024')
  const { env } = process
  const user = decodeURIComponent(url.username) || env.PGUSER || env.USER || 'postgres'
  const database = decodeURIComponent(url.pathname.slice(1)) || env.PGDATABASE || user
  const host = url.searchParams.get('host') ?? (url.hostname || env.PGHOST || 'localhost')
  const port = url.port || env.PGPORT || '5432'
  const text = `postgres://${user}@${host}:${port}/${database}`
  return {
    connectionString: url.href,
    partitions,
    name: { text, user, database, schema },
  }
}

/** The message must not repeat the address: it may hold a password. */
function parsed(address: string): URL {
  try {
    return new URL(address)
  } catch {
    throw bad('write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE')
  }
}

function bad(what: string): OptionError {
  return new OptionError('bad-database', `the address of the database cannot be read: ${what}`)
}
