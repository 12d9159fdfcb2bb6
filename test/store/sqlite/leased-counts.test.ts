import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/store.js'
import { aVisit } from '../../fixtures/a-visit.js'
import { tempFolder } from '../../fixtures/temp-folder.js'

const now = 1_700_000_000
const collection = 'c'
const url = 'https://h.example/a'
const page = { collection, url }
const terms = { collection, limit: 1, perHost: 1, ttl: 60 }

async function twoOnOneFile() {
  const path = join(tempFolder(), 'revisit.db')
  const one = await openSqliteStore({ path })
  await one.addPages({ collection, now, pages: [{ url }] })
  return { one, other: await openSqliteStore({ path }) }
}

const report = (lease: { page: { id: string }; token: number }, at: number) => ({
  lease,
  visit: aVisit({ at }),
  due: { at, reason: '' },
})

describe('counts remembered from the lease', () => {
  it('do not outlive a lease that another process took over', async () => {
    const { one, other } = await twoOnOneFile()
    const [late] = await one.leaseDue({ ...terms, now, worker: 'one' })
    const [lease] = await other.leaseDue({ ...terms, now: now + 61, worker: 'other' })
    expect(await other.recordVisits([report(lease!, now + 62)])).toEqual(['recorded'])
    expect(await one.recordVisits([report(late!, now + 63)])).toEqual(['lease-lost'])
    expect(await one.getPage(page)).toMatchObject({ visits: 1 })
    await one.close()
    await other.close()
  })

  it('do not outlive a page that another process took away', async () => {
    const { one, other } = await twoOnOneFile()
    const [lease] = await one.leaseDue({ ...terms, now, worker: 'one' })
    await other.removePages([page])
    expect(await one.recordVisits([report(lease!, now + 1)])).toEqual(['lease-lost'])
    await one.close()
    await other.close()
  })

  it('do not outlive a lease that was given back', async () => {
    const { one, other } = await twoOnOneFile()
    const [lease] = await one.leaseDue({ ...terms, now, worker: 'one' })
    await one.releaseLeases([lease!])
    expect(await one.recordVisits([report(lease!, now + 1)])).toEqual(['lease-lost'])
    await one.close()
    await other.close()
  })

  it('serve one visit: a second of the same lease counts on from the first', async () => {
    const { one, other } = await twoOnOneFile()
    const [lease] = await one.leaseDue({ ...terms, now, worker: 'one' })
    const held = { ...report(lease!, now + 1), keepLease: true }
    expect(await one.recordVisits([held])).toEqual(['recorded'])
    expect(await one.recordVisits([held])).toEqual(['not-forward'])
    expect(await one.recordVisits([report(lease!, now + 2)])).toEqual(['recorded'])
    expect(await other.getPage(page)).toMatchObject({ visits: 2 })
    expect(await other.visitsOf(page)).toHaveLength(2)
    await one.close()
    await other.close()
  })
})
