import { parentPort, workerData } from 'node:worker_threads'
import { DatabaseSync } from '@photostructure/sqlite'

/**
 * The store of the floor, on a thread of its own: the columns and the sync of
 * the real one, one index, and nothing that a store has to know besides.
 */

const { path, bases, pages } = workerData
const db = new DatabaseSync(path)
db.exec(`
  pragma journal_mode = wal; pragma synchronous = full;
  create table pages (
    id integer primary key, collection integer, host integer, due real, reason text, url text,
    added_at real, page_group text, importance real, settings text, etag text, last_modified text,
    fingerprint text, hints text, moved_to text, last_at real, last_outcome integer,
    last_status integer, last_seen real, last_change real, visits integer, changes integer,
    failing integer, gone integer, newest_visit integer, learner text, state blob, noise text);
  create index pages_by_due on pages (collection, host, due);
  create table leases (page integer primary key, host integer, token integer, expires real);
  create table visits (
    id integer primary key, page integer, previous integer, at real, outcome integer,
    status integer, gap real, content_age real, last_modified real, bytes integer, duration real,
    fault text, fingerprint text, unchanged_for real);
  begin`)
const reason = 'unchanged for three visits: the gap doubles'
const state = new Uint8Array(60)
const add = db.prepare(`
  insert into pages (id, collection, host, due, reason, url, added_at, importance, etag,
    fingerprint, visits, changes, failing, gone, learner, state)
  values (?, 1, ?, 0, ?, ?, 0, 1, ?, ?, 1, 0, 0, 0, 'one/other', ?)`)
bases.forEach((base, site) => {
  for (let page = 0; page < pages; page++) {
    const etag = `"${site}-${page}-0"`
    add.run(site * pages + page + 1, site, reason, `${base}/page/${page}`, etag, etag, state)
  }
})
db.exec('commit')

const rowsOf = db.prepare(
  'select pages.* from json_each(?) as chosen cross join pages on pages.id = chosen.value',
)
rowsOf.setReturnArrays(true)
const lease = db.prepare(`
  insert or replace into leases
  select pages.id, pages.host, given.key, 300
  from json_each(?) as given cross join pages on pages.id = given.value`)
const release = db.prepare('delete from leases where page in (select value from json_each(?))')
const append = db.prepare(`
  insert into visits values (?, ?, ?, ?, 1, 304, ?, null, null, 0, ?, null, null, null)`)
const update = db.prepare(`
  update pages set due = ?, reason = ?, state = ?, last_at = ?, last_outcome = 1,
    last_status = 304, last_seen = ?, visits = visits + 1, newest_visit = ? where id = ?`)
let last = 0

const answers = {
  /** The next pages of all hosts. */
  lease({ from, many }) {
    const ids = bases.flatMap((_, site) =>
      Array.from({ length: many }, (_, at) => site * pages + from + at + 1),
    )
    db.exec('pragma synchronous = normal; begin immediate')
    const rows = rowsOf.all(JSON.stringify(ids))
    lease.run(JSON.stringify(ids))
    db.exec('commit; pragma synchronous = full')
    return rows
  },
  /** Visits: id of the page, time, gap and duration of each. */
  record({ visits }) {
    db.exec('begin immediate')
    const ids = []
    for (let at = 0; at < visits.length; at += 4) {
      const [id, time, gap, duration] = visits.subarray(at, at + 4)
      const number = ++last
      append.get(number, id, number - 1, time, gap, duration)
      update.get(time + gap, reason, state, time, time, number, id)
      ids.push(id)
    }
    release.run(JSON.stringify(ids))
    db.exec('commit')
    return ids.length
  },
}

parentPort.on('message', ({ id, method, args }) => {
  parentPort.postMessage({ id, result: answers[method](args) })
})
