import type { ClientBase, Pool, PoolClient, PoolConfig } from 'pg'
import { EnvironmentError } from '../../../model/errors.js'
import type { Seconds } from '../../../model/units.js'
import { migrated } from '../migrations.js'
import { type ServerAddress, serverAddress } from './address.js'
import { Database, plansThatHold } from './database.js'
import { isLost, pooled, type ServerName, serverFault, starting } from './faults.js'
import { Outage } from './outage.js'

export interface OpenOptions {
  /** `postgres://user@host/database`, with `?schema=` where it is not `revisit`. */
  readonly url: string
  /** Only look; the store must be there. */
  readonly readOnly?: boolean
  /** Connections at most; 4 by default. */
  readonly connections?: number
  /** How long calls wait for a server that is gone before they fail; 5 minutes by default. */
  readonly patience?: Seconds
  /** How long opening waits for a server that cannot be reached; not at all by default, but for one that is just starting. */
  readonly openWithin?: Seconds
  /** Called with what a person should know of: that a server is waited for, and that it is back. */
  readonly note?: (text: string) => void
}

/** The oldest server that knows all we ask of it. */
const oldestServer = 14
const usualConnections = 4
/** Seconds between two statements of a transaction, at most; a transaction of ours takes milliseconds. */
const longestPause = 15

/**
 * Opens a store on a server, makes it if need be, and brings an older schema up
 * to date. Nothing is written to a schema that is not ours.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const address = serverAddress(options.url)
  const { name } = address
  const { readOnly = false, patience, note } = options
  const pool = await openPool(address, options)
  try {
    await onceThere(options, name, async () => {
      await checkServer(pool, { name, readOnly })
      await checkPooling(pool, name)
      await migrated(pool, { address, readOnly })
    })
    return new Database(pool, { name, patience, note })
  } catch (cause) {
    await pool.end()
    throw serverFault(cause, name)
  }
}

/** Nobody there is an address that is wrong, most often: short commands are told at once; one that is starting is there soon. */
const startingWithin: Seconds = 10
const firstPause = 200
const longestPauseBetween = 2000

/** Begins again where the server is lost, or not yet there, for as long as it is waited for. */
async function onceThere(
  { openWithin = 0, note }: OpenOptions,
  name: ServerName,
  task: () => Promise<void>,
): Promise<void> {
  const outage = new Outage(name, note)
  const began = performance.now()
  for (let wait = firstPause; ; wait = Math.min(2 * wait, longestPauseBetween)) {
    try {
      await task()
      outage.over()
      return
    } catch (cause) {
      const isStarting = (cause as { code?: string }).code === starting
      const patience = isStarting ? Math.max(openWithin, startingWithin) : openWithin
      if (!isLost(cause) || performance.now() - began >= patience * 1000) throw cause
      outage.goesOn(cause, { patience, tellAfter: openWithin > 0 ? 0 : startingWithin })
    }
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
}

/** `pg` is loaded where it is needed: most have their store in a file. */
async function loadPg() {
  try {
    const [{ default: pg }] = await Promise.all([import('pg'), import('pg-copy-streams')])
    return pg
  } catch (cause) {
    throw new EnvironmentError(
      'pg-missing',
      'a store on PostgreSQL needs the packages pg and pg-copy-streams; install them: npm install pg pg-copy-streams',
      { cause },
    )
  }
}

async function openPool(
  { connectionString, name }: ServerAddress,
  { connections = usualConnections }: OpenOptions,
): Promise<Pool> {
  const pg = await loadPg()
  const { builtins, getTypeParser } = pg.types
  const config: PoolConfig = {
    connectionString,
    max: connections,
    pipeline: true,
    keepAlive: true,
    application_name: 'revisit',
    connectionTimeoutMillis: 30_000,
    // Numbers of ours are below 2 ** 53; keys of 64 bits are asked for as text.
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === builtins.INT8 ? Number : getTypeParser(oid, format)) as typeof getTypeParser,
    },
    onConnect: (client) => settled(client, name.schema) as unknown as undefined,
  }
  const pool = new pg.Pool(config)
  // A connection that is lost while nobody uses it is replaced by the next; without a listener Node would end.
  pool.on('error', () => {})
  return pool
}

/** What each connection is told first. */
async function settled(client: ClientBase, schema: string): Promise<void> {
  // The same for one that is lost while it is used: whoever waits on it is told by its query.
  client.on('error', () => {})
  // A worker that is frozen or cut off in the middle of a transaction has its hosts locked: not for long.
  await client.query(`
    set idle_in_transaction_session_timeout = '${longestPause}s';
    set tcp_keepalives_idle = ${longestPause}; set tcp_keepalives_interval = 5;
    set tcp_keepalives_count = 3`)
  // A server that does not wait for its disk by default is told to: a visit is acknowledged once it is there.
  await client.query(`
    set search_path = ${schema};
    ${plansThatHold}
    select set_config('synchronous_commit', 'on', false)
    where current_setting('synchronous_commit') = 'off'`)
}

interface Found {
  readonly version: number
  readonly encoding: string
  readonly replica: boolean
}

/** Refuses a server that cannot hold a store. */
async function checkServer(
  pool: Pool,
  { name, readOnly }: { readonly name: ServerName; readonly readOnly: boolean },
): Promise<void> {
  const { rows } = await pool.query<Found>(`
    select current_setting('server_version_num')::int / 10000 as version,
      current_setting('server_encoding') as encoding, pg_is_in_recovery() as replica`)
  const { version, encoding, replica } = rows[0]!
  if (version < oldestServer)
    throw new EnvironmentError(
      'server-old',
      `${name.text} is PostgreSQL ${version}; Revisit needs ${oldestServer} or newer. Upgrade it, or name another server`,
    )
  if (encoding !== 'UTF8')
    throw new EnvironmentError(
      'database-encoding',
      `the database ${name.database} is in ${encoding}; make one in UTF8: create database ${name.database} encoding 'UTF8' template template0`,
    )
  if (replica && !readOnly)
    throw new EnvironmentError(
      'store-read-only',
      `${name.text} is a replica that can only be read. Name the primary server`,
    )
}

/**
 * Refuses a pooler that gives each transaction another connection: settings of
 * ours and prepared statements belong to a connection. Two of our connections
 * that are served by one process of the server are behind such a pooler.
 */
async function checkPooling(pool: Pool, name: ServerName): Promise<void> {
  if (pool.options.max < 2) return
  const clients: PoolClient[] = []
  try {
    const served = new Set<number>()
    for (let at = 0; at < 2; at++) {
      const client = await pool.connect()
      clients.push(client)
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      served.add(rows[0]!.pid)
    }
    if (served.size < clients.length) throw pooled(name)
  } finally {
    for (const client of clients) client.release()
  }
}
