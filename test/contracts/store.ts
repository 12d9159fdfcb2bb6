import { beforeEach, describe, expect, it } from 'vitest'
import { historyOf, type Observation, withUnchangedFor } from '../../src/model/history.js'
import type { Lease } from '../../src/model/lease.js'
import type { NewPage } from '../../src/model/page.js'
import type { Retention, Store } from '../../src/model/store.js'
import { DAY, type Json } from '../../src/model/units.js'
import type { VisitRecord } from '../../src/model/visit-record.js'
import { aVisit } from '../fixtures/a-visit.js'

const now = 1_700_000_000
const collection = 'news'

/** Everything every store owes its caller. */
export function describeStore(
  name: string,
  open: (options: { readonly retention?: Retention }) => Promise<Store>,
): void {
  describe(`${name}, as a store`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open({})
      return async () => {
        expect(await store.check()).toEqual([])
        await store.close()
      }
    })

    const add = (...pages: (string | NewPage)[]) =>
      store.addPages({
        collection,
        now,
        pages: pages.map((page) => (typeof page === 'string' ? { url: page } : page)),
      })
    const lease = (more: { at?: number; limit?: number; perHost?: number; ttl?: number } = {}) =>
      store.leaseDue({
        collection,
        now: more.at ?? now,
        limit: more.limit ?? 100,
        perHost: more.perHost ?? 1,
        ttl: more.ttl ?? 60,
        worker: 'w1',
      })
    const urls = (leases: readonly Lease[]) => leases.map(({ page }) => page.url)
    const page = (url: string) => ({ collection, url })
    const later = { at: now + DAY, reason: 'a day later' }

    describe('pages', () => {
      it('are kept once by the form of their address, and come back whole', async () => {
        const url = 'https://a.example/x?q=1'
        const settings = { headers: { cookie: 'a=b' }, policy: 'fixed', hours: [8, 18] }
        const first = { url, group: 'g', importance: 2.5, settings, due: later }
        expect(await add(first, 'HTTPS://A.example:443/x?q=1#part')).toEqual({
          added: 1,
          already: 1,
        })
        expect(await add(url)).toEqual({ added: 0, already: 1 })
        expect(await store.getPage(page(`${url}#else`))).toEqual({
          id: expect.stringMatching(/./),
          collection,
          host: 'a.example',
          url,
          group: 'g',
          importance: 2.5,
          tags: [],
          addedAt: now,
          settings,
          due: later,
          state: null,
          validators: {},
          fingerprint: null,
          hints: null,
          noise: null,
          movedTo: null,
          title: null,
          lastVisit: null,
          lastSeen: null,
          lastChange: null,
          visits: 0,
          changes: 0,
          failing: 0,
          gone: 0,
        })
        expect(await store.collections()).toEqual([collection])
      })

      it('may have been followed for long, and be changed in all that a visit finds out', async () => {
        await add({ url: 'https://a.example/', addedAt: now - 5 * DAY }, 'https://b.example/')
        const found = {
          validators: { etag: '"x"', lastModified: 'Tue, 14 Nov 2023 00:00:00 GMT' },
          movedTo: 'https://c.example/',
          title: 'A title',
        }
        expect(await store.changePage(page('https://a.example/'), found)).toMatchObject({
          ...found,
          addedAt: now - 5 * DAY,
          due: { at: now },
        })
        expect(await store.getPage(page('https://b.example/'))).toMatchObject({ addedAt: now })
        await expect(add({ url: 'https://d.example/', addedAt: Number.NaN })).rejects.toMatchObject(
          { code: 'bad-page' },
        )
      })

      it('of two collections are two pages', async () => {
        await add('https://a.example/')
        await store.addPages({ collection: 'other', now, pages: [{ url: 'https://a.example/' }] })
        await store.removePages([page('https://a.example/')])
        expect(await store.getPage(page('https://a.example/'))).toBeNull()
        expect(
          await store.getPage({ collection: 'other', url: 'https://a.example/' }),
        ).toMatchObject({ collection: 'other' })
      })

      it('are all refused if one address is none', async () => {
        for (const url of ['not an address', 'ftp://a.example/', 'mailto:a@b.example'])
          await expect(add('https://fine.example/', url)).rejects.toMatchObject({ code: 'bad-url' })
        await expect(add({ url: 'https://a.example/', importance: Number.NaN })).rejects.toThrow(
          /importance/,
        )
        expect(await store.countPages({ collection })).toBe(0)
      })

      it('can be changed by hand', async () => {
        await add({ url: 'https://a.example/', group: 'g' })
        const state = { learner: 'irregular-mle', numbers: Float64Array.of(1.5, 0, -0, Number.NaN) }
        const change = { importance: 3, settings: { policy: 'fixed' }, due: later, state }
        const changed = await store.changePage(page('https://a.example/'), {
          ...change,
          hints: { kind: 'static' },
          noise: { masks: [] },
        })
        const json = { hints: { kind: 'static' }, noise: { masks: [] } }
        expect(changed).toMatchObject({ ...change, group: 'g', ...json })
        expect(Object.is(changed?.state?.numbers[2], -0)).toBe(true)
        const bare = await store.changePage(page('https://a.example/'), {
          group: null,
          state: null,
          due: { at: 'never', reason: 'stopped' },
        })
        expect(bare).not.toHaveProperty('group')
        expect(bare).toMatchObject({ state: null, due: { at: 'never', reason: 'stopped' } })
        expect(await store.getPage({ id: changed!.id })).toEqual(bare)
        expect(await store.changePage(page('https://b.example/'), {})).toBeNull()
        await expect(
          store.changePage(page('https://a.example/'), { due: { at: Infinity, reason: '' } }),
        ).rejects.toThrow(/never/)
      })

      it('can be changed many at once, all or none', async () => {
        await add('https://a.example/', 'https://b.example/')
        const [a, b] = [page('https://a.example/'), page('https://b.example/')]
        const gone = { page: page('https://c.example/'), change: { due: later } }
        const state = { learner: 'l', numbers: Float64Array.of(1, -0) }
        const changes = [
          { page: a, change: { importance: 2, due: later, state, group: 'g' } },
          gone,
          { page: b, change: { title: 'T', importance: 3 } },
        ]
        expect(await store.changePages(changes)).toBe(2)
        expect(await store.getPage(a)).toMatchObject({
          importance: 2,
          due: later,
          state,
          group: 'g',
        })
        expect(await store.getPage(b)).toMatchObject({ importance: 3, title: 'T' })
        expect(await store.changePages([gone])).toBe(0)
        const bad = { page: b, change: { due: { at: Infinity, reason: '' } } }
        const good = { page: a, change: { importance: 9 } }
        await expect(store.changePages([good, bad])).rejects.toThrow(/never/)
        expect(await store.getPage(a)).toMatchObject({ importance: 2 })
      })

      it('take their visits and contents with them, and their id is not given again', async () => {
        await add('https://a.example/', 'https://b.example/')
        const leases = await lease()
        const content = { body: Buffer.from('kept') }
        const reports = leases.map((each) => ({
          lease: each,
          visit: aVisit({ at: now, outcome: 'first' }),
          due: later,
          content,
        }))
        await store.recordVisits(reports)
        const gone = leases[1]!.page
        expect(await store.removePages([gone, page(gone.url), { id: 'none' }])).toBe(1)
        expect(await store.totals()).toMatchObject({
          pages: 1,
          visits: 1,
          versions: 1,
          snapshots: 1,
        })
        expect(await store.visitsOf(gone)).toEqual([])
        await add(gone.url)
        expect((await store.getPage(page(gone.url)))?.id).not.toBe(gone.id)
        expect(await store.getPage({ id: gone.id })).toBeNull()
        await store.removePages([leases[0]!.page])
        expect(await store.totals()).toMatchObject({ visits: 0, versions: 0, snapshots: 0 })
      })

      it('are listed by filter and order, stretch by stretch, those without the value last', async () => {
        await add(
          { url: 'https://a.example/1', due: { at: now + 3, reason: '' }, importance: 1 },
          { url: 'https://b.example/2', due: { at: now + 1, reason: '' }, group: 'g' },
          { url: 'https://a.example/3', due: { at: 'never', reason: '' }, importance: 5 },
          { url: 'https://a.example/4', due: { at: now + 1, reason: '' }, importance: 0 },
        )
        const walk = async (query: object) => {
          const seen: string[] = []
          let after: string | undefined
          do {
            const list = await store.listPages({
              collection,
              limit: 1,
              ...query,
              ...(after === undefined ? {} : { after }),
            })
            seen.push(...list.pages.map(({ url }) => url.slice(-1)))
            after = list.next ?? undefined
          } while (after !== undefined)
          return seen.join('')
        }
        expect(await walk({})).toBe('1234')
        expect(await walk({ sort: 'due' })).toBe('2413')
        expect(await walk({ sort: 'due', descending: true })).toBe('1243')
        expect(await walk({ sort: 'importance', descending: true })).toBe('3124')
        expect(await walk({ sort: 'url' })).toBe('1342')
        expect(await walk({ sort: 'lastVisit' })).toBe('1234')
        expect(await walk({ host: 'a.example', sort: 'added', descending: true })).toBe('431')
        expect(await walk({ group: 'g' })).toBe('2')
        expect(await walk({ urlContains: 'example/3' })).toBe('3')
        expect(await walk({ dueBy: now + 1 })).toBe('24')
        const ofHost = { host: 'a.example', sort: 'due', descending: true }
        expect(await walk(ofHost)).toBe('143')
        expect(await walk({ ...ofHost, dueBy: 1e12 })).toBe('14')
        expect(await walk({ ...ofHost, dueBy: now + 2 })).toBe('4')
        expect(await store.countPages({ collection, dueBy: now + 3 })).toBe(3)
        expect(await store.countPages({ collection: 'none' })).toBe(0)
        await expect(store.listPages({ collection, limit: 1, after: 'x' })).rejects.toThrow(/list/)
        await expect(
          store.listPages({ collection, limit: 1, sort: 'colour' as never }),
        ).rejects.toThrow(/sorted by/)
      })
    })

    it('gives an even sample of its pages, the same each time, in stretches too', async () => {
      await add(...Array.from({ length: 2000 }, (_, i) => `https://h${i % 10}.example/${i}`))
      const taken = async (share: number) => {
        const first = await store.listPages({ collection, share, limit: 40 })
        const rest = await store.listPages({ collection, share, limit: 2000, after: first.next! })
        // In the order they were added; an id may be more than a number.
        return [...first.pages, ...rest.pages].map(({ url }) => Number(url.split('/').pop()))
      }
      const tenth = await taken(0.1)
      expect(tenth).toEqual(await taken(0.1))
      expect(await store.countPages({ collection, share: 0.1 })).toBe(tenth.length)
      expect(tenth.length).toBeGreaterThan(180)
      expect(tenth.length).toBeLessThan(220)
      // None of the ten hosts, which take turns, is left out or preferred.
      const byHost = Array.from(
        { length: 10 },
        (_, h) => tenth.filter((number) => number % 10 === h).length,
      )
      expect(Math.min(...byHost)).toBeGreaterThan(10)
      expect(Math.max(...byHost)).toBeLessThan(30)
      // And the first half of the list has as many as the second.
      const early = tenth.filter((number) => number < 1000).length
      expect(Math.abs(early - tenth.length / 2)).toBeLessThan(10)
      expect(await store.countPages({ collection, share: 1 })).toBe(2000)
      expect(await store.countPages({ collection, share: 0 })).toBe(0)
    })

    describe('leases', () => {
      it('go host by host, earliest due first, and skip what is not due', async () => {
        await add(
          { url: 'https://a.example/1', due: { at: now - 9, reason: '' } },
          { url: 'https://a.example/2', due: { at: now - 10, reason: '' } },
          { url: 'https://a.example/3', due: { at: now - 8, reason: '' } },
          { url: 'https://b.example/4', due: { at: now - 1, reason: '' } },
          { url: 'https://b.example/5', due: { at: now, reason: '' } },
          { url: 'https://c.example/6', due: { at: now + 0.001, reason: '' } },
          { url: 'https://c.example/7', due: { at: 'never', reason: '' } },
        )
        const given = urls(await lease({ perHost: 2, limit: 3 })).map((url) => url.slice(-1))
        expect(given.join('')).toBe('241')
        // One of b's two places is free, and none of a's.
        expect(urls(await lease({ perHost: 2 }))).toEqual(['https://b.example/5'])
        expect(await lease({ perHost: 2 })).toEqual([])
        expect(await store.health({ collection, now })).toEqual({
          pages: 7,
          hosts: 3,
          dueNow: 5,
          inFlight: 4,
          oldestDue: now - 10,
        })
      })

      it('may be held ahead on a host that no other worker is at', async () => {
        await add(...[1, 2, 3, 4, 5, 6].map((page) => `https://a.example/${page}`))
        await add('https://b.example/7', 'https://b.example/8')
        const ask = (worker: string, more: { limit?: number; ahead?: number } = {}) =>
          store.leaseDue({ collection, now, limit: 100, perHost: 1, ttl: 60, worker, ...more })
        const given = async (...asked: Parameters<typeof ask>) =>
          urls(await ask(...asked))
            .map((url) => url.slice(-1))
            .join('')
        // The first page of each host, then the second, up to the limit.
        expect(await given('w1', { ahead: 4, limit: 5 })).toBe('17283')
        expect(await given('w2', { ahead: 4 })).toBe('')
        // One of its four places at a is free.
        expect(await given('w1', { ahead: 4 })).toBe('4')
        expect(await given('w1')).toBe('')
        await store.releaseWorker('w1')
        expect(await given('w2')).toBe('17')
        expect(await given('w1', { ahead: 4 })).toBe('')
        await expect(ask('w1', { ahead: 0 })).rejects.toThrow(/ahead/)
        // Where one host has few, the other gives more.
        await store.releaseWorker('w2')
        expect(await given('w3', { ahead: 6, limit: 7 })).toBe('1728345')
      })

      it('let a host that was just visited wait behind one that was not', async () => {
        await add(
          { url: 'https://a.example/1', due: { at: now - 100, reason: '' } },
          { url: 'https://a.example/2', due: { at: now - 99, reason: '' } },
          { url: 'https://b.example/3', due: { at: now - 5, reason: '' } },
        )
        const [first] = await lease({ limit: 1 })
        expect(first!.page.url).toBe('https://a.example/1')
        await store.recordVisits([{ lease: first!, visit: aVisit({ at: now }), due: later }])
        const [second] = await lease({ limit: 1, at: now + 1 })
        expect(second!.page.url).toBe('https://b.example/3')
        const report = (held: Lease, at: number) => ({
          lease: held,
          visit: aVisit({ at }),
          due: { at: now - 50, reason: 'at once' },
        })
        await store.recordVisits([report(second!, now + 1)])
        const [third] = await lease({ limit: 1, at: now + 2 })
        expect(third!.page.url).toBe('https://a.example/2')
        await store.recordVisits([report(third!, now + 2)])
        expect(urls(await lease({ limit: 1, at: now + 3 }))).toEqual(['https://b.example/3'])
      })

      it('wait for a host that is blocked, and count its leases over all collections', async () => {
        await add('https://a.example/', 'https://b.example/')
        await store.addPages({ collection: 'other', now, pages: [{ url: 'https://b.example/2' }] })
        await store.putHosts([{ host: 'a.example', state: null, blockedUntil: now + 10 }])
        await store.leaseDue({
          collection: 'other',
          now,
          limit: 9,
          perHost: 1,
          ttl: 5,
          worker: 'w2',
        })
        expect(await lease()).toEqual([])
        expect(await store.nextDue({ collection, now, perHost: 1 })).toBe(now + 5)
        expect(urls(await lease({ at: now + 10 })).sort()).toEqual([
          'https://a.example/',
          'https://b.example/',
        ])
        await store.putHosts([{ host: 'a.example', state: {}, blockedUntil: null }])
        await store.removePages([page('https://a.example/')])
        await add('https://a.example/')
        expect(await lease()).toHaveLength(1)
      })

      it('run out, and a late report of one that was given to another is refused', async () => {
        await add('https://a.example/')
        const [early] = await lease({ ttl: 10 })
        expect(await lease({ at: now + 9 })).toEqual([])
        const [late] = await lease({ at: now + 10 })
        expect(late!.token).toBeGreaterThan(early!.token)
        const report = (held: Lease, at: number) =>
          store.recordVisits([{ lease: held, visit: aVisit({ at, outcome: 'first' }), due: later }])
        expect(await report(early!, now + 11)).toEqual(['lease-lost'])
        expect(await store.visitsOf(page('https://a.example/'))).toEqual([])
        expect(await report(late!, now + 12)).toEqual(['recorded'])
        expect(await store.isReported(late!)).toBe(true)
        expect(await store.isReported(early!)).toBe(false)
        // Reported once already: nothing is counted twice.
        expect(await report(late!, now + 13)).toEqual(['lease-lost'])
        expect(await store.getPage(page('https://a.example/'))).toMatchObject({ visits: 1 })
      })

      it('that have run out but were given to nobody may still be reported', async () => {
        await add('https://a.example/')
        const [held] = await lease({ ttl: 1 })
        expect(
          await store.recordVisits([{ lease: held!, visit: aVisit({ at: now + 5 }), due: later }]),
        ).toEqual(['recorded'])
      })

      it('can be held longer, given back, and taken from a worker that is gone', async () => {
        await add('https://a.example/', 'https://b.example/', 'https://c.example/')
        const [a, b] = await lease({ ttl: 10, limit: 2 })
        expect(await store.extendLeases([a!], { until: now + 100 })).toEqual([true])
        expect(await store.releaseLeases([b!, b!])).toBe(1)
        expect(urls(await lease({ at: now + 50 })).sort()).toEqual([
          'https://b.example/',
          'https://c.example/',
        ])
        expect(await store.extendLeases([a!, b!], { until: now + 200 })).toEqual([true, false])
        expect(await store.leasingWorkers()).toEqual(['w1'])
        expect(await store.releaseWorker('w1')).toBe(3)
        expect(await store.leasingWorkers()).toEqual([])
        expect(await store.extendLeases([a!], { until: now + 300 })).toEqual([false])
        expect(await lease()).toHaveLength(3)
      })

      it('can be asked for by name, due or not', async () => {
        await add({ url: 'https://a.example/', due: later }, 'https://b.example/')
        const ask = (worker: string) =>
          store.leasePages({
            pages: [
              page('https://a.example/'),
              page('https://a.example/'),
              page('https://x.example/'),
            ],
            now,
            ttl: 60,
            worker,
          })
        expect(urls(await ask('w1'))).toEqual(['https://a.example/'])
        expect(await ask('w2')).toEqual([])
      })

      it('can be asked for by name to be visited, where hosts have room and do not rest', async () => {
        await add(
          { url: 'https://a.example/1', due: later },
          { url: 'https://a.example/2', due: later },
          'https://a.example/3',
          { url: 'https://b.example/', due: later },
        )
        const names = ['https://a.example/1', 'https://a.example/2', 'https://b.example/']
        const ask = (worker: string, ahead = 1) =>
          store.leasePages({ pages: names.map(page), now, ttl: 60, worker, perHost: 1, ahead })
        const [held] = await lease({ limit: 1 })
        expect(held?.page.url).toBe('https://a.example/3')
        // Another holds a page of a.example: whatever is asked ahead, there is no room.
        const others = await ask('w2', 9)
        expect(urls(others)).toEqual(['https://b.example/'])
        await store.releaseLeases([held!, ...others])
        await store.putHosts([{ host: 'b.example', state: {}, blockedUntil: now + 1 }])
        expect(urls(await ask('w2'))).toEqual(['https://a.example/1'])
        expect(await ask('w2')).toEqual([])
        expect(urls(await ask('w2', 2))).toEqual(['https://a.example/2'])
        await store.putHosts([{ host: 'b.example', state: {}, blockedUntil: now }])
        expect(urls(await ask('w2'))).toEqual(['https://b.example/'])
        await expect(ask('w2', 0)).rejects.toMatchObject({ code: 'bad-lease' })
      })

      it('tell when the next can be given', async () => {
        const next = (perHost = 1, at = now, worker = 'w1') =>
          store.nextDue({ collection, now: at, perHost, worker })
        expect(await next()).toBeNull()
        await add(
          { url: 'https://a.example/1', due: { at: now + 7, reason: '' } },
          { url: 'https://a.example/2', due: { at: now + 9, reason: '' } },
          { url: 'https://b.example/', due: { at: 'never', reason: '' } },
        )
        expect(await next()).toBe(now + 7)
        expect(await next(1, now + 8)).toBe(now + 8)
        const [held] = await lease({ at: now + 7, ttl: 60 })
        expect(await next(2, now + 7)).toBe(now + 9)
        expect(await next(1, now + 7)).toBe(now + 67)
        // Whatever room it has, another worker waits until the host is given back.
        expect(await next(2, now + 7, 'w2')).toBe(now + 67)
        await store.releaseLeases([held!])
        await store.putHosts([{ host: 'a.example', state: {}, blockedUntil: now + 30 }])
        expect(await next(1, now + 7)).toBe(now + 30)
      })

      it('can be asked for one host alone', async () => {
        await add('https://a.example/1', 'https://a.example/2', 'https://b.example/3')
        const ask = (host: string) =>
          store.leaseDue({ collection, host, now, limit: 9, perHost: 1, ttl: 60, worker: 'w1' })
        expect(urls(await ask('b.example'))).toEqual(['https://b.example/3'])
        expect(urls(await ask('a.example'))).toEqual(['https://a.example/1'])
        expect(await ask('a.example')).toEqual([])
        expect(await ask('none.example')).toEqual([])
      })

      it('tell when the next of one host can be given, whatever is due elsewhere', async () => {
        const next = (host: string, perHost = 1) =>
          store.nextDue({ collection, host, now, perHost, worker: 'w1' })
        await add(
          { url: 'https://a.example/1', due: { at: now, reason: '' } },
          { url: 'https://a.example/2', due: { at: now + 9, reason: '' } },
          { url: 'https://b.example/', due: { at: now + 7, reason: '' } },
          { url: 'https://c.example/', due: { at: 'never', reason: '' } },
        )
        expect(await next('a.example')).toBe(now)
        expect(await next('b.example')).toBe(now + 7)
        expect(await next('c.example')).toBeNull()
        expect(await next('none.example')).toBeNull()
        await store.putHosts([{ host: 'b.example', state: {}, blockedUntil: now + 30 }])
        expect(await next('b.example')).toBe(now + 30)
        await lease({ ttl: 60 })
        expect(await next('a.example')).toBe(now + 60)
        expect(await next('a.example', 2)).toBe(now + 9)
      })

      it('of nonsense are refused', async () => {
        for (const wrong of [
          { ttl: 0 },
          { ttl: 1e-9 },
          { perHost: 0 },
          { limit: -1 },
          { at: Number.NaN },
        ])
          await expect(lease(wrong)).rejects.toMatchObject({ code: 'bad-lease' })
      })
    })

    describe('visits', () => {
      const url = 'https://a.example/'
      const record = async (visits: readonly Parameters<typeof aVisit>[0][]) => {
        for (const visit of visits) {
          const [held] = await store.leasePages({
            pages: [page(url)],
            now: visit.at,
            ttl: 60,
            worker: 'w1',
          })
          await store.recordVisits([{ lease: held!, visit: aVisit(visit), due: later }])
        }
      }

      it('come back in order, whole, and as a history', async () => {
        await add(url)
        const visits = [
          aVisit({ at: now + 0.5, outcome: 'first', fingerprint: 'f1', bytes: 1234 }),
          aVisit({ at: now + 10, outcome: 'failed', status: null, fault: 'timeout' }),
          aVisit({
            at: now + 20.25,
            outcome: 'changed',
            gap: 19.75,
            contentAge: 4.25,
            lastModified: now + 16,
            unchangedFor: 10.5,
            fingerprint: 'f2',
          }),
          aVisit({ at: now + 30, outcome: 'unchanged', status: 304, gap: 9.75 }),
        ]
        await record(visits)
        expect(await store.visitsOf(page(url))).toEqual(visits)
        const history = historyOf(await store.visitsOf(page(url)))
        expect(history?.observations).toEqual(visits.flatMap((each) => observationOf(each) ?? []))
        expect(history?.observations).toHaveLength(2)
        const range = { from: now + 10, until: now + 30 }
        expect(await store.visitsOf(page(url), range)).toEqual(visits.slice(1, 3))
        expect(await store.visitsOf(page(url), { newest: 3 })).toEqual(visits.slice(1))
        expect(await store.visitsOf(page(url), { until: now + 30, newest: 1 })).toEqual([visits[2]])
        expect(await store.visitsOf(page('https://none.example/'))).toEqual([])
      })

      it('are counted by the store itself', async () => {
        await add(url)
        await record([
          { at: now + 1, outcome: 'first' },
          { at: now + 2, outcome: 'changed', gap: 1 },
          { at: now + 3, outcome: 'failed' },
          { at: now + 4, outcome: 'refused', status: 403 },
        ])
        expect(await store.getPage(page(url))).toMatchObject({
          lastVisit: { at: now + 4, outcome: 'refused', status: 403 },
          lastSeen: now + 2,
          lastChange: now + 2,
          visits: 4,
          changes: 1,
          failing: 2,
          gone: 0,
        })
        await record([
          { at: now + 5, outcome: 'gone' },
          { at: now + 6, outcome: 'failed' },
          { at: now + 7, outcome: 'gone' },
        ])
        expect(await store.getPage(page(url))).toMatchObject({ failing: 0, gone: 2 })
        await record([{ at: now + 8, outcome: 'unchanged', gap: 6 }])
        expect(await store.getPage(page(url))).toMatchObject({ failing: 0, gone: 0, visits: 8 })
        expect(await store.countPages({ collection, outcome: 'unchanged' })).toBe(1)
      })

      it('bring state, validators, hints, host and due time with them; what is left out stays', async () => {
        await add(url)
        const [held] = await lease()
        const state = { learner: 'irregular-mle', numbers: Float64Array.of(0, 2.5, Number.NaN) }
        const kept = {
          state,
          validators: { etag: '"x"', lastModified: 'Tue, 14 Nov 2023 22:13:20 GMT' },
          hints: { kind: 'periodic', period: 60 },
          noise: { masks: [{ kind: 'time' }] },
          movedTo: 'https://b.example/',
          title: 'Notices of the town',
        }
        const host = { host: 'a.example', state: { delay: 2 }, blockedUntil: now + 2 }
        const visit = aVisit({ at: now, outcome: 'first', fingerprint: 'f1' })
        const full = { lease: held!, visit, due: later, host, ...kept, keepLease: true }
        expect(await store.recordVisits([full])).toEqual(['recorded'])
        expect(await store.getHost('a.example')).toEqual(host)
        const never = { at: 'never' as const, reason: 'stopped' }
        expect(
          await store.recordVisits([{ lease: held!, visit: aVisit({ at: now + 1 }), due: never }]),
        ).toEqual(['recorded'])
        expect(await store.getPage(page(url))).toMatchObject({
          ...kept,
          fingerprint: 'f1',
          due: never,
          visits: 2,
        })
        expect(await store.nextDue({ collection, now, perHost: 1 })).toBeNull()
        const [again] = await store.leasePages({ pages: [page(url)], now, ttl: 1, worker: 'w' })
        const bare = {
          lease: again!,
          visit: aVisit({ at: now + 2 }),
          due: later,
          hints: null,
          noise: null,
        }
        await store.recordVisits([{ ...bare, validators: {} }])
        const forgotten = { hints: null, noise: null, validators: {} }
        expect(await store.getPage(page(url))).toMatchObject({
          ...forgotten,
          movedTo: 'https://b.example/',
        })
        const [home] = await store.leasePages({ pages: [page(url)], now, ttl: 1, worker: 'w' })
        const back = { lease: home!, visit: aVisit({ at: now + 3 }), due: later, movedTo: null }
        await store.recordVisits([back])
        expect(await store.getPage(page(url))).toMatchObject({ ...forgotten, movedTo: null })
      })

      it('leave a due time alone that was set while they were made', async () => {
        await add(url)
        const [held] = await lease()
        const never = { at: 'never' as const, reason: 'set by somebody' }
        await store.changePage(page(url), { importance: 2 })
        const first = { lease: held!, visit: aVisit({ at: now, outcome: 'first' }), due: later }
        await store.recordVisits([{ ...first, keepLease: true }])
        expect(await store.getPage(page(url))).toMatchObject({ due: later })
        await store.changePage(page(url), { due: never })
        const second = { lease: held!, visit: aVisit({ at: now + 1 }), due: later }
        expect(await store.recordVisits([second])).toEqual(['recorded'])
        expect(await store.getPage(page(url))).toMatchObject({ due: never, visits: 2 })
        expect(await store.nextDue({ collection, now, perHost: 1 })).toBeNull()
        const [again] = await store.leasePages({ pages: [page(url)], now, ttl: 1, worker: 'w' })
        await store.recordVisits([{ lease: again!, visit: aVisit({ at: now + 2 }), due: later }])
        expect(await store.getPage(page(url))).toMatchObject({ due: later })
      })

      it('bring each of these alone, and the rest stays', async () => {
        await add(url)
        const [held] = await lease()
        const before = {
          fingerprint: 'f1',
          validators: { etag: '"x"' },
          hints: { seen: 1 },
          noise: { masks: [] },
          movedTo: 'https://b.example/',
          title: 'One',
        }
        const after = {
          fingerprint: 'f2',
          validators: { lastModified: 'Tue, 14 Nov 2023 22:13:20 GMT' },
          hints: { seen: 2 },
          noise: { masks: [{ kind: 'time' }] },
          movedTo: 'https://c.example/',
          title: 'Two',
        }
        let at = now
        const reported = ({ fingerprint, ...more }: Partial<typeof before>) => {
          const visit = aVisit({ at: at++, outcome: 'unchanged', fingerprint: fingerprint ?? null })
          return store.recordVisits([{ lease: held!, visit, due: later, keepLease: true, ...more }])
        }
        for (const field of Object.keys(before) as (keyof typeof before)[]) {
          await reported(before)
          await reported({ [field]: after[field] })
          const { [field]: changed, ...rest } = before
          const kept = await store.getPage(page(url))
          expect(kept).toMatchObject({ ...rest, [field]: after[field] })
          expect(kept?.[field]).not.toEqual(changed)
        }
      })

      it('never go back in time', async () => {
        await add(url)
        await record([{ at: now, outcome: 'first' }])
        const [held] = await store.leasePages({ pages: [page(url)], now, ttl: 60, worker: 'w' })
        const at = (time: number) =>
          store.recordVisits([{ lease: held!, visit: aVisit({ at: time }), due: later }])
        expect(await at(now)).toEqual(['not-forward'])
        expect(await at(now - 1)).toEqual(['not-forward'])
        expect(await at(now + 0.001)).toEqual(['recorded'])
        await expect(at(Number.NaN)).rejects.toThrow(/finite/)
      })

      it('of one call stand and fall each for itself', async () => {
        await add(url, 'https://b.example/')
        const [a, b] = await lease()
        await store.releaseLeases([a!])
        const report = (held: Lease) => ({ lease: held, visit: aVisit({ at: now }), due: later })
        expect(await store.recordVisits([report(a!), report(b!), report(b!)])).toEqual([
          'lease-lost',
          'recorded',
          'lease-lost',
        ])
        expect(await store.recordVisits([])).toEqual([])
      })

      it('of one host in one call leave its last record, and hints that one of them told', async () => {
        await add('https://a.example/1', 'https://a.example/2', 'https://a.example/3')
        const leases = await lease({ perHost: 3 })
        const reported = [{ hints: { seen: 1 } }, { hints: { seen: 2 } }, {}]
        const reports = leases.map((held, at) => ({
          lease: held,
          visit: aVisit({ at: now + at }),
          due: later,
          host: {
            host: 'a.example',
            state: { visits: at + 1 },
            blockedUntil: null,
            ...reported[at],
          },
        }))
        await store.recordVisits(reports)
        expect(await store.getHost('a.example')).toEqual({
          host: 'a.example',
          state: { visits: 3 },
          blockedUntil: null,
          hints: { seen: 2 },
        })
      })

      it('of a collection are listed in the order they were recorded', async () => {
        await add(url, 'https://b.example/')
        await record([{ at: now + 5, outcome: 'first' }, { at: now + 6 }, { at: now + 7 }])
        const first = await store.listVisits({ collection, limit: 2 })
        expect(first.visits.map(({ at }) => at)).toEqual([now + 5, now + 6])
        expect(first.visits[0]).toEqual({ ...aVisit({ at: now + 5, outcome: 'first' }), url })
        const rest = await store.listVisits({ collection, limit: 2, after: first.next! })
        expect(rest).toMatchObject({ visits: [{ at: now + 7 }], next: null })
        const some = { collection, limit: 9, from: now + 6, until: now + 7 }
        expect((await store.listVisits(some)).visits).toHaveLength(1)
        expect(await store.listVisits({ collection: 'none', limit: 9 })).toEqual({
          visits: [],
          next: null,
        })
      })
    })

    describe('the log of visits', () => {
      const visit = async (address: string, more: Parameters<typeof aVisit>[0]) => {
        const terms = { now: more.at, ttl: 60, worker: 'w1' }
        const [held] = await store.leasePages({ ...terms, pages: [page(address)] })
        await store.recordVisits([{ lease: held!, visit: aVisit(more), due: later }])
      }
      const ats = (visits: readonly { at: number }[]) => visits.map(({ at }) => at - now)

      it('is read by number, forward or back, all of it or the changes', async () => {
        expect(await store.lastVisitNumber()).toBe(0)
        await add({ url: 'https://a.example/', group: 'g' }, 'https://b.example/')
        await store.addPages({ collection: 'other', now, pages: [{ url: 'https://a.example/' }] })
        await visit('https://a.example/', { at: now + 1, outcome: 'first' })
        await visit('https://b.example/', { at: now + 2, outcome: 'first' })
        await visit('https://a.example/', { at: now + 3, outcome: 'changed', gap: 2 })
        await visit('https://a.example/', { at: now + 4, gap: 1 })
        const all = await store.visitLog({ collection, limit: 9 })
        expect(ats(all)).toEqual([1, 2, 3, 4])
        expect(all[0]).toEqual({
          ...aVisit({ at: now + 1, outcome: 'first' }),
          number: expect.any(Number),
          page: { id: expect.any(String), url: 'https://a.example/', group: 'g' },
        })
        expect(all[1]!.page).toEqual({ id: expect.any(String), url: 'https://b.example/' })
        const numbers = all.map(({ number }) => number)
        expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
        expect(await store.lastVisitNumber()).toBe(numbers[3])
        const log = async (query: object) =>
          ats(await store.visitLog({ collection, limit: 9, ...query }))
        expect(await log({ after: numbers[1] })).toEqual([3, 4])
        expect(await log({ after: numbers[0], limit: 2 })).toEqual([2, 3])
        expect(await log({ before: numbers[2], newestFirst: true, limit: 1 })).toEqual([2])
        expect(await log({ changesOnly: true })).toEqual([3])
        expect(await log({ collection: 'other' })).toEqual([])
      })

      it('never gives a number twice, also after the newest visits were removed', async () => {
        await add('https://a.example/', 'https://b.example/')
        await visit('https://a.example/', { at: now + 1, outcome: 'first' })
        await visit('https://b.example/', { at: now + 2, outcome: 'first' })
        const last = await store.lastVisitNumber()
        await store.removePages([page('https://b.example/')])
        await store.removePages([page('https://a.example/')])
        expect(await store.lastVisitNumber()).toBe(last)
        await add('https://c.example/')
        await visit('https://c.example/', { at: now + 3, outcome: 'first' })
        expect(ats(await store.visitLog({ collection, after: last, limit: 9 }))).toEqual([3])
      })
    })

    describe('contents', () => {
      const url = 'https://a.example/'
      const text = (body: Uint8Array | null) =>
        body === null ? null : Buffer.from(body).toString()
      const record = async (address: string, at: number, body: string) => {
        const [held] = await store.leasePages({
          pages: [page(address)],
          now: at,
          ttl: 60,
          worker: 'w',
        })
        const content = { body: Buffer.from(body), mediaType: 'text/html', headers: { via: 'x' } }
        const visit = aVisit({ at, outcome: 'changed' })
        await store.recordVisits([{ lease: held!, visit, due: later, content }])
      }

      it('are named by SHA-256, kept once, and come back to the byte', async () => {
        await add(url, 'https://b.example/')
        // From `printf abc | sha256sum`.
        const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
        const long = 'the same words over and over '.repeat(500)
        await record(url, now, 'abc')
        await record('https://b.example/', now, 'abc')
        await record(url, now + 1, long)
        expect(await store.versionsOf(page(url))).toMatchObject([
          { at: now, digest: abc, bytes: 3, mediaType: 'text/html', headers: { via: 'x' } },
          { at: now + 1, bytes: long.length },
        ])
        expect(text(await store.snapshot(abc))).toBe('abc')
        const [, second] = await store.versionsOf(page(url))
        expect(text(await store.snapshot(second!.digest))).toBe(long)
        expect(await store.totals()).toMatchObject({
          versions: 3,
          snapshots: 2,
          contentBytes: 3 + long.length,
        })
        expect(await store.snapshot('00'.repeat(32))).toBeNull()
        await record(url, now + 2, long)
        expect(await store.versionsOf(page(url))).toHaveLength(2)
      })

      it('may be empty, or bytes that do not shrink', async () => {
        await add(url)
        await record(url, now, '')
        const [version] = await store.versionsOf(page(url))
        expect(await store.snapshot(version!.digest)).toHaveLength(0)
      })

      it('are let go by the rule: the newest, the young, and always the current one', async () => {
        await store.close()
        store = await open({ retention: { newest: 2, youngerThan: 100 } })
        await add(url)
        for (const at of [0, 50, 120, 130, 140]) await record(url, now + at, `body ${at}`)
        // By hand, at 140: the newest two are 130 and 140; younger than 100 is also 50.
        const kept = async () => (await store.versionsOf(page(url))).map(({ at }) => at - now)
        expect(await kept()).toEqual([50, 120, 130, 140])
        const rule = { newest: 0, youngerThan: 100 }
        // 120 is exactly 100 old, and so no longer younger.
        expect(await store.prune({ collection, now: now + 220, retention: rule })).toBe(2)
        expect(await kept()).toEqual([130, 140])
        expect(await store.prune({ collection, now: now + 9999, retention: rule })).toBe(1)
        expect(await kept()).toEqual([140])
        expect(await store.prune({ collection, now: now + 9999, retention: rule })).toBe(0)
        expect(await store.totals()).toMatchObject({ versions: 1, snapshots: 1 })
        await expect(
          store.prune({ collection, now, retention: { newest: -1, youngerThan: 0 } }),
        ).rejects.toThrow(/retention/)
      })

      it('are kept by another rule from when it is set', async () => {
        await store.close()
        store = await open({ retention: { newest: 2, youngerThan: 0 } })
        await add(url)
        const kept = async () => (await store.versionsOf(page(url))).map(({ at }) => at - now)
        for (const at of [1, 2, 3]) await record(url, now + at, `body ${at}`)
        expect(await kept()).toEqual([2, 3])
        await store.retain({ newest: 4, youngerThan: 0 })
        for (const at of [4, 5, 6]) await record(url, now + at, `body ${at}`)
        expect(await kept()).toEqual([3, 4, 5, 6])
        await store.retain({ newest: 1, youngerThan: 0 })
        await record(url, now + 7, 'body 7')
        expect(await kept()).toEqual([7])
        await expect(store.retain({ newest: -1, youngerThan: 0 })).rejects.toThrow(/retention/)
      })

      it('shared by two pages stay until both have let go', async () => {
        await add(url, 'https://b.example/')
        await record(url, now, 'shared')
        await record('https://b.example/', now, 'shared')
        const [version] = await store.versionsOf(page(url))
        await store.removePages([page(url)])
        expect(text(await store.snapshot(version!.digest))).toBe('shared')
        await store.removePages([page('https://b.example/')])
        expect(await store.snapshot(version!.digest)).toBeNull()
      })
    })

    describe('hosts', () => {
      const hold = (host: string, worker: string, more: { at?: number; ttl?: number } = {}) =>
        store.holdHost({ host, worker, now: more.at ?? now, ttl: more.ttl ?? 60 })
      const record = (host: string, more: object = {}) => ({
        host,
        state: { asked: 1 },
        blockedUntil: null,
        ...more,
      })
      const leaseAs = (worker: string, more: { at?: number; perHost?: number } = {}) =>
        store.leaseDue({
          collection,
          now: more.at ?? now,
          limit: 9,
          perHost: more.perHost ?? 9,
          ttl: 60,
          worker,
        })

      it('are held by the lease of a page, which brings their record', async () => {
        await add('https://a.example/1', 'https://a.example/2', 'https://b.example/')
        await store.putHosts([record('a.example', { hints: { tallies: {} } })])
        const leases = await lease()
        const records = leases.map(({ hostRecord }) => hostRecord)
        expect(records).toEqual([record('a.example'), null])
        expect(await leaseAs('w2')).toEqual([])
        expect(await hold('a.example', 'w2')).toBeNull()
        expect(await hold('a.example', 'w1')).toMatchObject({ host: 'a.example', worker: 'w1' })
        await store.releaseLeases([leases[1]!])
        expect(urls(await leaseAs('w2'))).toEqual(['https://b.example/'])
      })

      it('are held for themselves, by one at a time, until given back or until the end', async () => {
        await add('https://a.example/1')
        const first = await hold('a.example', 'w1', { ttl: 10 })
        expect(first).toMatchObject({ worker: 'w1', expiresAt: now + 10, record: null })
        expect(await hold('a.example', 'w2')).toBeNull()
        expect(await hold('a.example', 'w1')).toBeNull()
        expect(await leaseAs('w2')).toEqual([])
        expect(await store.nextDue({ collection, now, perHost: 1 })).toBe(now + 10)
        expect(await store.leasingWorkers()).toEqual(['w1'])
        expect(await store.releaseHost(first!, record('a.example'))).toBe(true)
        expect(await store.releaseHost(first!)).toBe(false)
        const second = await hold('a.example', 'w2', { ttl: 10 })
        expect(second?.token).toBeGreaterThan(first!.token)
        expect(second?.record).toMatchObject(record('a.example'))
        expect(await hold('a.example', 'w3', { at: now + 10 })).toMatchObject({ worker: 'w3' })
        expect(await store.releaseHost(second!)).toBe(false)
        // What the one before learned meanwhile is too late.
        const late = record('a.example', { fence: { token: second!.token, step: 9 }, state: {} })
        expect(await store.putHosts([late])).toEqual([false])
        // Hosts are given back with what else a worker holds, and are no pages of it.
        expect(await store.releaseWorker('w3')).toBe(0)
        expect(await leaseAs('w4')).toHaveLength(1)
        expect(await hold('never.example', 'w1')).toMatchObject({ record: null })
        await expect(hold('a.example', 'w1', { ttl: 0 })).rejects.toMatchObject({
          code: 'bad-lease',
        })
      })

      it('never get an older record for a newer one', async () => {
        const written = (fence: { token: number; step: number }, asked: number) =>
          store.putHosts([record('a.example', { state: { asked }, fence })])
        expect(await written({ token: 5, step: 1 }, 1)).toEqual([true])
        expect(await written({ token: 5, step: 0 }, 2)).toEqual([false])
        expect(await written({ token: 4, step: 9 }, 3)).toEqual([false])
        expect(await written({ token: 5, step: 2 }, 4)).toEqual([true])
        expect(await written({ token: 6, step: 0 }, 5)).toEqual([true])
        // What hints did is kept all the same.
        const old = { fence: { token: 1, step: 1 }, hints: { tallies: {} } }
        expect(await store.putHosts([record('a.example', old)])).toEqual([false])
        expect(await store.getHost('a.example')).toEqual({
          ...record('a.example', { state: { asked: 5 }, fence: { token: 6, step: 0 } }),
          hints: { tallies: {} },
        })
        // One without an order is somebody's own decision.
        expect(await store.putHosts([record('a.example')])).toEqual([true])
      })

      it('of a visit that was reported late keep the newer record', async () => {
        await add('https://a.example/1', 'https://a.example/2')
        const [one, two] = await leaseAs('w1')
        const report = (held: Lease, step: number) => ({
          lease: held,
          visit: aVisit({ at: now }),
          due: later,
          host: record('a.example', { state: { step }, fence: { token: one!.token, step } }),
        })
        await store.recordVisits([report(one!, 2), report(two!, 1)])
        expect(await store.getHost('a.example')).toMatchObject({ state: { step: 2 } })
      })

      it('of a worker that let its lease run out are not written by it after another took over', async () => {
        await add('https://a.example/1', 'https://b.example/1')
        const early = await leaseAs('w1')
        const taken = await leaseAs('w2', { at: now + 60 })
        expect(taken).toHaveLength(2)
        const stale = early.map((held) =>
          record(held.host, { fence: { token: held.token, step: 7 } }),
        )
        expect(await store.putHosts(stale)).toEqual([false, false])
        const fresh = taken.map((held) =>
          record(held.host, { fence: { token: held.token, step: 1 } }),
        )
        expect(await store.putHosts(fresh)).toEqual([true, true])
      })
    })

    describe('hosts and settings', () => {
      it('keep hints that a later record leaves out', async () => {
        const record = { host: 'a.example', state: { asked: 1 }, blockedUntil: null }
        await store.putHosts([{ ...record, hints: { tallies: {} } }])
        await store.putHosts([{ ...record, state: { asked: 2 } }])
        expect(await store.getHost('a.example')).toEqual({
          ...record,
          state: { asked: 2 },
          hints: { tallies: {} },
        })
        await add('https://a.example/')
        const [held] = await lease()
        const due = { at: now + 9, reason: 'later' }
        const reported = { ...record, hints: { tallies: { meta: [1, 1, 1, 0.5] } } }
        await store.recordVisits([
          { lease: held!, visit: aVisit({ at: now }), due, host: reported },
        ])
        expect(await store.getHost('a.example')).toEqual(reported)
      })

      it('are swapped only where they are still what was read', async () => {
        const swap = (from: Json | undefined, to: Json) =>
          store.swapSetting(collection, 'keys', { from, to })
        expect(await swap(['a'], ['b'])).toBe(false)
        expect(await store.getSetting(collection, 'keys')).toBeUndefined()
        expect(await swap(undefined, { b: 1, a: [null] })).toBe(true)
        expect(await swap(undefined, 'again')).toBe(false)
        expect(await swap(await store.getSetting(collection, 'keys'), null)).toBe(true)
        expect(await swap(null, 2)).toBe(true)
        expect(await store.getSetting(collection, 'keys')).toBe(2)
      })

      it('take new pages with what a list told of them', async () => {
        const url = 'https://a.example/listed'
        await add({ url, hints: { kinds: {} } })
        expect(await store.getPage({ collection, url })).toMatchObject({ hints: { kinds: {} } })
      })

      it('tell of the hosts of a collection by name, stretch by stretch', async () => {
        await add(
          { url: 'https://b.example/1', due: { at: now + 5, reason: '' } },
          { url: 'https://b.example/2', due: { at: 'never', reason: '' } },
          { url: 'https://a.example/', due: { at: 'never', reason: '' } },
          'https://c.test/',
        )
        await store.putHosts([{ host: 'b.example', state: {}, blockedUntil: now + 9 }])
        const [held] = await lease()
        await store.recordVisits([{ lease: held!, visit: aVisit({ at: now + 1 }), due: later }])
        const list = (query: object) => store.listHosts({ collection, limit: 9, ...query })
        const a = { pages: 1, firstDue: null, blockedUntil: null, lastVisit: null }
        const b = { pages: 2, firstDue: now + 5, blockedUntil: now + 9, lastVisit: null }
        const c = { pages: 1, firstDue: now + DAY, blockedUntil: null, lastVisit: now + 1 }
        expect((await list({})).hosts).toEqual([
          { host: 'a.example', ...a },
          { host: 'b.example', ...b },
          { host: 'c.test', ...c },
        ])
        const names = async (query: object) => (await list(query)).hosts.map(({ host }) => host)
        expect(await list({ limit: 1 })).toMatchObject({ next: 'a.example' })
        expect(await names({ limit: 1, after: 'a.example' })).toEqual(['b.example'])
        expect(await list({ after: 'b.example' })).toMatchObject({ next: null })
        expect(await names({ nameContains: 'test' })).toEqual(['c.test'])
        expect(await names({ restingAt: now })).toEqual(['b.example'])
        expect(await names({ restingAt: now + 9 })).toEqual([])
        expect(await names({ collection: 'none' })).toEqual([])
      })

      it('come back as they were put', async () => {
        expect(await store.getHost('a.example')).toBeNull()
        await add('https://a.example/')
        expect(await store.getHost('a.example')).toBeNull()
        const record = { host: 'a.example', state: { robots: ['x'], n: 1.5 }, blockedUntil: null }
        await store.putHosts([record, { ...record, host: 'b.example', blockedUntil: now }])
        expect(await store.getHost('a.example')).toEqual(record)
        expect(await store.getHost('b.example')).toMatchObject({ blockedUntil: now })
        await store.putSetting(collection, 'policy', { name: 'fixed', period: 60 })
        await store.putSetting(collection, 'policy', { name: 'fixed', period: 90 })
        await store.putSetting('other', 'policy', null)
        expect(await store.getSetting(collection, 'policy')).toEqual({ name: 'fixed', period: 90 })
        expect(await store.getSetting(collection, 'none')).toBeUndefined()
        expect(await store.settings('other')).toEqual({ policy: null })
        expect(await store.settings('unheard')).toEqual({})
      })

      it('count the requests of a day, of all who add to it', async () => {
        const add = (day: number, requests: number) =>
          store.addToDay(collection, 'requests', { day, requests })
        expect(await add(7, 2)).toEqual({ day: 7, requests: 2 })
        const sums = await Promise.all([1, 2, 3].map((requests) => add(7, requests)))
        expect(sums.map(({ requests }) => requests)).toEqual([3, 5, 8])
        expect(await add(7, -3)).toEqual({ day: 7, requests: 5 })
        // A clock that is behind adds to the day that has begun, and takes nothing from it.
        expect(await add(6, 1)).toEqual({ day: 7, requests: 6 })
        expect(await add(6, -1)).toEqual({ day: 7, requests: 6 })
        expect(await add(8, 1)).toEqual({ day: 8, requests: 1 })
        expect(await add(8, -5)).toEqual({ day: 8, requests: 0 })
        expect(await store.getSetting(collection, 'requests')).toEqual({ day: 8, requests: 0 })
      })
    })

    it('answers nothing after it was closed', async () => {
      await store.close()
      await store.close()
      await expect(store.getPage(page('https://a.example/'))).rejects.toMatchObject({
        code: 'store-closed',
      })
      store = await open({})
    })
  })
}

/** The observation this visit closed, if any. */
function observationOf(visit: VisitRecord): Observation | null {
  if (visit.gap === null) return null
  const { at, gap, contentAge, unchangedFor = 0 } = visit
  const changed = visit.outcome === 'changed'
  return withUnchangedFor(
    { at, gap, changed, ...(contentAge === null ? {} : { contentAge }) },
    unchangedFor,
  )
}
