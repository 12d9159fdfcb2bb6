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

/** Whether a store is named by an address and not as a file: one of another kind is refused when it is read. */
export function isServerAddress(database: string): boolean {
  return /^(?:postgres(?:ql)?:|[a-z][a-z0-9+.-]*:\/\/)/i.test(database)
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
  if (!/^postgres(?:ql)?:$/.test(url.protocol))
    throw bad(`it begins with ${url.protocol}//; write ${form}, or the path of a file`)
  const schema = url.searchParams.get('schema') ?? usualSchema
  const partitions = Number(url.searchParams.get('partitions') ?? 0)
  url.searchParams.delete('schema')
  url.searchParams.delete('partitions')
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema) || schema.startsWith('pg_'))
    throw bad(`schema is a name of small letters, digits and _; got ${JSON.stringify(schema)}`)
  if (!Number.isInteger(partitions) || partitions < 0 || partitions > 1024)
    throw bad('partitions is a whole number from 0 to 1024')
  // `pg` takes them for this one too, and prints a warning of its own at each start.
  const tls = url.searchParams.get('sslmode') ?? ''
  if (['prefer', 'require', 'verify-ca'].includes(tls) && !url.searchParams.has('uselibpqcompat'))
    url.searchParams.set('sslmode', 'verify-full')
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

const form = 'postgres://USER:PASSWORD@HOST:PORT/DATABASE'

/** The message must not repeat the address: it may hold a password. */
function parsed(address: string): URL {
  try {
    return new URL(address)
  } catch {
    throw bad(`write it as ${form}`)
  }
}

function bad(what: string): OptionError {
  return new OptionError('bad-database', `the address of the database cannot be read: ${what}`)
}
