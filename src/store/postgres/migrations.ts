import type { Pool, PoolClient } from 'pg'
import { EnvironmentError } from '../../model/errors.js'
import { type Columns, type ColumnType, pageColumns, type Step, stepsWith } from '../schema.js'
import { pageTable } from './due-pages.js'
import type { ServerAddress } from './server/address.js'
import { serverType } from './server/column-types.js'
import { forgetOldMarks } from './server/commit-marks.js'
import { placesInTransaction } from './server/database.js'

/** How a table lies on the server. */
interface Layout {
  readonly columns: string
  readonly key: string
  /** What it is split by, where the store is. */
  readonly by: string
  /** Storage parameters: parts of a split table have them each for itself. */
  readonly storage?: string
}

/** Vacuumed by how many rows have died, not by their share: these tables are all but empty. */
const oftenEmpty =
  'autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 100000'

const times = 'double precision'

/** Columns of both tables of pages that keys and the split are made of: written out there. */
const inKeys: ReadonlySet<string> = new Set(['id', 'host', 'collection', 'url'])
/** They take four bytes. */
const small: ReadonlySet<string> = new Set(['last_outcome', 'last_status'])

function columnSql(name: string, type: ColumnType): string {
  const kind = small.has(name) ? 'integer' : serverType(type)
  if (type.endsWith('?')) return `${name} ${kind}`
  return `${name} ${kind} not null${type === 'integer' ? ' default 0' : ''}`
}

/** What the first schema had of the columns of pages in one of their tables. */
function firstColumns(table: 'pages' | 'page_states'): string {
  return pageColumns
    .filter(([name, , since]) => since === undefined && !inKeys.has(name))
    .filter(([name]) => pageTable(name) === table)
    .map(([name, type]) => columnSql(name, type))
    .join(', ')
}

/**
 * Tables of the first schema that are split by host on request. Every key has
 * the host in it, so that they can be, and all of a host is written under the
 * lock of its row in `hosts`.
 *
 * What a page is (`pages`, with the indexes that lists use) lies apart from what
 * is learned of it (`page_states`), which each visit writes anew. A page's
 * number is never given again, so that what names a removed page names none.
 * Visits are chained page by page as in `sqlite/migrations.ts`.
 */
const layouts: Readonly<Record<string, Layout>> = {
  hosts: {
    by: 'key',
    key: 'key',
    storage: 'fillfactor = 70',
    columns: `
      key bigint not null, name text not null, number bigint not null,
      last_page bigint not null default 0,
      state text, blocked_until ${times}, hints text, token bigint, step bigint`,
  },
  pages: {
    by: 'host',
    key: 'host, page',
    columns: `
      host bigint not null, page bigint not null, collection integer not null,
      number bigint not null default nextval('page_numbers'),
      url text not null, url_key bigint not null, ${firstColumns('pages')}`,
  },
  page_states: {
    by: 'host',
    key: 'host, page',
    storage: 'fillfactor = 85',
    columns: `
      host bigint not null, page bigint not null, collection integer not null,
      ${firstColumns('page_states')}, last_token bigint`,
  },
  frontier: {
    by: 'host',
    key: 'host, collection',
    storage: `fillfactor = 70, ${oftenEmpty}`,
    columns: `
      host bigint not null, collection integer not null, number bigint not null,
      due ${times}, blocked ${times}, served ${times}, held_until ${times}, holder text,
      pages bigint not null,
      ready ${times} generated always as
        (case when due is not null then greatest(due, blocked, served) end) stored`,
  },
  leases: {
    by: 'host',
    key: 'host, page',
    storage: `fillfactor = 70, ${oftenEmpty}`,
    columns: `
      host bigint not null, page bigint not null, collection integer not null,
      token bigint not null, expires ${times} not null, worker text not null,
      due_set boolean not null default false`,
  },
  visits: {
    by: 'host',
    key: 'number, host',
    columns: `
      number bigint not null, host bigint not null, page bigint not null, previous bigint,
      at ${times} not null, outcome integer not null, status integer, gap ${times},
      content_age ${times}, last_modified ${times}, bytes bigint not null,
      duration ${times} not null, fault text, fingerprint text, calm_for ${times}`,
  },
  versions: {
    by: 'host',
    key: 'host, page, at',
    columns: `
      host bigint not null, page bigint not null, at ${times} not null,
      digest bytea not null, media_type text, headers text`,
  },
  snapshots: {
    by: 'host',
    key: 'host, digest',
    columns: `
      host bigint not null, digest bytea not null, bytes bigint not null,
      packing integer not null, body bytea not null`,
  },
}

