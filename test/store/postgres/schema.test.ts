import { expect, it } from 'vitest'
import { openPostgresStore } from '../../../src/store/postgres/store.js'
import { type Columns, pageColumns, visitColumns } from '../../../src/store/schema.js'
import { aVisit } from '../../fixtures/a-visit.js'
import { administer, newDatabase, newSchema } from '../../fixtures/postgres.js'

const collection = 'news'
const now = 1_700_000_000

interface Column {
  readonly column_name: string
  readonly data_type: string
  readonly is_nullable: 'YES' | 'NO'
}

/** What each kind of column of `schema.ts` is on the server. */
const typesOf: Readonly<Record<string, readonly string[]>> = {
  integer: ['integer', 'bigint'],
  real: ['double precision'],
  text: ['text'],
  numbers: ['bytea'],
  blob: ['bytea'],
}

it('the tables have every column of pages and visits, with its type', async () => {
  const url = newSchema(await newDatabase())
  await (await openPostgresStore({ url })).close()
  const schema = new URL(url).searchParams.get('schema')
  const columnsOf = async (...tables: string[]) => {
    const rows = await administer<Column & { table_name: string }>(
      url,
      `select table_name, column_name, data_type, is_nullable from information_schema.columns
       where table_schema = '${schema}'`,
    )
    const found = rows.filter(({ table_name }) => tables.includes(table_name))
    return new Map(found.map((each) => [each.column_name, each]))
  }
  const check = (listed: Columns, found: Map<string, Column>) => {
    for (const [name, type] of listed) {
      const column = found.get(name)
      expect(column, name).toBeDefined()
      expect(typesOf[type.replace('?', '')], name).toContain(column!.data_type)
      expect(column!.is_nullable === 'YES', name).toBe(type.endsWith('?'))
    }
  }
  // A page's id is its host and its number there.
  const ids = pageColumns.filter(([name]) => name !== 'id')
  check(ids, await columnsOf('pages', 'page_states'))
  check(visitColumns, await columnsOf('visits'))
})

it('numbers of visits go on where they were on a server with fewer transactions', async () => {
  const url = newSchema(await newDatabase())
  const schema = new URL(url).searchParams.get('schema')
  const pages = [{ url: 'https://a.example/' }]
  const visit = async (at: number) => {
    const store = await openPostgresStore({ url })
    await store.addPages({ collection, now, pages })
    const ask = { pages: pages.map((page) => ({ collection, ...page })), ttl: 9, worker: 'w' }
    const leases = await store.leasePages({ ...ask, now: at })
    const due = { at: at + 1, reason: '' }
    await store.recordVisits(leases.map((lease) => ({ lease, visit: aVisit({ at }), due })))
    const log = await store.visitLog({ collection, limit: 9 })
    expect(await store.check()).toEqual([])
    await store.close()
    return log.map(({ number }) => number)
  }
  const [first] = await visit(now)
  // As if it had been written where far more transactions had been.
  const far = first! + 4096 * 1_000_000
  await administer(
    url,
    `update ${schema}.visits set number = ${far};
     update ${schema}.page_states set newest_visit = ${far}`,
  )
  const after = await visit(now + 5)
  expect(after[0]).toBe(far)
  expect(after[1]).toBeGreaterThan(far)
})

it('plans made while the store is empty find rows by their keys', async () => {
  const url = newSchema(await newDatabase())
  // Plans are kept for a connection: one, that began with nothing.
  const store = await openPostgresStore({ url, connections: 1 })
  const step = async (at: number) => {
    const ask = { collection, now: at, limit: 20, perHost: 2, ahead: 3, ttl: 9, worker: 'w' }
    const leases = await store.leaseDue(ask)
    const due = { at: at + 1e6, reason: '' }
    const content = { body: Buffer.from(`at ${at}`) }
    const visit = aVisit({ at, outcome: 'changed' })
    await store.recordVisits(leases.map((lease) => ({ lease, visit, due, content })))
    await store.nextDue({ collection, now: at, perHost: 1 })
    await store.visitLog({ collection, limit: 9 })
    if (leases[0] !== undefined) await store.visitsOf(leases[0].page)
    return leases.length
  }
  const add = (from: number, many: number) =>
    store.addPages({
      collection,
      now,
      pages: Array.from({ length: many }, (_, at) => ({
        url: `https://h${(from + at) % 500}.example/${from + at}`,
      })),
    })
  await add(0, 1)
  expect(await step(now)).toBe(1)
  await add(1, 6000)
  await step(now + 1)
  const began = performance.now()
  for (let at = 2; at < 12; at++) expect(await step(now + at)).toBe(20)
  await add(7000, 3000)
  // A plan that reads a table for each row takes a minute for this; along the keys it is a second.
  expect(performance.now() - began).toBeLessThan(15_000)
  await store.close()
})
