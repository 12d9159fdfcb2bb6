import { describe, expect, it } from 'vitest'
import type { PageRecord } from '../../src/model/page.js'
import type { Store } from '../../src/model/store.js'
import { HOUR } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import {
  PagePlans,
  type PagePlansParts,
  reasonByHand,
} from '../../src/planner/collection/replan.js'
import type { Planner } from '../../src/planner/step.js'
import { nextAllowed, parseAllowedHours } from '../../src/policies/allowed-hours.js'
import { fixed } from '../../src/policies/fixed-and-random.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { aVisit } from '../fixtures/a-visit.js'

const collection = 'web'
const url = 'http://a.example/'
// A Tuesday, 22:13 UTC.
const now = 1_700_000_000
const sixHours: Planner = { policy: fixed({ gap: 6 * HOUR }), learner: null }

async function aStore(due?: PageRecord['due']): Promise<Store> {
  const store = openMemoryStore()
  await store.addPages({ collection, pages: [{ url }], now: now - HOUR })
  if (due !== undefined) await store.changePage({ collection, url }, { due })
  return store
}

/** Seen an hour ago, due in a day. */
async function seenBefore(): Promise<Store> {
  const store = await aStore()
  const lease = await leased(store, now - HOUR)
  const visit = aVisit({ at: now - HOUR, outcome: 'first', fingerprint: 'f' })
  await store.recordVisits([{ lease, visit, due: { at: now + 23 * HOUR, reason: 'by a policy' } }])
  return store
}

async function leased(store: Store, at: number) {
  const pages = [{ collection, url }]
  const [lease] = await store.leasePages({ pages, worker: 'visit', now: at, ttl: 600 })
  return lease!
}

function pagePlans(store: Store, more: Partial<PagePlansParts> = {}): PagePlans {
  const random = new Random(1)
  const plannerFor = () => sixHours
  return new PagePlans({
    ...{ store, collection, worker: 'w', random, plannerFor, pause: async () => {} },
    ...more,
  })
}

async function thePage(store: Store): Promise<PageRecord> {
  return (await store.getPage({ collection, url }))!
}

describe('a page that is planned anew', () => {
  it('is due by its policy after the last successful visit', async () => {
    const store = await seenBefore()
    await pagePlans(store).planAnew(await thePage(store), now)
    expect((await thePage(store)).due.at).toBe(now + 5 * HOUR)
  })

  it('is due by what is chosen now also where a visit was under way that began before', async () => {
    const store = await seenBefore()
    const lease = await leased(store, now)
    await pagePlans(store).planAnew(await thePage(store), now)
    const visit = aVisit({ at: now + 2, outcome: 'unchanged' })
    const late = { at: now + 60 * 24 * HOUR, reason: 'by the old policy' }
    expect(await store.recordVisits([{ lease, visit, due: late }])).toEqual(['recorded'])
    const page = await thePage(store)
    expect(page).toMatchObject({ visits: 2, due: { at: now + 6 * HOUR } })
    // The visit after it plans by itself again.
    const next = await leased(store, now + 6 * HOUR)
    const again = aVisit({ at: now + 6 * HOUR, outcome: 'unchanged' })
    await store.recordVisits([{ lease: next, visit: again, due: late }])
    expect((await thePage(store)).due).toEqual(late)
  })

  it('stays where somebody set it', async () => {
    for (const at of ['never', now + 1000 * HOUR, now - HOUR] as const) {
      const store = await seenBefore()
      const due = { at, reason: reasonByHand('while the site is rebuilt') }
      await store.changePage({ collection, url }, { due })
      await pagePlans(store).planAnew(await thePage(store), now)
      await pagePlans(store).replan([await thePage(store)], { now, apart: 0 })
      expect((await thePage(store)).due).toEqual(due)
    }
  })

  it('is due in its hours, whether it is overdue or not', async () => {
    const hours = parseAllowedHours('sat 8-9')
    for (const gap of [6 * HOUR, 60]) {
      const store = await seenBefore()
      const plannerFor = (): Planner => ({ policy: fixed({ gap }), learner: null })
      const planner = pagePlans(store, { plannerFor, hoursFor: () => hours })
      await planner.planAnew(await thePage(store), now)
      const { due } = await thePage(store)
      expect(due.at).toBeGreaterThan(now + 24 * HOUR)
      expect(nextAllowed(Number(due.at), hours)).toBe(due.at)
      expect(due.reason).toContain('deferred to its allowed hours')
      // Planned by the same hours again, it stays.
      await planner.replan([await thePage(store)], { now, apart: 0.02 })
      expect((await thePage(store)).due).toEqual(due)
    }
  })

  it('that waits for its first visit is due by the hours of now', async () => {
    const waiting = { at: now + 10 * HOUR, reason: 'new; put off to the hours allowed for it' }
    const store = await aStore(waiting)
    await pagePlans(store, { hoursFor: () => parseAllowedHours('0-24') }).planAnew(
      await thePage(store),
      now,
    )
    expect((await thePage(store)).due).toEqual({ at: now, reason: 'new' })
    const other = await aStore(waiting)
    await pagePlans(other).replan([await thePage(other)], { now })
    expect((await thePage(other)).due).toEqual({ at: now, reason: 'new' })
  })
})