/**
 * Hosts at rest are found by when they became ready; hosts that are held by who
 * holds them and until when. An address may be longer than an index takes: it
 * is found by its key, and listed by how it begins.
 */
const indexes = `
create index hosts_by_name on hosts (name collate "C");
create unique index pages_by_url on pages (host, url_key, collection);
create index pages_by_number on pages (collection, number);
create index pages_by_importance on pages (collection, importance, number);
create index pages_by_address on pages (collection, (left(url, 200)) collate "C");
create index page_states_by_due on page_states (host, collection, due, page) where due is not null;
create index frontier_by_ready on frontier (collection, ready, number)
  where held_until is null and ready is not null;
create index frontier_held on frontier (collection, held_until) where held_until is not null;
create index frontier_by_holder on frontier (holder, collection) where holder is not null;
create index visits_changed on visits (number) where outcome = 0;
create index versions_by_digest on versions (host, digest);
create index snapshots_by_digest on snapshots (digest);
`

/** Bodies are packed already. */
const unpacked = 'alter table snapshots alter column body set storage external;'

/** Small tables of the store as a whole. */
const others = `
create table collections (
  id integer generated by default as identity primary key, name text not null unique
);
create table settings (
  collection integer not null, name text not null, value text not null,
  primary key (collection, name)
);
create table counters (name text primary key, value bigint not null);
insert into counters values ('visit', 0), ('visit base', 0);
create table workers (
  name text primary key, role text not null, version text not null,
  since ${times} not null, last_sign ${times} not null
);
create table chores (
  name text primary key, worker text not null, since ${times} not null, expires ${times} not null
);
create table channels (
  id bigint generated always as identity primary key, collection integer not null,
  name text not null, settings text not null, enabled integer not null,
  added_at ${times} not null, cursor bigint not null,
  failing_since ${times}, failures integer not null default 0, rests_until ${times}, error text,
  holder text, held_until ${times}, unique (collection, name)
);
create table changes (
  number bigint primary key, collection integer not null, host bigint not null, page bigint not null,
  at ${times} not null, previous ${times}, title text, removed text not null, added text not null,
  share ${times}, note text, seen boolean not null default false, words tsvector not null
);
create index changes_by_order on changes (collection, number);
create index changes_by_page on changes (host, page, number);
create index changes_unseen on changes (collection, number) where not seen;
create index changes_by_word on changes using gin (words);
create table deliveries (
  id bigint generated always as identity primary key, channel bigint not null,
  page text not null, event text not null, made_at ${times} not null,
  state integer not null default 0, attempts integer not null default 0,
  first_at ${times}, next_at ${times} not null, ended_at ${times}, error text
);
create index deliveries_pending on deliveries (channel, page, id) where state = 0;
create index deliveries_ended on deliveries (ended_at) where state > 0;
create index deliveries_by_channel on deliveries (channel, id);
`

/** Queues of the frontier, as in `sqlite/migrations.ts`: one row for each host of a crawl. */
const queuesLayout: Layout = {
  by: 'host',
  key: 'host, collection',
  storage: `fillfactor = 70, ${oftenEmpty}`,
  columns: `
    host bigint not null, collection integer not null,
    delay ${times}, blocked ${times}, quota bigint not null default 0,
    given ${times}, ended ${times}, in_flight bigint not null default 0,
    due ${times}, ready ${times}`,
}

const queuesSchema = (partitions: number) => `
alter table collections add column queued boolean not null default false;
${table('queues', queuesLayout, partitions)}
create index queues_by_ready on queues (collection, in_flight, ready, host)
  where ready is not null;
create index leases_of_queues on leases (expires) where worker = 'frontier';
create index page_states_completed on page_states (host, collection) where due is null;
`

function firstSchema(partitions: number): string {
  const tables = Object.entries(layouts).map(([name, layout]) => table(name, layout, partitions))
  const sequences = ['host_numbers', 'page_numbers', 'lease_tokens'].map(
    (name) => `create sequence ${name};`,
  )
  return [...sequences, ...tables, unpacked, indexes, others].join('\n')
}

function table(name: string, { columns, key, by, storage }: Layout, partitions: number): string {
  const options = storage === undefined ? '' : ` with (${storage})`
  const body = `create table ${name} (${columns}, primary key (${key}))`
  if (partitions === 0) return `${body}${options};`
  const parts = Array.from(
    { length: partitions },
    (_, part) =>
      `create table ${name}_${part} partition of ${name} for values with (modulus ${partitions}, remainder ${part})${options};`,
  )
  return [`${body} partition by hash (${by});`, ...parts].join('\n')
}

