import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { CommitMarks } from '../../../src/store/postgres/server/commit-marks.js'
import { Session } from '../../../src/store/postgres/server/session.js'
import { openPostgresStore } from '../../../src/store/postgres/store.js'
import { administer, newDatabase, newSchema, postgresUrl } from '../../fixtures/postgres.js'

const collection = 'news'
const now = 1_700_000_000
const pages = [{ url: 'https://a.example/' }, { url: 'https://b.example/' }]

async function storeOf(connections: number, wanted?: string) {
  const url = wanted ?? newSchema(await newDatabase())
  const store = await openPostgresStore({ url, connections })
  onTestFinished(() => store.close())
  return { url, store, schema: new URL(url).searchParams.get('schema')! }
}

/** A connection with a transaction that has done something and waits. */
async function begun(url: string, schema: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`set search_path = ${schema}; begin; ${statement}`)
  return client
}

/** Once somebody waits for a lock that another has. */
async function untilWaiting(url: string) {
  const waiting = `
    select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  while ((await administer(url, waiting)).length === 0)
    await new Promise((resolve) => setTimeout(resolve, 20))
}

it('one connection is enough for each call: none waits for a second while it has one', async () => {
  const { url, store } = await storeOf(1)
  await store.addPages({ collection, now, pages })
  const listed = await store.listPages({ collection, limit: 2 })
  const [page, other] = listed.pages
  const settings = { kind: 'command', command: 'true' } as never
  const channel = await store.outbox.addChannel({
    ...{ collection, name: 'a' },
    settings,
    now,
    cursor: 0,
  })
  // Each opened anew: nothing is known by name yet.
  const anew = async () => (await storeOf(1, url)).store
  expect(await (await anew()).getPage({ id: page!.id })).toMatchObject({ collection })
  expect(await (await anew()).changePage({ id: page!.id }, { importance: 2 })).toMatchObject({
    collection,
  })
  const ask = { now, ttl: 9, worker: 'w' }
  const leases = await (await anew()).leasePages({ pages: [{ id: other!.id }], ...ask })
  expect(leases).toMatchObject([{ page: { collection } }])
  const { outbox } = await anew()
  expect(await outbox.changeChannel(channel.id, { name: 'b' })).toMatchObject({ name: 'b' })
})

it('a page is taken away with the change that is just being written of it', async () => {
  const { url, store, schema } = await storeOf(4)
  await store.addPages({ collection, now, pages })
  const [page] = (await store.listPages({ collection, limit: 1 })).pages
  const [row] = await administer<{ host: string }>(
    url,
    `select host::text from ${schema}.pages where number = 1`,
  )
  const { host } = row!
  const writer = await begun(
    url,
    schema,
    `select 1 from pages where host = ${host} and page = 1 for key share;
     insert into changes (number, collection, host, page, at, removed, added, words)
     select 7, collection, host, page, ${now}${now}, '', '', '' from pages where host = ${host} and page = 1`,
  )
  const removed = store.removePages([{ id: page!.id }])
  await untilWaiting(url)
  await writer.query('commit')
  expect(await removed).toBe(1)
  expect(await administer(url, `select 1 from ${schema}.changes`)).toEqual([])
})

it('what is leased while a worker is released stays leased', async () => {
  const { url, store, schema } = await storeOf(4)
  await store.addPages({ collection, now, pages })
  const [page, other] = (await store.listPages({ collection, limit: 2 })).pages
  const ask = { now, ttl: 99, worker: 'w' }
  await store.leasePages({ pages: [{ id: page!.id }], ...ask })
  const holder = await begun(url, schema, `select 1 from hosts where name = 'a.example' for update`)
  const released = store.releaseWorker('w')
  await untilWaiting(url)
  await store.leasePages({ pages: [{ id: other!.id }], ...ask })
  await holder.query('commit')
  expect(await released).toBe(1)
  expect(await store.leasingWorkers()).toEqual(['w'])
  expect(await store.check()).toEqual([])
})

it('a connection on which many rows at once failed is as good as before', async () => {
  const client = new pg.Client({ connectionString: await postgresUrl() })
  Object.assign(client, { pipeline: true })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('create temporary table numbers (number int primary key)')
  const session = new Session(client)
  await client.query('begin')
  const copied = session.copy({ table: 'numbers', columns: ['number'] }, [[1], [2], [1]])
  await expect(copied).rejects.toThrow('duplicate key')
  expect(client).toMatchObject({ pipeline: true })
  await client.query('rollback')
  await session.copy({ table: 'numbers', columns: ['number'] }, [[1], [2]])
  expect(await session.onceArrays('select number from numbers')).toEqual([[1], [2]])
})

it('connections that come and go leave no more marks than there are at once', async () => {
  const { url, store, schema } = await storeOf(2)
  for (let at = 0; at < 8; at++) {
    await store.putSetting(collection, 'at', at)
    await administer(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'revisit'`,
    )
  }
  const marks = `select count(*)::int as many from ${schema}.counters where name like 'commit %'`
  const [{ many } = { many: 0 }] = await administer<{ many: number }>(url, marks)
  expect(many).toBeGreaterThan(0)
  expect(many).toBeLessThanOrEqual(2)
})

it('a mark is given to nobody else before it is known what came of its transaction', () => {
  const marks = new CommitMarks()
  const first = marks.take()
  const second = marks.take()
  expect(second.name).not.toBe(first.name)
  marks.giveBack(first)
  const third = marks.take()
  expect(third.name).toBe(first.name)
  expect(third.value).toBeGreaterThan(second.value)
  expect(marks.names).toHaveLength(2)
})
