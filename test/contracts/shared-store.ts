import { beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/model/store.js'
import { DAY } from '../../src/model/units.js'
import { forgetWorkersAfter } from '../../src/model/worker.js'
import { aVisit } from '../fixtures/a-visit.js'

const now = 1_700_000_000
const collection = 'news'

/** One store and a way to open it once more, as another process would. */
export interface SharedStore {
  /** A store of one process gives itself again. */
  connect(): Promise<Store>
}

/** What every store owes those who share it: workers, chores, and a log that can be followed. */
export function describeSharedStore(name: string, open: () => Promise<SharedStore>): void {
  describe(`${name}, shared by several`, () => {
    let one: Store
    let other: Store
    beforeEach(async () => {
      const shared = await open()
      one = await shared.connect()
      other = await shared.connect()
      return async () => {
        expect(await one.check()).toEqual([])
        await one.close()
        await other.close()
      }
    })

    const scan = (worker: string, at = now, ttl = 60) => ({ name: 'scan', worker, now: at, ttl })

    describe('chores', () => {
      it('have one holder at a time, who renews and gives back', async () => {
        expect(await one.holdChore(scan('w1'))).toBe(true)
        expect(await other.holdChore(scan('w2'))).toBe(false)
        expect(await one.holdChore(scan('w1', now + 50))).toBe(true)
        // The renewal counts from when it was made.
        expect(await other.holdChore(scan('w2', now + 109))).toBe(false)
        expect(await other.chores()).toEqual([
          { name: 'scan', worker: 'w1', since: now, expiresAt: now + 110 },
        ])
        expect(await other.releaseChore({ name: 'scan', worker: 'w2' })).toBe(false)
        expect(await one.releaseChore({ name: 'scan', worker: 'w1' })).toBe(true)
        expect(await one.releaseChore({ name: 'scan', worker: 'w1' })).toBe(false)
        expect(await other.holdChore(scan('w2', now + 51))).toBe(true)
      })

      it('are taken over once the hold has run out, and are no longer the first holder’s', async () => {
        await one.holdChore(scan('w1'))
        expect(await other.holdChore(scan('w2', now + 59.9))).toBe(false)
        expect(await other.holdChore(scan('w2', now + 60))).toBe(true)
        expect(await other.chores()).toMatchObject([{ worker: 'w2', since: now + 60 }])
        expect(await one.holdChore(scan('w1', now + 61))).toBe(false)
        expect(await one.releaseChore({ name: 'scan', worker: 'w1' })).toBe(false)
      })

      it('are taken by one of many who ask at once', async () => {
        for (let round = 0; round < 20; round++) {
          const at = now + round * 100
          const asked = Array.from({ length: 8 }, (_, i) =>
            (i % 2 === 0 ? one : other).holdChore(scan(`w${i}`, at)),
          )
          expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1)
        }
      })

      it('differ by name, and are given back with all else that a worker holds', async () => {
        await one.holdChore(scan('w1'))
        await one.holdChore({ ...scan('w1'), name: 'learn' })
        await other.holdChore({ ...scan('w2'), name: 'tidy' })
        expect((await one.chores()).map((chore) => chore.name)).toEqual(['learn', 'scan', 'tidy'])
        expect(await other.releaseWorker('w1')).toBe(0)
        expect((await one.chores()).map((chore) => chore.name)).toEqual(['tidy'])
        await expect(one.holdChore(scan('w1', now, 0))).rejects.toMatchObject({ code: 'bad-lease' })
      })
    })

    describe('workers', () => {
      const sign = (worker: string, at: number, version = '1.0.0') =>
        one.noteWorker({ name: worker, role: 'worker', version, now: at })

      it('are known by their signs of life, with what they hold', async () => {
        await one.addPages({
          collection,
          now,
          pages: [{ url: 'https://a.example/' }, { url: 'https://b.example/' }],
        })
        await sign('w2', now)
        await sign('w1', now + 1)
        await sign('w2', now + 10, '1.0.1')
        const asked = { collection, now, limit: 9, perHost: 1, ttl: 60, worker: 'w2' }
        expect(await one.leaseDue(asked)).toHaveLength(2)
        await one.holdHost({ host: 'c.example', now, ttl: 60, worker: 'w2' })
        expect(await other.workers({ now: now + 20 })).toEqual([
          {
            name: 'w2',
            role: 'worker',
            version: '1.0.1',
            since: now,
            lastSign: now + 10,
            leases: 2,
          },
          {
            name: 'w1',
            role: 'worker',
            version: '1.0.0',
            since: now + 1,
            lastSign: now + 1,
            leases: 0,
          },
        ])
        expect(await other.workers({ now: now + 60 })).toMatchObject([{ leases: 0 }, { leases: 0 }])
      })

      it('are forgotten when they are released, or gave no sign for long', async () => {
        await sign('w1', now)
        await sign('w2', now + 1)
        await other.releaseWorker('w2')
        expect((await one.workers({ now })).map((worker) => worker.name)).toEqual(['w1'])
        await sign('w3', now + forgetWorkersAfter)
        expect(await one.workers({ now })).toHaveLength(2)
        await sign('w3', now + forgetWorkersAfter + 1)
        expect((await one.workers({ now })).map((worker) => worker.name)).toEqual(['w3'])
      })
    })

    it('has a clock that agrees with itself, or none', async () => {
      const [before, after] = [await one.now(), await other.now()]
      if (before === null) expect(after).toBeNull()
      else expect(Math.abs(after! - before)).toBeLessThan(30)
    })

    describe('the log of visits', () => {
      /** Visits of so many pages through a store, a few at a time. */
      async function write(store: Store, worker: string, pages: readonly string[]): Promise<void> {
        for (let at = 0; at < pages.length; at += 3) {
          const some = pages.slice(at, at + 3).map((url) => ({ collection, url }))
          const leases = await store.leasePages({ pages: some, now, ttl: 600, worker })
          const due = { at: now + DAY, reason: 'a day later' }
          const visit = aVisit({ at: now + 1, outcome: 'changed' })
          expect(
            await store.recordVisits(leases.map((lease) => ({ lease, visit, due }))),
          ).not.toContain('lease-lost')
        }
      }

      it('gives a follower every visit of all writers once, by numbers that grow', async () => {
        const urls = Array.from({ length: 120 }, (_, at) => `https://h${at}.example/`)
        await one.addPages({ collection, now, pages: urls.map((url) => ({ url })) })
        const start = await other.lastVisitNumber()
        const quarters = [0, 1, 2, 3].map((of) => urls.filter((_, at) => at % 4 === of))
        const writing = Promise.all(
          quarters.map((each, at) => write(at % 2 === 0 ? one : other, `w${at}`, each)),
        )
        /** Where a reader might have begun, and how many visits were there up to it. */
        const begins: { readonly last: number; readonly upTo: number }[] = []
        const seen: { readonly number: number; readonly url: string }[] = []
        const patience = performance.now() + 20_000
        while (seen.length < urls.length && performance.now() < patience) {
          const after = seen[seen.length - 1]?.number ?? start
          const last = await other.lastVisitNumber()
          const visits = await other.visitLog({ collection, after, limit: 7 })
          // Nothing at or before a number where a reader may begin comes later.
          const all = await other.visitLog({ collection, after: start, limit: 999 })
          const upTo = all.filter(({ number }) => number <= last).map(({ number }) => number)
          begins.push({ last, upTo: upTo.length })
          seen.push(...visits.map(({ number, page }) => ({ number, url: page.url })))
          if (visits.length === 0) await new Promise((resolve) => setTimeout(resolve, 2))
        }
        await writing
        const numbers = seen.map(({ number }) => number)
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
        expect(seen.map(({ url }) => url).sort()).toEqual([...urls].sort())
        const whole = await one.visitLog({ collection, after: start, limit: 999 })
        for (const { last, upTo } of begins)
          expect(whole.filter(({ number }) => number <= last)).toHaveLength(upTo)
      })
    })
  })
}
