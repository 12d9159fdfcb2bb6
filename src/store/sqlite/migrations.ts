import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { EnvironmentError } from '../../model/errors.js'
import { type Columns, type ColumnType, pageColumns, type Step, stepsWith } from '../schema.js'
import { readAtOnce } from './file/file-state.js'

/**
 * The schema, step by step; columns of pages that came later are added by the
 * steps that `schema.ts` gives them. A step that has been released is never
 * edited: a store that took it would differ from a new one.
 *
 * A page's id is never given again, so that what names a removed page names none.
 * Visits are appended in the order they come and chained page by page
 * (`previous`, `pages.newest_visit`): an index by page would make every visit
 * write to a random place, and reading a page's past by its chain is as fast.
 */
const written: readonly Step[] = [
  {
    version: 1,
    sql: `
create table collections (id integer primary key, name text not null unique);
create table hosts (
  id integer primary key, name text not null unique, state text, blocked_until real
);
create table pages (
  id integer primary key autoincrement, collection integer not null, host integer not null,
  due real, reason text not null, url text not null, added_at real not null,
  page_group text, importance real not null, settings text,
  etag text, last_modified text, fingerprint text, hints text, moved_to text,
  last_at real, last_outcome integer, last_status integer, last_seen real, last_change real,
  visits integer not null default 0, changes integer not null default 0,
  failing integer not null default 0, gone integer not null default 0,
  newest_visit integer, learner text, state blob
);
create unique index pages_by_url on pages (collection, host, url);
create index pages_by_due on pages (collection, host, due) where due is not null;
create table frontier (
  collection integer not null, host integer not null,
  due real, blocked real, served real, pages integer not null,
  ready real generated always as
    (max(due, coalesce(blocked, due), coalesce(served, due))) virtual,
  primary key (collection, host)
) without rowid;
create index frontier_by_ready on frontier (collection, ready, host) where ready is not null;
create index frontier_by_host on frontier (host);
create table leases (
  page integer primary key, collection integer not null, host integer not null,
  token integer not null, expires real not null, worker text not null
);
create index leases_by_host on leases (host, expires);
create table visits (
  id integer primary key, page integer not null, previous integer,
  at real not null, outcome integer not null, status integer, gap real, content_age real,
  last_modified real, bytes integer not null, duration real not null, fault text, fingerprint text
);
create table versions (
  page integer not null, at real not null, snapshot integer not null,
  media_type text, headers text, primary key (page, at)
) without rowid;
create table snapshots (
  id integer primary key, digest blob not null unique, bytes integer not null,
  packing integer not null, refs integer not null, body blob not null
);
create table settings (
  collection integer not null, name text not null, value text not null,
  primary key (collection, name)
) without rowid;
create table counters (name text primary key, value integer not null) without rowid;
insert into counters values ('token', 0);
`,
  },
  // What on a page is noise: JSON.
  { version: 3, sql: 'alter table pages add column noise text' },
  {
    version: 4,
    sql: 'alter table hosts add column hints text',
  },
  {
    // Lists read narrow indexes instead of whole rows. A visit writes to one of them, and to the
    // one by change if it found one; the others stay as they are. The highest number of a visit
    // outlives the visit, so that none is given twice.
    version: 5,
    sql: `
create index pages_by_order on pages (
  collection, due, last_at, last_change, last_outcome, importance, page_group
);
create index pages_by_collection on pages (collection);
create index pages_by_importance on pages (collection, importance);
create index pages_by_address on pages (collection, url);
create index pages_by_change on pages (collection, last_change) where last_change is not null;
create index visits_changed on visits (id) where outcome = 0;
insert into counters values ('visit', 0);
`,
  },
  {
    // Notifications: a cursor into the log of visits for each channel, and what is to be sent.
    // A number of a delivery is never given twice: receivers know by it what they have seen.
    version: 6,
    sql: `
create table channels (
  id integer primary key autoincrement, collection integer not null, name text not null,
  settings text not null, enabled integer not null, added_at real not null, cursor integer not null,
  failing_since real, failures integer not null default 0, rests_until real, error text,
  holder text, held_until real, unique (collection, name)
);
create table deliveries (
  id integer primary key autoincrement, channel integer not null, page integer not null,
  event text not null, made_at real not null, state integer not null default 0,
  attempts integer not null default 0, first_at real, next_at real not null,
  ended_at real, error text
);
create index deliveries_pending on deliveries (channel, page, id) where state = 0;
create index deliveries_ended on deliveries (ended_at) where state > 0;
create index deliveries_by_channel on deliveries (channel, id);
`,
  },
  // How long a page had not changed after the visit before, by a list that proved right.
  { version: 7, sql: 'alter table visits add column calm_for real' },
  // Whether somebody set the page's due time while it was leased.
  { version: 8, sql: 'alter table leases add column due_set integer not null default 0' },
  {
    // With all columns: SQLite takes a computed one for all of them, and went from the index to
    // the table for each host that it read.
    version: 9,
    sql: `
drop index frontier_by_ready;
create index frontier_by_ready on frontier (
  collection, ready, host, due, blocked, served, pages
) where ready is not null;
`,
  },
  // The order of a host's records, so that an older one never takes the place of a newer; and under
  // which lease a page's last visit was recorded, so that a report that comes again is known.
  {
    version: 10,
    sql: `
alter table hosts add column token integer;
alter table hosts add column step integer;
alter table pages add column last_token integer;
`,
  },
  // A setting whose name was a word of our own.
  {
    version: 11,
    sql: `update or replace settings set name = 'auto-comparisons' where name = 'auto-lesson'`,
  },
  // The title of the content that was kept last.
  { version: 12, sql: 'alter table pages add column title text' },
  // Who is at work, and work that one of them does for all.
  {
    version: 13,
    sql: `
create table workers (
  name text primary key, role text not null, version text not null,
  since real not null, last_sign real not null
) without rowid;
create table chores (
  name text primary key, worker text not null, since real not null, expires real not null
) without rowid;
`,
  },
  {
    // Further groups of a page, and changes as a person goes through them. Their words are in an
    // index for searches that keeps no copy of the text.
    version: 14,
    sql: `
alter table pages add column tags text;
create index pages_by_tags on pages (collection, tags) where tags is not null;
create table changes (
  number integer primary key, collection integer not null, page integer not null,
  at real not null, previous real, title text, removed text not null, added text not null,
  share real, note text, seen integer not null default 0
);
create index changes_by_order on changes (collection, number, page, seen);
create index changes_by_page on changes (page, number);
create index changes_unseen on changes (collection, page, number) where seen = 0;
create virtual table change_words using fts5 (
  words, content = '', contentless_delete = 1, detail = none, prefix = '2 3',
  tokenize = 'unicode61 remove_diacritics 0'
);
`,
  },
  {
    // Crawls of the frontier: addresses in queues, and when each queue may next give. In the order
    // in which they take turns; leases of the frontier by when they run out.
    version: 15,
    sql: `
alter table collections add column queued integer not null default 0;
create table queues (
  collection integer not null, host integer not null,
  delay real, blocked real, quota integer not null default 0, given real, ended real,
  in_flight integer not null default 0, due real, ready real,
  primary key (collection, host)
) without rowid;
create index queues_by_ready on queues (collection, in_flight, ready, host)
  where ready is not null;
create index leases_of_queues on leases (expires) where worker = 'frontier';
create index pages_completed on pages (collection, host, due) where due is null;
`,
  },
]

