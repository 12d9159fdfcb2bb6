import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { aVisit } from '../../fixtures/a-visit.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

const now = 1_700_000_000
const collection = 'c'

describe('visits reported at the same time', () => {
  it('are recorded whole each, and all of them before the store closes', async () => {
    const path = join(tempFolder(), 'revisit.db')
    const store = await openSqliteStore({ path })
    const pages = Array.from({ length: 70 }, (_, at) => ({
      url: `https://h${at % 7}.example/${at}`,
    }))
    await store.addPages({ collection, now, pages })
    const terms = { collection, now, limit: 70, perHost: 10, ttl: 60, worker: 'w' }
    const leases = await store.leaseDue(terms)
    const reports = leases.map((lease) => ({
      lease,
      visit: aVisit({ at: now }),
      due: { at: now, reason: '' },
      content: { body: Buffer.from(`content of ${lease.page.url} `.repeat(200)) },
    }))
    const results = reports.slice(0, 50).map((report) => store.recordVisits([report]))
    expect((await Promise.all(results)).flat()).toEqual(Array(50).fill('recorded'))
    const late = reports.slice(50).map((report) => store.recordVisits([report]))
    await store.close()
    expect((await Promise.all(late)).flat()).toEqual(Array(20).fill('recorded'))
    const again = await openSqliteStore({ path, readOnly: true })
    expect(await again.totals()).toMatchObject({ visits: 70 })
    await again.close()
  })
})
