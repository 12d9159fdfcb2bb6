import pg from 'pg'
import { expect } from 'vitest'
import type { Store } from '../../../src/model/store.js'
import { Random } from '../../../src/numeric/random.js'
import { openPostgresStore } from '../../../src/store/postgres/store.js'
import { aVisit } from '../../fixtures/a-visit.js'
import { newDatabase, newSchema } from '../../fixtures/postgres.js'

const collection = 'news'
const now = 1_700_000_000
const due = { at: now + 9, reason: '' }

/**
 * Writers whose transactions are of different length, some of them undone,
 * beside readers that remember the last number they saw, and two who notify of
 * what they read. All must see every visit once, in the order of its number.
 */
export async function followWriters({ seconds, seed }: { seconds: number; seed: number }) {
  const url = newSchema(await newDatabase())
  const stores = await Promise.all([1, 2, 3].map(() => openPostgresStore({ url })))
  const [first, second, third] = stores as [Store, Store, Store]
  const random = new Random(seed)
  const written: number[] = []
  // The collection is there before anybody writes by hand.
  await first.addPages({ collection, now, pages: [{ url: 'https://first.example/' }] })
  const end = performance.now() + seconds * 1000
  const running = () => performance.now() < end

  const writers = [
    ...[first, second, third].map((store, at) =>
      throughStore(store, { worker: `w${at}`, running }),
    ),
    ...Array.from({ length: 6 }, (_, at) =>
      atLength(url, { page: at + 1, running, random: random.fork(), written }),
    ),
  ]
  let ended = false
  const channel = await first.outbox.addChannel({
    collection,
    name: 'c',
    settings: {},
    now,
    cursor: 0,
  })
  const reading = [first, second].map((store) => followed(store, () => ended))
  const telling = [second, third].map((store) =>
    told(store, { channel: channel.id, ended: () => ended }),
  )
  const counts = await Promise.all(writers)
  ended = true
  const seen = await Promise.all(reading)
  await Promise.all(telling)

  const log = await administered(url, 'select number from visits order by number')
  const numbers = log.map((row) => Number(row.number))
  expect(numbers.length).toBe(counts.reduce((sum, count) => sum + count, 0))
  // Long ones and rolled back ones were among them.
  expect(numbers.length).toBeGreaterThan(seconds * 20)
  for (const each of seen) expect(each).toEqual(numbers)
  const deliveries = await administered(url, 'select event from deliveries order by id')
  const events = deliveries.map((row) => JSON.parse(String(row.event)) as number)
  expect(events).toEqual(numbers)
  await Promise.all(stores.map((store) => store.close()))
  return { visits: numbers.length, byHand: written.length }
}

/** Visits as the loop makes them; how many. */
async function throughStore(
  store: Store,
  { worker, running }: { worker: string; running: () => boolean },
): Promise<number> {
  const pages = Array.from({ length: 8 }, (_, at) => ({ url: `https://${worker}.example/${at}` }))
  await store.addPages({ collection, now, pages })
  let count = 0
  for (let at = now; running(); at++) {
    const some = pages.slice(0, 1 + (at % 8)).map(({ url }) => ({ collection, url }))
    const leases = await store.leasePages({ pages: some, now: at, ttl: 60, worker })
    const visit = aVisit({ at, outcome: 'changed' })
    const results = await store.recordVisits(leases.map((lease) => ({ lease, visit, due })))
    count += results.filter((result) => result === 'recorded').length
  }
  return count
}

/** Visits written by hand, as the store numbers them, in transactions of up to a third of a second. */
async function atLength(
  url: string,
  {
    page,
    running,
    random,
    written,
  }: { page: number; running: () => boolean; random: Random; written: number[] },
): Promise<number> {
  const client = await connected(url)
  const address = { table: 'pages', url: `https://hand.example/${page}` }
  await client.query(
    `insert into pages (host, page, collection, url, url_key, added_at, importance)
     values (77, $1, (select id from collections where name = $3), $2, $1, 0, 1)`,
    [page, address.url, collection],
  )
  let count = 0
  while (running()) {
    await client.query('begin')
    const many = 1 + Math.floor(random.uniform() * 5)
    const { rows } = await client.query(
      `insert into visits (number, host, page, at, outcome, bytes, duration)
       select (select value from counters where name = 'visit base')
         + pg_current_xact_id()::text::bigint * 4096 + place, 77, $1, $2 + place, 0, 0, 0
       from generate_series(0, $3::int - 1) as place returning number`,
      [page, now, many],
    )
    await new Promise((resolve) => setTimeout(resolve, random.uniform() ** 3 * 330))
    const isUndone = random.uniform() < 0.3
    await client.query(isUndone ? 'rollback' : 'commit')
    if (isUndone) continue
    count += many
    written.push(...rows.map((row) => Number(row.number)))
  }
  await client.end()
  return count
}

/** The numbers that a reader saw, in the order in which it did. */
async function followed(store: Store, ended: () => boolean): Promise<number[]> {
  const seen: number[] = []
  for (;;) {
    const isLast = ended()
    const visits = await store.visitLog({ collection, after: seen.at(-1) ?? 0, limit: 50 })
    seen.push(...visits.map(({ number }) => number))
    if (isLast && visits.length === 0) return seen
  }
}

/** Makes each visit a delivery, as the notifier does; another does the same on the same channel. */
async function told(
  store: Store,
  { channel, ended }: { channel: string; ended: () => boolean },
): Promise<void> {
  const { outbox } = store
  for (;;) {
    const isLast = ended()
    const { cursor: from } = (await outbox.channel(channel))!
    const last = await store.lastVisitNumber()
    const visits = await store.visitLog({ collection, after: from, limit: 50 })
    const whole = visits.length < 50
    const end = visits.at(-1)?.number ?? from
    const upTo = whole ? Math.max(end, last) : end
    const deliveries = visits.map(({ number, page }) => ({ page: page.id, event: number }))
    if (upTo > from) await outbox.advance({ channel, from, upTo, deliveries, now })
    if (isLast && visits.length === 0) return
  }
}

async function connected(url: string): Promise<pg.Client> {
  const place = new URL(url)
  const schema = place.searchParams.get('schema')
  place.searchParams.delete('schema')
  const client = new pg.Client({ connectionString: place.href })
  await client.connect()
  await client.query(`set search_path = ${schema}`)
  return client
}

async function administered(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = await connected(url)
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}
