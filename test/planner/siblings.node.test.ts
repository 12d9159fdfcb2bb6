import { afterEach, describe, expect, it } from 'vitest'
import type { PageRecord } from '../../src/model/page.js'
import type { Store } from '../../src/model/store.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { AutoPlanners } from '../../src/planner/collection/planners.js'
import { callSiblings, isCalled } from '../../src/planner/collection/siblings.js'
import { noSiteSignal } from '../../src/planner/collection/site-signals.js'
import { parseAllowedHours } from '../../src/policies/allowed-hours.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { aVisit } from '../fixtures/a-visit.js'
import { provenSignal } from '../fixtures/proven-signal.js'
import { tempFolder } from '../fixtures/temp-folder.js'

const now = Date.UTC(2026, 5, 1, 12, 30) / 1000
const collection = 'c'
const address = (page: number) => `http://a.example/${page}`
const proven = provenSignal({ at: now })
const opened: Store[] = []
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

/** Page i was last seen a day ago and is due in i hours and a day; page 0 has just been found changed. */
async function site(open: () => Promise<Store>, pages: number): Promise<Store> {
  const store = await open()
  opened.push(store)
  const list = Array.from({ length: pages }, (_, i) => ({ url: address(i) }))
  await store.addPages({ collection, pages: list, now: now - 2 * DAY })
  const refs = list.map(({ url }) => ({ collection, url }))
  const terms = { worker: 'w', now: now - DAY, ttl: 60 }
  const leases = await store.leasePages({ ...terms, pages: refs })
  await store.recordVisits(
    leases.map((lease, i) => ({
      lease,
      visit: aVisit({ at: now - DAY, outcome: 'first' }),
      due: { at: now + DAY + i * HOUR, reason: 'planned' },
    })),
  )
  return store
}

const planners = new AutoPlanners()
const parts = (store: Store) => ({ store, planners, follows: () => true, price: () => 6 * HOUR })
const pageOf = async (store: Store, page: number) =>
  (await store.getPage({ collection, url: address(page) }))!
async function called(store: Store): Promise<PageRecord[]> {
  const { pages } = await store.listPages({ collection, sort: 'due', limit: 1000 })
  return pages.filter(isCalled)
}
const order = (pages: readonly PageRecord[]) =>
  pages.map(({ url }) => Number(url.split('/').at(-1)))

describe.each([
  ['memory', async () => openMemoryStore()],
  ['SQLite', () => openSqliteStore({ path: `${tempFolder()}/revisit.db` })],
])('callSiblings over the store in %s', (_, open) => {
  it('makes those due that have longest to wait, one after another', async () => {
    const store = await site(open, 30)
    const after = await callSiblings(await pageOf(store, 0), proven, {
      now,
      calls: 10,
      parts: parts(store),
    })
    const due = await called(store)
    expect(order(due)).toEqual([29, 28, 27, 26, 25, 24, 23, 22, 21, 20])
    expect(due.map(({ due }) => due.at)).toEqual(due.map((__, i) => now + 10 * (i + 1)))
    expect(due[0]!.due.reason).toBe(
      'a page of its site was found changed at 12:30 UTC; on this site 91% of the others have then too',
    )
    expect(after).toEqual({ ...proven, reached: now + DAY + 20 * HOUR, last: now + 100 })
    // Two more for one that was found changed, after those that wait.
    await callSiblings(due[0]!, after, { now: now + 10, calls: 2, parts: parts(store) })
    expect(order(await called(store)).slice(10)).toEqual([19, 18])
  })

  it('calls the same ones again at most, where a kill came before the visit was recorded', async () => {
    const store = await site(open, 11)
    const about = { now, calls: 10, parts: parts(store) }
    await callSiblings(await pageOf(store, 0), proven, about)
    const once = await called(store)
    await callSiblings(await pageOf(store, 0), proven, { ...about, now: now + 300 })
    expect(await called(store)).toEqual(once)
  })

  it('has no more than fifty wait at a time, and reads a hundred at most', async () => {
    const store = await site(open, 200)
    const page = await pageOf(store, 0)
    await callSiblings(page, proven, { now, calls: 1000, parts: parts(store) })
    expect((await called(store)).length).toBe(50)
    let asked = 0
    const others = { ...parts(store), follows: () => asked++ < 0 }
    await callSiblings(page, proven, { now, calls: 1000, parts: others })
    // The fifty that were called stand at the other end.
    expect(asked).toBe(100)
  })
})

describe('callSiblings', () => {
  const open = async () => openMemoryStore()

  it('calls nobody without proof, or where pages are not worth a request', async () => {
    const store = await site(open, 8)
    const page = await pageOf(store, 0)
    const about = { now, calls: 10, parts: parts(store) }
    const unproven = { ...noSiteSignal, at: now }
    expect(await callSiblings(page, unproven, about)).toBe(unproven)
    const dear = { ...parts(store), price: () => 2000 * DAY }
    await callSiblings(page, proven, { ...about, parts: dear })
    expect(await called(store)).toEqual([])
  })

  it('leaves pages alone that may not be visited then, or keep to other plans', async () => {
    const store = await site(open, 12)
    const page = (await pageOf(store, 0))!
    const limits = { '/1': { minGap: 2 * DAY } }
    const hours = { '/2': parseAllowedHours('18-20') }
    const named = (each: PageRecord) => new URL(each.url).pathname
    await store.changePage(await pageOf(store, 4), { settings: { role: 'list' } })
    await store.changePage(await pageOf(store, 5), { due: { at: 'never', reason: 'unwatched' } })
    for (const [i, outcome] of [
      [6, 'failed'],
      [7, 'gone'],
      [8, 'unchanged'],
    ] as const) {
      const ref = { collection, url: address(i) }
      const terms = { worker: 'w', now, ttl: 60 }
      const [lease] = await store.leasePages({ ...terms, pages: [ref] })
      const visit = aVisit({ at: now + 1, outcome })
      await store.recordVisits([
        { lease: lease!, visit, due: { at: now + 9 * DAY, reason: 'later' } },
      ])
    }
    await callSiblings(page, proven, {
      now,
      calls: 20,
      parts: {
        ...parts(store),
        follows: (each) => named(each) !== '/3',
        limitsFor: (each) => limits[named(each) as '/1'] ?? {},
        hoursFor: (each) => hours[named(each) as '/2'] ?? null,
      },
    })
    expect(order(await called(store))).toEqual([11, 10, 9])
  })

  it('pays more for a page that counts more', async () => {
    const store = await site(open, 6)
    await store.changePage(await pageOf(store, 2), { importance: 1e5 })
    const dear = { ...parts(store), price: () => 2000 * DAY }
    await callSiblings(await pageOf(store, 0), proven, { now, calls: 10, parts: dear })
    expect(order(await called(store))).toEqual([2])
  })
})
