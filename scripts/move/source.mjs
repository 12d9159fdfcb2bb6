import { DatabaseSync } from '@photostructure/sqlite'
import { Random } from '../../dist/numeric/index.js'
import { openSqliteStore } from '../../dist/store/index.js'

export const collection = 'news'
const start = 1_700_000_000
/** Seconds between two visits of a page. */
const round = 86_400
const together = 4_000

/**
 * A store in a file with all that can be moved. Its log but for each page's last
 * visit is written by statements, since 20 million visits by the store's own way
 * would take longer than the move; the last visits, with all that is learned,
 * versions and hosts, go that way, and the store's check has to find nothing.
 */
export async function makeSource(path, { pages, visits, hosts, seed }) {
  const rounds = Math.floor(visits / pages)
  if (rounds < 2 || rounds * pages !== visits)
    throw new Error('--visits is to be a multiple of --pages, two for each at least')
  const url = (at) => `https://h${at % hosts}.example/folder/page-${at}.html`
  const store = await openSqliteStore({ path, unsynced: true })
  for (let from = 0; from < pages; from += together)
    await store.addPages({
      collection,
      now: start,
      pages: Array.from({ length: Math.min(together, pages - from) }, (_, at) => ({
        url: url(from + at),
        importance: 1 + ((from + at) % 5),
        ...((from + at) % 3 === 0 ? { group: 'third', tags: ['a', 'ü'] } : {}),
        ...(from + at === 7 ? { settings: { role: 'list' } } : {}),
      })),
    })
  const list = (await store.getPage({ collection, url: url(7) })).id
  await store.close()
  writePast(path, rounds - 1)
  const filled = await openSqliteStore({ path, unsynced: true })
  try {
    await lastVisits(filled, { pages, url, list, seed, at: start + rounds * round })
    await others(filled, list)
    const problems = await filled.check()
    if (problems.length > 0) throw new Error(`the source is not whole: ${problems.join('; ')}`)
  } finally {
    await filled.close()
  }
}

/** Round after round in the order of time; one in five changed, one in nineteen failed, never the last. */
function writePast(path, rounds) {
  const db = new DatabaseSync(path)
  db.exec('pragma synchronous = off')
  const insert = db.prepare(`
    insert into visits (page, previous, at, outcome, status, gap, bytes, duration, fault, fingerprint)
    select id, newest_visit, ${start} + :round * ${round} + id / 1000.0, outcome,
      case when outcome = 4 then null else 200 end,
      case when outcome in (2, 4) then null else ${round} end,
      300 + id % 77, 0.1, case when outcome = 4 then 'timeout' end,
      case when outcome in (0, 2) then printf('%032x', id * 1000 + :round) end
    from (
      select id, newest_visit, case when :round = 1 then 2
        when :round < :last and (id + 3 * :round) % 19 = 0 then 4
        when (7 * id + 13 * :round) % 5 = 0 then 0 else 1 end as outcome
      from pages)
    order by id`)
  db.exec('begin')
  for (let at = 1; at <= rounds; at++) {
    const before = db.prepare('select coalesce(max(id), 0) as id from visits').get().id
    insert.run({ round: at, last: rounds })
    db.prepare(`
      update pages set newest_visit = v.id, visits = visits + 1, last_at = v.at,
        last_outcome = v.outcome, last_status = v.status,
        last_seen = case when v.outcome = 4 then last_seen else v.at end,
        last_change = case when v.outcome = 0 then v.at else last_change end,
        changes = changes + (v.outcome = 0),
        failing = case when v.outcome = 4 then failing + 1 else 0 end,
        fingerprint = coalesce(v.fingerprint, pages.fingerprint)
      from visits v where v.id = ? + pages.id`).run(before)
  }
  db.exec('commit')
  db.close()
}

/** With what is learned, contents of one page in ten (half of those that changed), and what is known of the hosts. */
async function lastVisits(store, { pages, url, list, seed, at }) {
  const random = new Random(seed)
  for (let from = 0; from < pages; from += together) {
    const refs = Array.from({ length: Math.min(together, pages - from) }, (_, place) => ({
      collection,
      url: url(from + place),
    }))
    const leases = await store.leasePages({ pages: refs, worker: 'fill', now: at, ttl: 60 })
    const results = await store.recordVisits(
      leases.map((lease, place) => report({ lease, list, random, place: from + place, at })),
    )
    if (results.some((result) => result !== 'recorded'))
      throw new Error('the source could not be filled')
  }
}

function report({ lease, list, random, place, at }) {
  const changed = random.uniform() < 0.2
  const text = `${lease.page.url} ${changed ? 'new' : 'old'}`
  return {
    lease,
    visit: {
      at: at + place / 1000,
      outcome: changed ? 'changed' : 'unchanged',
      status: 200,
      gap: round,
      contentAge: null,
      bytes: text.length,
      duration: 0.1,
      fault: null,
      fingerprint: changed ? text : null,
    },
    due: { at: at + 1e6 * random.uniform(), reason: `planned ${place % 100}` },
    validators: { etag: `"${place}"` },
    title: `Title ${place}`,
    state: { learner: 'l', numbers: Float64Array.of(place, -0, Number.NaN, random.uniform()) },
    hints: { kinds: { sitemap: { source: list, claim: place } } },
    ...(changed && place % 2 === 0
      ? { content: { body: Buffer.from(text), mediaType: 'text/plain', headers: { a: 'b' } } }
      : {}),
    host: {
      host: lease.page.host,
      state: { asked: at },
      blockedUntil: null,
      fence: { token: lease.token, step: 1 },
    },
  }
}

/** A setting with lists by their ids, a channel, and a change in the inbox. */
async function others(store, list) {
  await store.putSetting(collection, 'auto-lists', { [list]: 3 })
  const cursor = await store.lastVisitNumber()
  const channel = { collection, name: 'hook', settings: { kind: 'webhook' } }
  await store.outbox.addChannel({ ...channel, now: start, cursor })
  const query = { collection, changesOnly: true, newestFirst: true, limit: 1 }
  const [newest] = await store.visitLog(query)
  await store.inbox.add(collection, [
    {
      ...{ number: newest.number, page: newest.page.id, at: newest.at, previous: null },
      ...{ title: 'T', removed: 'old', added: 'new', share: 0.5, note: null, text: 'old new' },
    },
  ])
}