/**
 * All steps, with the columns of pages that came with them. A step that has been
 * released is never edited: a store that took it would differ from a new one.
 */
export function stepsOf(partitions: number, columns: Columns = pageColumns): readonly Step[] {
  const written = [
    { version: 1, sql: firstSchema(partitions) },
    { version: 2, sql: queuesSchema(partitions) },
  ]
  return stepsWith(written, columns, {
    store: 'postgres',
    add: (name, type) =>
      `alter table ${pageTable(name)} add column ${columnSql(name, type)}${type === 'real' ? ' default 0' : ''}`,
  })
}

/** The table that tells that a schema is ours, and how far it is. */
const stepsTable = 'revisit_schema'

/**
 * Makes the tables or brings them up to date, one process at a time; refuses a
 * schema that is newer, or not ours. Kysely's migrator would first read all
 * tables of the database, whoever they belong to: a second where there are a
 * thousand.
 */
export async function migrated(
  pool: Pool,
  { address, readOnly }: { readonly address: ServerAddress; readonly readOnly: boolean },
): Promise<void> {
  const { name, partitions } = address
  const known = stepsOf(partitions)
  const newest = known.at(-1)!.version
  const schema = await schemaOf(pool, name)
  if (schema > newest) throw newer(name, schema, newest)
  if (readOnly && schema < newest) throw schema === 0 ? noStore(name) : older(name)
  if (readOnly) return
  if (schema < newest) await take(pool, known, name.schema)
  await pool.query(raiseBase)
  await pool.query(forgetOldMarks())
}

/** The schema of a store; 0 where there is none. Refuses one that is somebody else's. */
async function schemaOf(pool: Pool, name: ServerAddress['name']): Promise<number> {
  const { rows } = await pool.query<{ ours: string | null; tables: boolean }>(
    `select to_regclass($1) as ours, exists (
       select 1 from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where nspname = $2 and relkind in ('r', 'p', 'v')) as tables`,
    [`${name.schema}.${stepsTable}`, name.schema],
  )
  const { ours, tables } = rows[0]!
  if (ours === null && tables) throw notOurs(name)
  return ours === null ? 0 : takenBy(pool, name.schema)
}

async function takenBy(on: Pool | PoolClient, schema: string): Promise<number> {
  const { rows } = await on.query<{ version: number }>(
    `select coalesce(max(version), 0) as version from ${schema}.${stepsTable}`,
  )
  return rows[0]!.version
}

/** All steps in one transaction; another process may have taken them while this one waited for the lock. */
async function take(pool: Pool, known: readonly Step[], schema: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `revisit ${schema}`,
    ])
    await client.query(`
      create schema if not exists ${schema};
      create table if not exists ${schema}.${stepsTable} (version integer primary key)`)
    const before = await takenBy(client, schema)
    for (const { version, sql } of known) {
      if (version <= before) continue
      await client.query(sql)
      await client.query(`insert into ${stepsTable} values ($1)`, [version])
    }
    await client.query('commit')
    client.release()
  } catch (cause) {
    client.release(true)
    throw cause
  }
}

/**
 * Visits are numbered by the server's transactions. A database that was
 * restored on another server is on with lower ones: its numbers go on from
 * where they were.
 */
const raiseBase = `
  update counters set value = newest.number + 1
  from (
    select greatest((select max(number) from visits),
      (select value from counters where name = 'visit')) as number
  ) as newest
  where name = 'visit base'
    and newest.number >=
      value + pg_snapshot_xmax(pg_current_snapshot())::text::bigint * ${placesInTransaction}`

function newer({ text }: ServerAddress['name'], schema: number, newest: number): EnvironmentError {
  return new EnvironmentError(
    'store-newer',
    `${text} was written by a newer Revisit (schema ${schema}; this one knows ${newest}). Update Revisit; the database was left alone`,
  )
}

function older({ text }: ServerAddress['name']): EnvironmentError {
  return new EnvironmentError(
    'store-older',
    `${text} has an older schema. Open it once for writing, such as with \`revisit run\``,
  )
}

function noStore({ text, schema }: ServerAddress['name']): EnvironmentError {
  return new EnvironmentError(
    'no-store',
    `there is no store at ${text} (schema ${schema}); begin one with \`revisit watch\``,
  )
}

function notOurs({ text, schema }: ServerAddress['name']): EnvironmentError {
  return new EnvironmentError(
    'not-a-store',
    `the schema ${schema} of ${text} belongs to another program. Name another with ?schema=NAME at the end of the address; this one was left alone`,
  )
}
