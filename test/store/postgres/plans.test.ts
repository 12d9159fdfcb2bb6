import { expect, it } from 'vitest'
import type { Lease } from '../../../src/model/lease.js'
import type { Store } from '../../../src/model/store.js'
import { openPostgresStore } from '../../../src/store/postgres/store.js'
import { aVisit } from '../../fixtures/a-visit.js'
import { administer, newDatabase, newSchema } from '../../fixtures/postgres.js'

const collection = 'news'
const now = 1_700_000_000
const hosts = 300
const pagesInAll = 3000
/** The first pages are on hosts of their own. */
const few = 50
const url = (at: number) => `https://h${at < few ? at : few + (at % (hosts - few))}.example/${at}`
const due = { at: now + 9999, reason: 'r' }

async function leased(store: Store, from: number, count: number, worker: string) {
  const pages = Array.from({ length: count }, (_, at) => ({ collection, url: url(from + at) }))
  const leases = await store.leasePages({ pages, worker, now, ttl: 600 })
  expect(leases.length).toBe(count)
  return leases
}

const reports = (leases: readonly Lease[], at: number) =>
  leases.map((lease) => ({ lease, due, visit: aVisit({ at }) }))

/** What is done with leases, each to a few of them. */
const work: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  'visits of due pages': async (store) => {
    const terms = { collection, now, limit: few, perHost: 1, ttl: 600, worker: 'ours' }
    const leases = await store.leaseDue(terms)
    expect(leases.length).toBe(few)
    const results = await store.recordVisits(reports(leases, now + 1))
    expect(new Set(results)).toEqual(new Set(['recorded']))
  },
  'leases that are extended and given back': async (store) => {
    const leases = await leased(store, 0, few, 'ours')
    expect(await store.extendLeases(leases, { until: now + 900 })).not.toContain(false)
    expect(await store.releaseLeases(leases)).toBe(few)
  },
  'pages that are changed, and removed': async (store) => {
    const pages = (await leased(store, 0, few, 'ours')).map(({ page }) => page)
    await store.changePages(pages.map((page) => ({ page, change: { due } })))
    expect(await store.removePages(pages)).toBe(few)
  },
}

/** Rows of a table that were found by its indexes so far. Those of a connection count once it has ended. */
async function found(database: string, schema: string, table = 'leases'): Promise<number> {
  const open =
    'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
  await expect.poll(() => administer(database, open), { timeout: 10_000 }).toEqual([])
  const [row] = await administer<{ rows: string }>(
    database,
    `select sum(idx_tup_read) as rows from pg_stat_all_indexes
     where schemaname = '${schema}' and relname = '${table}'`,
  )
  return Number(row!.rows)
}

it.each(Object.entries(work))(
  '%s: the leases of others are not read, though the server takes the table for empty',
  async (_, act) => {
    const address = newSchema(await newDatabase())
    const schema = new URL(address).searchParams.get('schema')!
    const filling = await openPostgresStore({ url: address })
    const pages = Array.from({ length: pagesInAll }, (__, at) => ({ url: url(at) }))
    await filling.addPages({ collection, now, pages })
    await filling.releaseLeases(await leased(filling, few, 500, 'others'))
    // Its blocks stay, as under load; the next connection plans by what is found now.
    await administer(address, `vacuum (analyze, truncate off) ${schema}.leases`)
    await leased(filling, few, 2000, 'others')
    await filling.close()
    const before = await found(address, schema)
    const store = await openPostgresStore({ url: address })
    await act(store)
    await store.close()
    expect((await found(address, schema)) - before).toBeLessThan(50 * few)
  },
)

it('who goes through a collection that just grew reads each page once, not all of it for each stretch', async () => {
  const address = newSchema(await newDatabase())
  const schema = new URL(address).searchParams.get('schema')!
  const filling = await openPostgresStore({ url: address })
  // The server has no statistics of it yet.
  const pages = Array.from({ length: pagesInAll }, (_, at) => ({ url: url(at) }))
  await filling.addPages({ collection, now, pages })
  await filling.close()
  const before = await found(address, schema, 'pages')
  const store = await openPostgresStore({ url: address })
  const seen = new Set<string>()
  let after: string | undefined
  do {
    const next = after === undefined ? {} : { after }
    const list = await store.listPages({ collection, limit: 50, ...next })
    for (const page of list.pages) seen.add(page.url)
    after = list.next ?? undefined
  } while (after !== undefined)
  await store.close()
  expect(seen.size).toBe(pagesInAll)
  expect((await found(address, schema, 'pages')) - before).toBeLessThan(2 * pagesInAll)
})

it('visits whose leases go on do not read all leases of their host', async () => {
  const address = newSchema(await newDatabase())
  const schema = new URL(address).searchParams.get('schema')!
  const store = await openPostgresStore({ url: address })
  const pages = Array.from({ length: 500 }, (_, at) => ({ url: `https://one.example/${at}` }))
  await store.addPages({ collection, now, pages })
  const named = pages.map(({ url }) => ({ collection, url }))
  const leases = await store.leasePages({ pages: named, worker: 'ours', now, ttl: 600 })
  expect(leases.length).toBe(pages.length)
  await store.close()
  const before = await found(address, schema)
  const again = await openPostgresStore({ url: address })
  for (const lease of leases.slice(0, few)) {
    const [report] = reports([lease], now + 1)
    expect(await again.recordVisits([{ ...report!, keepLease: true }])).toEqual(['recorded'])
  }
  await again.close()
  expect((await found(address, schema)) - before).toBeLessThan(10 * few)
  // Its host is held all the same, until the last lease ends.
  const other = await openPostgresStore({ url: address })
  const terms = { collection, limit: 9, perHost: 1, ttl: 600, worker: 'another' }
  expect(await other.leaseDue({ ...terms, now: now + 599 })).toEqual([])
  await other.close()
})
