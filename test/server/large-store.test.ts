import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { aVisit } from '../fixtures/a-visit.js'
import { aService, collection } from './a-service.js'

const now = 1_700_000_000
const count = 40_000

describe('a store of many pages and visits', () => {
  const folder = mkdtempSync(join(tmpdir(), 'revisit-large-'))
  const path = join(folder, 'revisit.db')

  beforeAll(async () => {
    const store = await openSqliteStore({ path, unsynced: true })
    for (let from = 0; from < count; from += 5000) {
      const numbers = Array.from({ length: 5000 }, (_, i) => from + i)
      const pages = numbers.map((n) => ({
        url: `https://h${n % 100}.example/${n}`,
        // One page in ten has a policy of its own: every day.
        settings: n % 10 === 0 ? { policy: 'fixed:gap=1d' } : {},
      }))
      await store.addPages({ collection, now, pages })
      const refs = numbers.map((n) => ({ id: String(n + 1) }))
      const leases = await store.leasePages({ pages: refs, now, ttl: 60, worker: 'w' })
      const visit = aVisit({ at: now, outcome: 'first' })
      const due = { at: now + 86_400, reason: 'a test' }
      await store.recordVisits(leases.map((lease) => ({ lease, visit, due })))
    }
    await store.close()
  }, 120_000)

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const service = async () => aService({ store: await openSqliteStore({ path }), policy: 'auto' })

  it.each(['visits', 'pages'])('is exported in %s while others have their turns', async (what) => {
    const { app } = await service()
    let turns = 0
    let open = true
    const turn = () => {
      turns++
      if (open) setImmediate(turn)
    }
    turn()
    const answer = await app.inject({
      url: `/api/export/${what}`,
      headers: { host: 'localhost' },
    })
    open = false
    expect(answer.body.split('\n')).toHaveLength(count + 1)
    // In stretches of 500, and nobody waits for two of them.
    expect(turns).toBeGreaterThanOrEqual(count / 500)
  })

  it('is sampled for the budget, which says so', async () => {
    const { ask } = await service()
    const { json } = await ask('GET', '/api/budget')
    const reported = json as Record<string, number>
    // About 20,000 are read; of all of them every 20th is planned.
    expect(reported.counted).toBeGreaterThan(19_000)
    expect(reported.counted).toBeLessThan(21_000)
    expect(reported.sampled).toBeLessThan(1100)
    expect(reported.pages).toBe(count)
    expect(reported.ownPolicies! / count).toBeCloseTo(0.1, 2)
    expect(reported.promises).toMatchObject({ pages: reported.ownPolicies })
  }, 60_000)

  it('costs a later stretch of the list no more than the first', async () => {
    const { store } = await service()
    const cost = async (query: object) => {
      const times: number[] = []
      for (let i = 0; i < 30; i++) {
        const began = performance.now()
        await store.listPages({ collection, limit: 1, ...query })
        times.push(performance.now() - began)
      }
      return Math.min(...times)
    }
    for (const sort of ['added', 'url', 'due'] as const) {
      const first = await store.listPages({ collection, sort, limit: 1 })
      const late = await store.listPages({ collection, sort, limit: count - 100 })
      const [early, later] = [
        await cost({ sort, after: first.next! }),
        await cost({ sort, after: late.next! }),
      ]
      expect(later, `${sort}: ${early} ms, then ${later} ms`).toBeLessThan(8 * early + 0.2)
    }
  }, 60_000)
})
