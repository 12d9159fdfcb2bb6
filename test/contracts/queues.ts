import { beforeEach, describe, expect, it } from 'vitest'
import type { GiveRequest, QueueItem, Queues } from '../../src/model/queue.js'
import type { Store } from '../../src/model/store.js'
import type { UnixSeconds } from '../../src/model/units.js'
import { aVisit } from '../fixtures/a-visit.js'
import { followGate } from './queue-gate.js'
import type { SharedStore } from './shared-store.js'

const now = 1_700_000_000
const collection = 'DEFAULT'

/** Everything every store with queues owes the frontier. */
export function describeQueues(name: string, open: () => Promise<SharedStore>): void {
  describe(`${name}, as queues`, () => {
    let shared: SharedStore
    let store: Store
    let other: Store
    let queues: Queues
    beforeEach(async () => {
      shared = await open()
      store = await shared.connect()
      other = await shared.connect()
      queues = store.queues
      return async () => {
        expect(await store.check()).toEqual([])
        await store.close()
        await other.close()
      }
    })

    const item = (url: string, more: Partial<QueueItem> = {}): QueueItem => ({
      collection,
      key: 'a.example',
      url,
      metadata: {},
      ...more,
    })
    const ask = (more: Partial<GiveRequest> = {}): GiveRequest => ({
      collection,
      maxQueues: 100,
      perQueue: 1,
      ttl: 30,
      now,
      ...more,
    })
    const urls = (given: readonly { readonly url: string }[]) => given.map(({ url }) => url)
    /** Reports a visit of an address, as a frontier does. */
    async function visited(
      url: string,
      at: UnixSeconds,
      due: UnixSeconds | 'never' = at + 1000,
      metadata = {},
    ) {
      await queues.discover([item(url)], at)
      const [claimed] = await queues.claim([item(url)])
      const { page, token } = claimed!
      const visit = aVisit({ at, outcome: page.lastSeen === null ? 'first' : 'changed' })
      const report = { lease: { page, token }, visit, due: { at: due, reason: 'planned' } }
      return queues.report([{ report, metadata }], at)
    }

    it('keeps an address to the byte under any key, once, with its metadata and when it came', async () => {
      const odd = [
        'HTTP://User:pw@A.Example:80/%7eb/../c?x#frag',
        'https://a.example/caf\u00e9',
        'ftp://b.example/',
        'urn:x',
      ]
      const metadata = { depth: ['0'], 'a "quoted" \\ name': ['é', '', '{}'] }
      const keys = ['_DEFAULT_', '127.0.0.1', 'ключ с пробелом', 'k'.repeat(255)]
      const items = odd.map((url, at) => item(url, { key: keys[at]!, metadata }))
      expect(await queues.discover([...items, items[0]!], now)).toEqual([
        ...[true, true, true, true],
        false,
      ])
      expect(await other.queues.discover(items, now + 5)).toEqual([false, false, false, false])
      // The same address under another key, or in another crawl, is another page.
      const twice = [
        item(odd[0]!, { key: 'other' }),
        item(odd[0]!, { collection: 'news', key: keys[0]! }),
      ]
      expect(await queues.discover(twice, now)).toEqual([true, true])
      for (const each of items) {
        const found = await queues.find(each)
        expect(found).toMatchObject(each)
        expect(found!.page).toMatchObject({
          host: each.key,
          url: each.url,
          addedAt: now,
          metadata,
          due: { at: now },
        })
        expect(await store.getPage({ id: found!.page.id })).toEqual(found!.page)
      }
      expect(await queues.find(item(odd[0]!, { key: 'unknown' }))).toBeNull()
      expect(await store.getPage({ collection, url: odd[1]! })).toMatchObject({ host: keys[1] })
      const { pages } = await store.listPages({ collection, limit: 10 })
      expect(pages.map(({ host, url }) => [host, url])).toEqual(
        [...items, twice[0]!].map(({ key, url }) => [key, url]),
      )
      expect(await queues.crawls()).toEqual([collection, 'news'])
      const given = await queues.give(ask({ collection: null }))
      expect(given.map(({ collection: crawl, key, url }) => [crawl, key, url]).sort()).toEqual(
        [...items, ...twice].map(({ collection: crawl, key, url }) => [crawl, key, url]).sort(),
      )
      expect(given.find(({ key }) => key === keys[1])).toMatchObject({
        metadata,
        expiresAt: now + 30,
      })
    })

    it('one key in two crawls is two queues, each with its own turns and rules', async () => {
      const two = ['x', 'y'].map((crawl) => item('https://a.example/', { collection: crawl }))
      await queues.discover(two, now)
      await queues.setRules({ collection: 'x', key: 'a.example' }, { blockedUntil: now + 60 })
      expect(await queues.give(ask({ collection: null }))).toMatchObject([{ collection: 'y' }])
      const listed = { start: 0, limit: 9, inactive: true, now }
      expect(await queues.queues({ ...listed, collection: 'x' })).toMatchObject({
        queues: [{ lastGiven: null, inProcess: 0 }],
      })
      expect(await queues.queues({ ...listed, collection: 'y' })).toMatchObject({
        queues: [{ lastGiven: now, inProcess: 1 }],
      })
      expect(await queues.give(ask({ collection: null, now: now + 61 }))).toHaveLength(2)
    })

    it('refuses items that it cannot keep, and all of their call', async () => {
      for (const bad of [{ key: '' }, { key: 'k'.repeat(256) }, { url: '' }, { url: 'x\0y' }])
        await expect(
          queues.discover([item('https://a.example/'), item('https://a.example/2', bad)], now),
        ).rejects.toMatchObject({ code: 'bad-item' })
      expect(await queues.count({ collection })).toBe(0)
      await expect(queues.give(ask({ perQueue: 0 }))).rejects.toMatchObject({ code: 'bad-lease' })
      await expect(
        queues.putDated([{ ...item('https://a.example/'), due: Number.NaN, reason: '' }], now),
      ).rejects.toMatchObject({ code: 'bad-due' })
      await expect(queues.setRules(item('x'), { delay: -1 })).rejects.toMatchObject({
        code: 'bad-rules',
      })
    })

    it('gives the earliest date first, one queue after another, never within delay or lease', async () => {
      const dated = [5, 3, 4].map((ago) => ({
        ...item(`https://a.example/${ago}`),
        due: now - ago,
        reason: 'by its client',
      }))
      await queues.putDated(dated, now - 10)
      await queues.discover([item('https://b.example/', { key: 'b.example' })], now - 1)
      expect(urls(await queues.give(ask({ perQueue: 2 })))).toEqual([
        'https://a.example/5',
        'https://a.example/4',
        'https://b.example/',
      ])
      // One more has room, once the delay is over.
      expect(await queues.give(ask({ perQueue: 3, now: now + 0.9 }))).toEqual([])
      expect(await queues.give(ask({ perQueue: 2, now: now + 1 }))).toEqual([])
      expect(urls(await queues.give(ask({ perQueue: 3, now: now + 1 })))).toEqual([
        'https://a.example/3',
      ])
      expect(await queues.give(ask({ perQueue: 9, now: now + 29.9 }))).toEqual([])
      // All ran out: then the queue rests for its delay.
      expect(await queues.give(ask({ perQueue: 9, now: now + 30.9 }))).toEqual([])
      const later = await queues.give(ask({ perQueue: 9, now: now + 32 }))
      expect(urls(later).sort()).toEqual([
        'https://a.example/3',
        'https://a.example/4',
        'https://a.example/5',
        'https://b.example/',
      ])
    })

    it('lets queues take turns, and gives of one alone where it is named', async () => {
      const many = ['a', 'b', 'c'].flatMap((key) =>
        [1, 2, 3].map((n) => item(`https://${key}.example/${n}`, { key })),
      )
      await queues.discover(many, now - 1)
      await queues.setDefaultDelay(0)
      const order: string[] = []
      for (let turn = 0; turn < 9; turn++) {
        const at = now + turn
        const [given] = await queues.give(ask({ maxQueues: 1, now: at }))
        order.push(given!.key)
        await visited2(given!, at)
      }
      // Ties of the first turns go by any order; then each waits for the two others.
      expect(new Set(order.slice(0, 3)).size).toBe(3)
      expect(order.slice(3, 6)).toEqual(order.slice(0, 3))
      expect(order.slice(6)).toEqual(order.slice(0, 3))
      await queues.discover([item('https://b.example/new', { key: 'b' })], now + 9)
      expect(await queues.give(ask({ key: 'a', now: now + 20 }))).toEqual([])
      expect(urls(await queues.give(ask({ key: 'b', now: now + 20 })))).toEqual([
        'https://b.example/new',
      ])
      expect(await queues.give(ask({ collection: 'none', now: now + 20 }))).toEqual([])
    })
    async function visited2(given: QueueItem, at: UnixSeconds) {
      const [claimed] = await queues.claim([given])
      const { page, token } = claimed!
      const report = {
        lease: { page, token },
        visit: aVisit({ at, outcome: 'first' }),
        due: { at: 'never' as const, reason: '' },
      }
      expect(await queues.report([{ report, metadata: {} }], at)).toEqual(['recorded'])
    }

    it('rests after a report for the delay, gives nothing while blocked or at the limit', async () => {
      const all = [1, 2, 3, 4].map((n) => item(`https://a.example/${n}`))
      await queues.discover(all, now)
      const queue = { collection, key: 'a.example' }
      await queues.setRules(queue, { delay: 5 })
      const [first] = await queues.give(ask())
      expect(await visited(first!.url, now + 3, 'never')).toEqual(['recorded'])
      expect(await queues.give(ask({ now: now + 7.9 }))).toEqual([])
      const [second] = await queues.give(ask({ now: now + 8 }))
      expect(second).toBeDefined()
      await queues.setRules(queue, { blockedUntil: now + 100, limit: 2 })
      await visited(second!.url, now + 9, 'never')
      expect(await queues.give(ask({ now: now + 50 }))).toEqual([])
      // Two are completed.
      expect(await queues.give(ask({ now: now + 200 }))).toEqual([])
      await queues.setRules(queue, { limit: 3 })
      const [third] = await queues.give(ask({ now: now + 201 }))
      await queues.putDated([{ ...item(third!.url), due: 'never', reason: 'done' }], now + 202)
      expect(await queues.give(ask({ now: now + 300 }))).toEqual([])
      expect(await queues.stats({ ...queue, now: now + 300 })).toEqual({
        addresses: 4,
        inProcess: 0,
        completed: 3,
        queues: 1,
      })
      await queues.setRules(queue, { limit: 0, delay: null })
      expect(await queues.give(ask({ now: now + 300 }))).toHaveLength(1)
    })

    it('a known item by date replaces what is stored, and ends its lease', async () => {
      const url = 'https://a.example/'
      await queues.discover([item(url, { metadata: { a: ['1'], b: ['2'] } })], now)
      await queues.give(ask())
      await queues.putDated(
        [{ ...item(url, { metadata: { c: ['3'] } }), due: now + 5, reason: 'as sent' }],
        now + 2,
      )
      expect(await queues.find(item(url))).toMatchObject({
        metadata: { c: ['3'] },
        page: { due: { at: now + 5, reason: 'as sent' }, visits: 0, addedAt: now },
      })
      expect((await queues.find(item(url)))!.metadata).toEqual({ c: ['3'] })
      expect(await queues.give(ask({ now: now + 4.9 }))).toEqual([])
      expect(await queues.give(ask({ now: now + 5 }))).toHaveLength(1)
    })

    it('a report is a visit like any other, with its metadata, and ends the lease', async () => {
      const url = 'https://a.example/x'
      await queues.discover([item(url, { metadata: { depth: ['1'] } })], now)
      await queues.give(ask())
      const [claimed] = await other.queues.claim([item(url)])
      expect(claimed).toMatchObject({ host: 'a.example', page: { collection, url, visits: 0 } })
      // A report brings metadata of its own.
      expect(claimed!.page.metadata).toBeUndefined()
      const { page, token } = claimed!
      const report = {
        lease: { page, token },
        visit: aVisit({ at: now + 1, outcome: 'first', fingerprint: 'f1' }),
        due: { at: now + 60, reason: 'planned' },
        state: { learner: 'auto', numbers: Float64Array.of(1, 2) },
      }
      const metadata = { signature: ['s1'] }
      expect(await other.queues.report([{ report, metadata }], now + 2)).toEqual(['recorded'])
      // It came again, by whichever node: nothing is written twice.
      expect(await queues.report([{ report, metadata }], now + 3)).toEqual(['lease-lost'])
      expect(await store.isReported({ page, token })).toBe(true)
      const after = await queues.find(item(url))
      expect(after).toMatchObject({
        metadata,
        page: {
          visits: 1,
          fingerprint: 'f1',
          lastSeen: now + 1,
          due: { at: now + 60, reason: 'planned' },
          state: { learner: 'auto' },
        },
      })
      expect(await store.visitsOf({ id: page.id })).toHaveLength(1)
      const log = await store.visitLog({ collection, limit: 9 })
      expect(log).toMatchObject([{ at: now + 1, page: { id: page.id, url } }])
      expect(await store.health({ collection, now: now + 2 })).toMatchObject({
        pages: 1,
        hosts: 1,
        inFlight: 0,
      })
    })

    it('claims addresses that are there, and takes reports that no lease goes with', async () => {
      const fresh = item('https://a.example/new', { metadata: { signature: ['s'] } })
      expect(await queues.claim([fresh])).toEqual([null])
      await queues.discover([fresh], now)
      const elsewhere = { ...fresh, collection: 'none' }
      const [claimed, nothing, again] = await queues.claim([fresh, elsewhere, fresh])
      expect(nothing).toBeNull()
      expect(claimed).toMatchObject({ page: { url: fresh.url, lastSeen: null } })
      expect(again!.page.id).toBe(claimed!.page.id)
      const reports = [now, now + 1].map((at) => ({
        report: {
          lease: { page: claimed!.page, token: claimed!.token },
          visit: aVisit({ at, outcome: 'first' }),
          due: { at: now + 9, reason: '' },
        },
        metadata: { signature: ['t'] },
      }))
      // One address twice in a call: what the second was worked out from is gone.
      expect(await queues.report(reports, now)).toEqual(['recorded', 'lease-lost'])
      expect(await visited(fresh.url, now)).toEqual(['not-forward'])
      expect(await visited(fresh.url, now + 2)).toEqual(['recorded'])
      // A claim on a page of another collection is no right to report on it.
      const pages = [{ url: 'https://c.example/' }]
      await store.addPages({ collection: 'own', now, pages })
      const own = (await store.getPage({ collection: 'own', url: pages[0]!.url }))!
      const lease = { page: own, token: claimed!.token }
      expect(
        await store.recordVisits([
          { lease, visit: aVisit({ at: now }), due: { at: now, reason: '' } },
        ]),
      ).toEqual(['lease-lost'])
    })

    it('a due time set by hand while the address is in flight outlives its report', async () => {
      const url = 'https://a.example/'
      await queues.discover([item(url)], now)
      const [given] = await queues.give(ask())
      await store.changePage({ id: given!.page.id }, { due: { at: now + 7, reason: 'by hand' } })
      await visited(url, now + 1)
      expect((await queues.find(item(url)))!.page.due).toEqual({ at: now + 7, reason: 'by hand' })
      expect(await queues.give(ask({ now: now + 6 }))).toEqual([])
      expect(await queues.give(ask({ now: now + 7 }))).toHaveLength(1)
    })

    it('no crawler visits a crawl, and none is made of a collection that it visits', async () => {
      await queues.discover([item('https://a.example/')], now)
      const terms = { collection, now, limit: 9, perHost: 1, ttl: 60, worker: 'w' }
      expect(await store.leaseDue(terms)).toEqual([])
      expect(await other.leaseDue(terms)).toEqual([])
      expect(await store.nextDue({ collection, now, perHost: 1 })).toBeNull()
      const pages = [{ collection, url: 'https://a.example/' }]
      expect(await store.leasePages({ ...terms, pages })).toEqual([])
      await expect(
        store.addPages({ collection, now, pages: [{ url: 'https://b.example/' }] }),
      ).rejects.toMatchObject({ code: 'is-a-crawl' })
      await store.addPages({ collection: 'own', now, pages: [{ url: 'https://a.example/' }] })
      await expect(
        queues.discover([item('https://a.example/', { collection: 'own' })], now),
      ).rejects.toMatchObject({ code: 'not-a-crawl' })
      expect(await store.leaseDue({ ...terms, collection: 'own' })).toHaveLength(1)
      expect(await queues.crawls()).toEqual([collection])
      // For its plan alone a page is held; meanwhile it is neither given nor reported on.
      const { perHost: _, ...plan } = terms
      const [held] = await store.leasePages({ ...plan, pages })
      expect(await queues.give(ask())).toEqual([])
      expect(await visited('https://a.example/', now)).toEqual(['lease-lost'])
      await store.releaseLeases([held!])
      expect(await queues.give(ask())).toHaveLength(1)
      expect(await store.leasePages({ ...plan, pages })).toEqual([])
    })

    it('leases of the frontier are nobody’s to release', async () => {
      await queues.discover([item('https://a.example/')], now)
      await queues.give(ask())
      expect(await store.leasingWorkers()).toEqual([])
      expect(await store.releaseWorker('frontier')).toBe(0)
      expect(await queues.stats({ collection, now })).toMatchObject({ inProcess: 1 })
      expect(await queues.give(ask({ now: now + 20 }))).toEqual([])
    })

    it('rules, turns, leases and the switch outlive those who set them', async () => {
      await queues.discover(
        ['a', 'b', 'c'].map((key) => item(`https://${key}.example/`, { key })),
        now,
      )
      await queues.setDefaultDelay(2)
      await queues.setRules({ collection, key: 'a' }, { delay: 60, limit: 7 })
      await queues.setRules({ collection, key: 'b' }, { blockedUntil: now + 50 })
      await queues.setRules({ collection, key: 'later' }, { delay: 9 })
      await queues.give(ask({ key: 'a' }))
      await queues.setActive(false)
      const again = await shared.connect()
      expect(await again.queues.active()).toBe(false)
      expect(await again.queues.give(ask({ now: now + 10 }))).toEqual([])
      await again.queues.setActive(true)
      const listed = { collection, start: 0, limit: 9, inactive: true, now: now + 10 }
      const none = { addresses: 1, inProcess: 0, completed: 0, lastGiven: null }
      expect(await again.queues.queues(listed)).toEqual({
        total: 3,
        queues: [
          {
            ...none,
            collection,
            key: 'a',
            inProcess: 1,
            rules: { delay: 60, blockedUntil: null, limit: 7 },
            lastGiven: now,
          },
          {
            ...none,
            collection,
            key: 'b',
            rules: { delay: null, blockedUntil: now + 50, limit: 0 },
          },
          { ...none, collection, key: 'c', rules: { delay: null, blockedUntil: null, limit: 0 } },
        ],
      })
      expect(urls(await again.queues.give(ask({ now: now + 31 })))).toEqual(['https://c.example/'])
      // The lease of the first ran out at 30.
      expect(await again.queues.give(ask({ key: 'a', now: now + 89 }))).toEqual([])
      expect(await again.queues.give(ask({ key: 'a', now: now + 90 }))).toHaveLength(1)
      await again.queues.discover([item('https://later.example/', { key: 'later' })], now + 90)
      await again.queues.give(ask({ key: 'later', now: now + 90, ttl: 1 }))
      expect(await again.queues.give(ask({ key: 'later', now: now + 98 }))).toEqual([])
      await again.close()
    })

    it('lists, counts and sums up addresses and queues', async () => {
      const all = ['a', 'b'].flatMap((key) =>
        [1, 2, 3, 4, 5].map((n) => item(`https://${key}.example/Page${n}`, { key })),
      )
      await queues.discover(all, now)
      await queues.discover([item('https://x.example/', { collection: 'news', key: 'a' })], now)
      const seen: string[] = []
      for (let after: string | null | undefined; after !== null; ) {
        const list = await queues.list({ collection, limit: 3, ...(after ? { after } : {}) })
        expect(list.pages.length).toBeLessThanOrEqual(3)
        seen.push(...urls(list.pages))
        after = list.next
      }
      expect(seen.sort()).toEqual(urls(all).sort())
      expect((await queues.list({ collection, key: 'b', limit: 9 })).pages).toHaveLength(5)
      const filter = { collection, contains: 'pAGE3' }
      expect(await queues.count(filter)).toBe(0)
      expect(await queues.count({ ...filter, ignoreCase: true })).toBe(2)
      expect(await queues.count({ ...filter, ignoreCase: true, key: 'a' })).toBe(1)
      const found = await queues.list({ ...filter, ignoreCase: true, key: 'a', limit: 9 })
      expect(urls(found.pages)).toEqual(['https://a.example/Page3'])
      expect(await queues.count({ collection, key: 'b' })).toBe(5)
      expect(await queues.count({ collection: 'none' })).toBe(0)
      await queues.give(ask({ maxQueues: 1 }))
      const sum = { addresses: 10, inProcess: 1, completed: 0, queues: 2 }
      expect(await queues.stats({ collection, now })).toEqual(sum)
      expect(await queues.stats({ now })).toEqual({ ...sum, addresses: 11, queues: 3 })
      expect(await queues.stats({ collection, now: now + 30 })).toMatchObject({ inProcess: 0 })
      expect(await queues.stats({ collection: 'none', now })).toMatchObject({ queues: 0 })
      // Active: something is due or in process.
      const active = { collection, start: 0, limit: 1, inactive: false, now }
      expect(await queues.queues(active)).toMatchObject({ total: 2, queues: [{ key: 'a' }] })
      await queues.putDated(
        all.slice(5).map((each) => ({ ...each, due: 'never' as const, reason: '' })),
        now,
      )
      expect(await queues.queues({ ...active, start: 0, limit: 9 })).toMatchObject({ total: 1 })
      expect(await queues.queues({ ...active, inactive: true, start: 1 })).toMatchObject({
        total: 2,
        queues: [{ key: 'b', completed: 5 }],
      })
    })

    it('removes queues, crawls and what is old, with what was learned of it', async () => {
      await queues.discover([item('https://a.example/old')], now - 100)
      await queues.discover(
        ['a', 'b'].map((key) => item(`https://${key}.example/`, { key })),
        now,
      )
      await queues.give(ask())
      await visited('https://a.example/old', now + 1)
      expect(await queues.purge({ collection, createdBefore: now })).toBe(1)
      expect(await store.totals()).toMatchObject({ pages: 2, visits: 0 })
      await queues.setRules({ collection, key: 'a' }, { delay: 600 })
      expect(await queues.remove({ collection, key: 'a' })).toBe(1)
      // What held for it is gone, too.
      await queues.discover([item('https://a.example/', { key: 'a' })], now + 40)
      expect(await queues.give(ask({ key: 'a', now: now + 40, ttl: 1 }))).toHaveLength(1)
      expect(await queues.give(ask({ key: 'a', now: now + 42 }))).toHaveLength(1)
      expect(await queues.remove({ collection })).toBe(2)
      expect(await queues.crawls()).toEqual([])
      expect(await queues.remove({ collection: 'none' })).toBe(0)
      expect(await queues.stats({ now })).toMatchObject({ addresses: 0, queues: 0 })
    })

    it('of many who ask at once one is given an address', async () => {
      const all = Array.from({ length: 120 }, (_, at) =>
        item(`https://h${at % 12}.example/${at}`, { key: `h${at % 12}` }),
      )
      await queues.discover(all, now)
      for (let round = 0; round < 4; round++) {
        const at = now + 2 * round
        const asked = Array.from({ length: 6 }, (_, client) =>
          (client % 2 === 0 ? store : other).queues.give(
            ask({ now: at, perQueue: 1 + round, maxQueues: 5 }),
          ),
        )
        const given = (await Promise.all(asked)).flat()
        expect(new Set(urls(given)).size).toBe(given.length)
        const perQueue = new Map<string, number>()
        for (const { key } of given) perQueue.set(key, (perQueue.get(key) ?? 0) + 1)
        expect([...perQueue.values()].every((many) => many === 1)).toBe(true)
        const sums = await queues.stats({ collection, now: at })
        expect(sums.inProcess).toBe(Math.min(12, given.length) + 12 * round)
      }
    })

    it('gives by the gate’s rules and leaves out nothing, whatever its clients do', async () => {
      for (const seed of [1, 2, 3]) await followGate({ one: store, other, seed, steps: 120 })
    })
  })
}
