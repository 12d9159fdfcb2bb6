// What a page and a visit cost a store, for docs/scale.md: bytes on the disk, bytes of write-ahead log
// and processor time, over as many hosts as asked for.
//   node scripts/store-cost.mjs --store postgres --pages 100000 --visits 5
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { visitDue } from '../bench/postgres/visits.mjs'
import { openPostgresStore, openSqliteStore } from '../dist/store/index.js'
import { startPostgres } from './postgres-server.mjs'

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'postgres' },
    pages: { type: 'string', default: '100000' },
    visits: { type: 'string', default: '5' },
    hosts: { type: 'string', default: '1000' },
  },
})
const [pages, visits, hosts] = [values.pages, values.visits, values.hosts].map(Number)
const collection = 'cost'
const day = 86_400
const start = 1_700_000_000
let copies = 0
const folder = mkdtempSync(join(tmpdir(), 'revisit-cost-'))
const server =
  values.store === 'postgres'
    ? await startPostgres({ durable: true, flags: ['-c', 'max_wal_size=8GB'] })
    : undefined
const path = join(folder, 'revisit.db')
const store =
  server === undefined
    ? await openSqliteStore({ path })
    : await openPostgresStore({ url: server.url })
const client = server === undefined ? undefined : await connected(server.url)
try {
  const url = (at) => `https://host-${at % hosts}.example/folder/page-${at}.html`
  for (let from = 0; from < pages; from += 10_000)
    await store.addPages({
      collection,
      now: start,
      pages: Array.from({ length: Math.min(10_000, pages - from) }, (_, at) => ({
        url: url(from + at),
        due: { at: start, reason: 'never visited before' },
      })),
    })
  const empty = await sizes()
  let made = 0
  const began = { wal: await walAt(), cpu: process.cpuUsage(), at: performance.now() }
  for (let round = 1; round <= visits; round++) {
    const now = start + round * 2 * day
    for (let left = pages; left > 0; ) {
      const { visited } = await visitDue(store, { collection, worker: 'w', now, again: day })
      if (visited === 0) throw new Error('nothing was due')
      left -= visited
      made += visited
    }
  }
  const cpu = process.cpuUsage(began.cpu)
  const after = await sizes()
  const perVisit = (bytes) => Math.round(bytes / made)
  print({
    store: values.store,
    pages,
    visits: made,
    bytesPerNewPage: Math.round(empty.all / pages),
    bytesPerVisitInLog: perVisit(after.log - empty.log),
    bytesPerPageVisited: Math.round((after.all - after.log) / pages),
    walPerVisit: server === undefined ? null : perVisit((await walAt()) - began.wal),
    clientMicrosecondsPerVisit: Math.round((cpu.user + cpu.system) / made),
    visitsPerSecond: Math.round(made / ((performance.now() - began.at) / 1000)),
    connections: client === undefined ? null : await connections(),
    tables: after.tables,
  })
} finally {
  await store.close()
  await client?.end()
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
}

function print(found) {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${JSON.stringify({ version, ...found }, null, 2)}\n`)
}

async function connected(address) {
  const { default: pg } = await import('pg')
  const made = new pg.Client({ connectionString: address })
  made.on('error', () => {})
  await made.connect()
  return made
}

/** Bytes of all, and of the log of visits. */
async function sizes() {
  if (client === undefined) {
    // A copy: the file itself has a log of its own beside it.
    const copy = join(folder, `copy-${++copies}.db`)
    await store.backup(copy)
    return { all: statSync(copy).size, log: 0, tables: null }
  }
  const { rows } = await client.query(`
    select coalesce(parent.relname, c.relname) as name, sum(pg_total_relation_size(c.oid))::float8 as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
      left join pg_inherits i on i.inhrelid = c.oid left join pg_class parent on parent.oid = i.inhparent
    where n.nspname = 'revisit' and c.relkind = 'r' group by 1 order by 2 desc`)
  const tables = Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]))
  const all = rows.reduce((sum, { bytes }) => sum + bytes, 0)
  return { all, log: tables.visits ?? 0, tables }
}

async function walAt() {
  if (client === undefined) return 0
  const { rows } = await client.query(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as at`,
  )
  return rows[0].at
}

async function connections() {
  const { rows } = await client.query(`
    select count(*)::int as many from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  return rows[0].many
}
