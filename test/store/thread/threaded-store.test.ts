import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqliteStore, openThreadedStore } from '../../../dist/store/index.js'
import { describeOutbox } from '../../contracts/outbox.js'
import { describeQueues } from '../../contracts/queues.js'
import { describeSharedStore } from '../../contracts/shared-store.js'
import { describeStore } from '../../contracts/store.js'
import { aVisit } from '../../fixtures/a-visit.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

// The built package, because Node 20 runs no TypeScript in a worker thread.

describeStore('SQLite on a thread', (options) =>
  openThreadedStore({ path: join(tempFolder(), 'revisit.db'), ...options }),
)

describeOutbox('SQLite on a thread', () =>
  openThreadedStore({ path: join(tempFolder(), 'revisit.db') }),
)

describeQueues('SQLite on a thread', async () => {
  const path = join(tempFolder(), 'revisit.db')
  return { connect: () => openThreadedStore({ path }) }
})

describeSharedStore('SQLite on a thread', async () => {
  const path = join(tempFolder(), 'revisit.db')
  return { connect: () => openThreadedStore({ path }) }
})

const now = 1_700_000_000
const collection = 'c'

describe('a store on a thread', () => {
  it('records visits reported at the same time, and all of them before it closes', async () => {
    const path = join(tempFolder(), 'revisit.db')
    const store = await openThreadedStore({ path })
    const pages = Array.from({ length: 70 }, (_, at) => ({
      url: `https://h${at % 7}.example/${at}`,
    }))
    await store.addPages({ collection, now, pages })
    const terms = { collection, now, limit: 70, perHost: 1, ahead: 10, ttl: 60, worker: 'w' }
    const leases = await store.leaseDue(terms)
    const reports = leases.map((lease, at) => ({
      lease,
      visit: aVisit({ at: now + 1 }),
      due: { at: now, reason: '' },
      state: { learner: 'l', numbers: Float64Array.of(at, -0, Number.NaN, Infinity) },
      content: { body: Buffer.from(`content of ${lease.page.url}`) },
    }))
    const results = reports.map((report) => store.recordVisits([report]))
    const twice = store.recordVisits([reports[0]!])
    await store.close()
    expect((await Promise.all(results)).flat()).toEqual(Array(70).fill('recorded'))
    expect(await twice).toEqual(['lease-lost'])
    await expect(store.totals()).rejects.toMatchObject({ code: 'store-closed' })

    const again = await openSqliteStore({ path, readOnly: true })
    expect(await again.totals()).toMatchObject({ visits: 70, snapshots: 70 })
    for (const [at, { lease }] of reports.entries()) {
      const page = await again.getPage(lease.page)
      expect(page?.state?.numbers).toEqual(reports[at]!.state.numbers)
      const [version] = await again.versionsOf(lease.page)
      const body = await again.snapshot(version!.digest)
      expect(Buffer.from(body!).toString()).toBe(`content of ${lease.page.url}`)
    }
    await again.close()
  })

  it('gives leases that tell of their page as it was, also once its visit is recorded', async () => {
    const store = await openThreadedStore({ path: join(tempFolder(), 'revisit.db') })
    const urls = ['https://a.example:8080/1?q=ü', 'https://b.example/', 'https://a.example:8080/2']
    await store.addPages({ collection, now, pages: urls.map((url) => ({ url, importance: 2.5 })) })
    const terms = { collection, now, limit: 9, perHost: 2, ttl: 60, worker: 'w' }
    const leases = await store.leaseDue(terms)
    const before = leases.map(({ page }) => structuredClone(page))
    expect(before).toEqual(await Promise.all(before.map((page) => store.getPage(page))))
    expect(leases.map(({ host }) => host)).toEqual(before.map(({ host }) => host))
    const state = { learner: 'l', numbers: Float64Array.of(1, 0, 3) }
    const due = { at: now + 9, reason: 'later' }
    await store.recordVisits([{ lease: leases[0]!, visit: aVisit({ at: now + 1 }), due, state }])
    expect(leases.map(({ page }) => page)).toEqual(before)
    expect(await store.getPage(before[0]!)).toMatchObject({ due, state, visits: 1 })
    expect(await store.extendLeases(leases, { until: now + 90 })).toEqual([false, true, true])
    expect(await store.releaseLeases(leases)).toBe(2)
    await store.close()
  })

  it('tells of a file that is none of ours as the store itself does', async () => {
    const path = join(tempFolder(), 'missing.db')
    await expect(openThreadedStore({ path, readOnly: true })).rejects.toMatchObject({
      name: 'EnvironmentError',
      code: 'no-store',
    })
  })

  it('refuses one bad report without harm to those beside it', async () => {
    const store = await openThreadedStore({ path: join(tempFolder(), 'revisit.db') })
    await store.addPages({ collection, now, pages: [{ url: 'https://a.example/' }] })
    const [lease] = await store.leaseDue({
      collection,
      now,
      limit: 1,
      perHost: 1,
      ttl: 60,
      worker: 'w',
    })
    const report = { lease: lease!, visit: aVisit({ at: now + 1 }), due: { at: now, reason: '' } }
    const good = store.recordVisits([report])
    const bad = store.recordVisits([{ ...report, visit: aVisit({ at: Number.NaN }) }])
    await expect(bad).rejects.toMatchObject({ code: 'bad-visit' })
    expect(await good).toEqual(['recorded'])
    await store.close()
  })
})