/** All steps, with the columns of pages that came with them. */
export function migrationsOf(columns: Columns): readonly Step[] {
  return stepsWith(written, columns, {
    store: 'sqlite',
    add: (name, type) => `alter table pages add column ${name} ${fileType(type)}`,
  })
}

export const migrations = migrationsOf(pageColumns)

/** A new column in the file: null in rows that are there, or nought. */
function fileType(type: ColumnType): string {
  const kind = type.replace('?', '').replace('numbers', 'blob')
  return type.endsWith('?') ? kind : `${kind} not null default 0`
}

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
  { path, migrations }: { readonly path: string; readonly migrations: readonly Step[] },
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
  { path, migrations }: { readonly path: string; readonly migrations: readonly Step[] },
): void {
  const schema = schemaOf(db, path)
  for (const migration of migrations) if (migration.version > schema) take(db, migration)
}

/** Refuses to look into a file that would first have to be written. */
export function checkUpToDate(
  db: DatabaseSyncInstance,
  { path, migrations }: { readonly path: string; readonly migrations: readonly Step[] },
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
function take(db: DatabaseSyncInstance, { version, sql }: Step): void {
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

function newestOf(migrations: readonly Step[]): number {
  return migrations[migrations.length - 1]?.version ?? 0
}

function number(
  db: DatabaseSyncInstance,
  query: { readonly column: string; readonly from: string },
): number {
  return Number(readAtOnce(db, query)[0])
}
