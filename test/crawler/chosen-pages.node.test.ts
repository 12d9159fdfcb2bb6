import { beforeEach, describe, expect, it } from 'vitest'
import { ChosenPages } from '../../src/crawler/chosen-pages.js'
import type { PageRecord } from '../../src/model/page.js'
import type { Store } from '../../src/model/store.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { aVisit } from '../fixtures/a-visit.js'

const collection = 'web'
const later = { at: 9_000, reason: 'not yet' }
const urls = ['https://a.example/1', 'https://a.example/2', 'https://b.example/']

describe('chosen pages', () => {
  let store: Store
  let pages: PageRecord[]
  const lease = (from: Store, now: number) =>
    from.leaseDue({ collection, limit: 9, perHost: 1, worker: 'w', now, ttl: 60 })
  const waiting = (from: Store, now: number) => from.countPages({ collection, dueBy: now })
  const names = (leases: readonly { page: PageRecord }[]) => leases.map(({ page }) => page.url)

  beforeEach(async () => {
    store = openMemoryStore()
    const due = { at: 0, reason: 'due' }
    const others = [{ url: 'https://c.example/', due }]
    const all = [...urls.map((url) => ({ url, due: later })), ...others]
    await store.addPages({ collection, pages: all, now: 0 })
    pages = await Promise.all(urls.map(async (url) => (await store.getPage({ collection, url }))!))
  })

  it('are all that is due, each until it was visited', async () => {
    const { seen } = new ChosenPages(store, { pages, patience: 10 })
    expect(await waiting(seen, 1)).toBe(3)
    expect(await seen.countPages({ collection })).toBe(4)
    const first = await lease(seen, 1)
    expect(names(first)).toEqual(['https://a.example/1', 'https://b.example/'])
    const visit = aVisit({ at: 2, outcome: 'first' })
    await seen.recordVisits(first.map((each) => ({ lease: each, visit, due: later })))
    const second = await lease(seen, 3)
    expect(names(second)).toEqual(['https://a.example/2'])
    expect(await waiting(seen, 3)).toBe(0)
    expect(await seen.nextDue({ collection, now: 3, perHost: 1 })).toBeNull()
  })

  it('wait again when they are given back, until their host has rested', async () => {
    const chosen = new ChosenPages(store, { pages: pages.slice(2), patience: 100 })
    const held = await lease(chosen.seen, 1)
    await store.putHosts([{ host: 'b.example', state: {}, blockedUntil: 50 }])
    await chosen.seen.releaseLeases(held)
    expect(await waiting(chosen.seen, 2)).toBe(1)
    expect(await lease(chosen.seen, 2)).toEqual([])
    expect(await chosen.seen.nextDue({ collection, now: 2, perHost: 1 })).toBe(50)
    expect(names(await lease(chosen.seen, 50))).toEqual(['https://b.example/'])
    expect(chosen.deferred.size).toBe(0)
  })

  it('are let go when they are put off for themselves', async () => {
    const chosen = new ChosenPages(store, { pages: pages.slice(2), patience: 100 })
    const [held] = await lease(chosen.seen, 1)
    await chosen.seen.changePage(held!.page, { due: { at: 70, reason: 'its hours' } })
    await chosen.seen.releaseLeases([held!])
    expect(await waiting(chosen.seen, 2)).toBe(0)
    expect(await lease(chosen.seen, 80)).toEqual([])
    expect([...chosen.deferred]).toEqual([held!.page.id])
  })

  it('do not wait for ever for a host whose pages others hold', async () => {
    const { seen } = new ChosenPages(store, { pages: pages.slice(0, 1), patience: 10 })
    await store.leasePages({ pages: [pages[1]!], worker: 'other', now: 0, ttl: 1000 })
    expect(await lease(seen, 1)).toEqual([])
    expect(await seen.nextDue({ collection, now: 1, perHost: 1 })).toBe(2)
    expect(await seen.nextDue({ collection, now: 11, perHost: 1 })).toBe(12)
    expect(await seen.nextDue({ collection, now: 12, perHost: 1 })).toBeNull()
  })

  it('are leased no more of than asked for', async () => {
    const { seen } = new ChosenPages(store, { pages, patience: 10 })
    const one = { collection, limit: 1, perHost: 1, worker: 'w', now: 1, ttl: 60 }
    expect(names(await seen.leaseDue(one))).toEqual(['https://a.example/1'])
    expect(names(await seen.leaseDue(one))).toEqual(['https://b.example/'])
    expect(await seen.leaseDue(one)).toEqual([])
  })
})
