import { describe, expect, it } from 'vitest'
import { malcolmArmitageLearner } from '../../src/estimators/rate/malcolm-armitage.js'
import type { PageRecord } from '../../src/model/page.js'
import type { Store } from '../../src/model/store.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { overTheWeek, visitsAtPrice } from '../../src/planner/budget/price-for-budget.js'
import { CollectionController } from '../../src/planner/collection/collection-controller.js'
import { packState, stateSummary } from '../../src/planner/learned-step.js'
import { firstStep, type Planner, step } from '../../src/planner/step.js'
import { fixed } from '../../src/policies/fixed-and-random.js'
import { malcolmArmitage } from '../../src/policies/malcolm-armitage.js'
import { openMemoryStore } from '../../src/store/memory/store.js'

const collection = 'web'
const start = 1_700_000_000
const ma: Planner = { policy: malcolmArmitage(), learner: malcolmArmitageLearner }

/** Pages visited daily by another policy; page i changed at every (i % 4 + 1)th visit. */
async function followed(pages: number, { visits }: { visits: number }): Promise<Store> {
  const store = openMemoryStore()
  const list = Array.from({ length: pages }, (_, i) => ({ url: `http://h${i % 5}.example/${i}` }))
  await store.addPages({ collection, pages: list, now: start })
  const leases = await store.leasePages({
    pages: list.map(({ url }) => ({ collection, url })),
    worker: 'past',
    now: start,
    ttl: 1e9,
  })
  for (const [i, lease] of leases.entries()) {
    let { state, due } = firstStep(ma, { at: start }, new Random(1))
    for (let visit = 0; visit < visits; visit++) {
      const at = start + visit * DAY
      const changed = visit > 0 && visit % ((i % 4) + 1) === 0
      if (visit > 0) ({ state, due } = step(ma, state, { at, gap: DAY, changed }))
      const outcome = visit === 0 ? 'first' : changed ? 'changed' : 'unchanged'
      await store.recordVisits([
        {
          lease,
          keepLease: visit < visits - 1,
          state: packState(ma, state),
          due,
          visit: {
            at,
            outcome,
            status: 200,
            gap: visit === 0 ? null : DAY,
            contentAge: null,
            fingerprint: outcome === 'unchanged' ? null : `${visit}`,
            bytes: 1,
            duration: 0.1,
            fault: null,
          },
        },
      ])
    }
  }
  return store
}

const parts = (store: Store) => ({
  store,
  collection,
  worker: 'test',
  random: new Random(5),
  budget: { perPage: 0.5 },
  pause: async () => {},
})

async function all(store: Store): Promise<readonly PageRecord[]> {
  return (await store.listPages({ collection, limit: 1000 })).pages
}

describe('Controller', () => {
  const now = start + 9 * DAY + HOUR

  it('rebuilds the states of another learner from the recorded visits, and plans anew', async () => {
    const store = await followed(40, { visits: 10 })
    const controller = await CollectionController.open(parts(store))
    await controller.refresh({ now })
    for (const page of await all(store)) {
      expect(page.state!.learner).toBe('auto/auto')
      // Visits and changes, in front of the learner's own numbers.
      expect(stateSummary(page.state)).toMatchObject({ visits: 10, changes: page.changes })
      expect(page.due.at).toBeGreaterThan(now)
    }
    // Pages that changed daily are believed to change sooner than those that did every fourth day.
    const [daily, fourth] = (await all(store)).flatMap((page, i) =>
      i === 0 || i === 3
        ? controller.planners.learnerFor(page).changePeriod(controller.planners.memoryOf(page)!)
        : [],
    )
    expect(daily).toBeLessThan(0.6 * fourth!)
  })

  it('sets a price at which its pages ask for the budget, and keeps it over a restart', async () => {
    const store = await followed(60, { visits: 8 })
    const controller = await CollectionController.open(parts(store))
    await controller.refresh({ now })
    const { ledger, planners } = controller
    const pages = (await all(store)).map((page) => planners.planPage(page, now))
    const asked = visitsAtPrice(overTheWeek(pages), {
      price: controller.price,
      objective: 'freshness',
    })
    // Half a visit a day of 60 pages; gaps are chosen among whole hours, so not to the last visit.
    expect(Math.abs(asked / 30 - 1)).toBeLessThan(0.1)
    const again = await CollectionController.open(parts(store))
    expect(again.ledger).toEqual(ledger)
    expect(again.planners.prior).toEqual(planners.prior)
    expect(await again.isDue(now + HOUR)).toBe(false)
    expect(await again.isDue(now + DAY)).toBe(true)
    const richer = await CollectionController.open({ ...parts(store), budget: { perPage: 2 } })
    expect(await richer.isDue(now + HOUR)).toBe(true)
    await richer.refresh({ now: now + HOUR })
    expect(richer.price).toBeLessThan(controller.price / 2)
  })

  it('keeps the budget with several objectives, each at its own price and share', async () => {
    const store = await followed(60, { visits: 8 })
    const objectiveFor = ({ host }: PageRecord) =>
      host === 'h0.example' ? 'delay' : host === 'h1.example' ? 'changes-caught' : 'freshness'
    const controller = await CollectionController.open({ ...parts(store), objectiveFor })
    await controller.refresh({ now })
    const { planners } = controller
    const pages = overTheWeek((await all(store)).map((page) => planners.planPage(page, now)))
    for (const [objective, count] of [
      ['freshness', 36],
      ['delay', 12],
      ['changes-caught', 12],
    ] as const) {
      const own = pages.filter((page) => page.objective === objective)
      expect(own).toHaveLength(count)
      const asked = visitsAtPrice(own, { price: controller.priceFor(objective), objective })
      expect(Math.abs(asked / (0.5 * count) - 1), objective).toBeLessThan(0.15)
    }
    expect(Object.keys(controller.ledger!.prices!).sort()).toEqual(['changes-caught', 'delay'])
    // Over a restart, and by what is planned.
    const again = await CollectionController.open({ ...parts(store), objectiveFor })
    expect(again.priceFor('delay')).toBe(controller.priceFor('delay'))
    expect(again.ledger).toEqual(controller.ledger)
  })

  it('plans anew, at a price found for it, when the objective of all is another', async () => {
    const store = await followed(40, { visits: 10 })
    const first = await CollectionController.open({ ...parts(store), terms: () => 'auto' })
    await first.begin(now)
    const before = (await all(store)).map(({ due }) => due.at)
    const other = await CollectionController.open({
      ...parts(store),
      terms: () => 'auto, for changes-caught',
      objectiveFor: () => 'changes-caught',
    })
    await other.begin(now)
    const price = other.ledger!.prices!['changes-caught']!
    expect(price).toBeGreaterThan(0)
    expect(price).toBeLessThan(1)
    const moved = (await all(store)).filter(({ due }, i) => due.at !== before[i])
    expect(moved.length).toBeGreaterThan(0)
    for (const { due } of moved) expect(due.reason).toMatch(/objective: changes-caught|none waits/)
  })

  it('learns a prior of the collection and of its hosts', async () => {
    const store = await followed(40, { visits: 10 })
    const controller = await CollectionController.open(parts(store))
    await controller.refresh({ now })
    const prior = controller.planners.prior!
    expect(prior.whole.pages).toBe(40)
    expect(Object.keys(prior.groups).sort()).toEqual(
      [0, 1, 2, 3, 4].map((host) => `h${host}.example`),
    )
    expect(prior.whole.masses.reduce((a, b) => a + b)).toBeCloseTo(1, 4)
  })

  it('leaves pages with a policy of their own to it, and their visits out of the budget', async () => {
    const store = await followed(40, { visits: 10 })
    const own: Planner = { policy: fixed({ gap: 3 * HOUR }), learner: null }
    const isOwn = (page: PageRecord) => page.host === 'h0.example'
    const controller = await CollectionController.open({
      ...parts(store),
      ownPlanner: (page) => (isOwn(page) ? own : null),
    })
    await controller.refresh({ now })
    const without = await CollectionController.open(parts(await followed(40, { visits: 10 })))
    await without.refresh({ now })
    for (const page of (await all(store)).filter(isOwn))
      expect(page.state!.learner).toBe('fixed/none')
    // Eight pages every three hours leave nothing but the least share to the others.
    expect(controller.price).toBeGreaterThan(2 * without.price)
  })

  it('scans once a day also where many pages are gone, failing or of policies of their own', async () => {
    const store = await followed(40, { visits: 10 })
    const own: Planner = { policy: fixed({ gap: 3 * HOUR }), learner: null }
    const ownPlanner = (page: PageRecord) => (/^h[01]\./.test(page.host) ? own : null)
    const controller = await CollectionController.open({ ...parts(store), ownPlanner })
    await controller.refresh({ now })
    expect(controller.ledger!.pages).toBe(24)
    expect(await controller.isDue(now + HOUR)).toBe(false)
    expect(await controller.isDue(now + DAY)).toBe(true)
    const pages = Array.from({ length: 12 }, (_, i) => ({ url: `http://h9.example/${i}` }))
    await store.addPages({ collection, pages, now })
    expect(await controller.isDue(now + HOUR)).toBe(true)
  })

  it('plans all visits anew where policy or limits are others than at the last run', async () => {
    const store = await followed(12, { visits: 10 })
    const first = await CollectionController.open({ ...parts(store), terms: () => 'auto' })
    await first.begin(now)
    const before = await all(store)
    await (await CollectionController.open({ ...parts(store), terms: () => 'auto' })).begin(now)
    expect(await all(store)).toEqual(before)
    const planner: Planner = { policy: fixed({ gap: 6 * HOUR }), learner: null }
    const other = await CollectionController.open({
      ...parts(store),
      ownPlanner: () => planner,
      terms: () => 'fixed',
    })
    await other.begin(now)
    for (const { due, lastSeen } of await all(store)) {
      // Last seen an hour ago.
      expect(due.at).toBe(lastSeen! + 6 * HOUR)
      expect(due.reason).toContain('every page every 6 hours')
    }
    const limitsFor = () => ({ maxGap: 2 * HOUR })
    await (
      await CollectionController.open({ ...parts(store), limitsFor, terms: () => 'auto, to 7200' })
    ).begin(now)
    for (const { due, lastSeen } of await all(store))
      expect(due.at).toBeLessThanOrEqual(lastSeen! + 2 * HOUR)
  })

  it('lets a page that is overdue by a short gap wait for no longer than the gap', async () => {
    const store = await followed(5, { visits: 4 })
    const planner: Planner = { policy: fixed({ gap: 60 }), learner: null }
    const controller = await CollectionController.open({
      ...parts(store),
      ownPlanner: () => planner,
    })
    for (const page of await all(store)) {
      const { due } = await controller.planAnew(page, now)
      expect(due.at).toBeGreaterThanOrEqual(now)
      expect(due.at).toBeLessThanOrEqual(now + 60)
    }
  })

  it('gives a page never seen a posterior, and stops when told to', async () => {
    const store = openMemoryStore()
    await store.addPages({ collection, pages: [{ url: 'http://a.example/' }], now: start })
    const controller = await CollectionController.open(parts(store))
    const [page] = await all(store)
    const posterior = controller.planners.posteriorAt(page!)
    expect(posterior.masses.reduce((a, b) => a + b)).toBeCloseTo(1, 9)
    await controller.refresh({ now: start, signal: AbortSignal.abort() })
    expect(controller.ledger).toBeNull()
    await controller.begin(start)
    expect(controller.ledger!.price).toBeGreaterThan(0)
  })
})

describe('a budget that is changed', () => {
  const now = start + 9 * DAY + HOUR

  it('moves price and due times, is kept over a restart, and gives way to a newer configuration', async () => {
    const store = await followed(60, { visits: 10 })
    const controller = await CollectionController.open(parts(store))
    await controller.refresh({ now })
    const [price, before] = [controller.price, await all(store)]
    await controller.changeBudget(6)
    expect(await controller.isDue(now)).toBe(true)
    await controller.settle({ now })
    expect(controller.price).toBeGreaterThan(2 * price)
    const after = await all(store)
    const later = after.filter(({ due }, i) => due.at > before[i]!.due.at)
    // Pages that change daily were not worth a request before, and wait as long as any may.
    const waited = before.filter(({ due, lastSeen }) => Number(due.at) - lastSeen! > 85 * DAY)
    expect(later.length).toBe(60 - waited.length)
    expect(waited.length).toBeLessThanOrEqual(15)
    const again = await CollectionController.open(parts(store))
    expect([again.budget, again.price]).toEqual([{ perDay: 6 }, controller.price])
    const reported = await CollectionController.open({ ...parts(store), budget: { perPage: 0.4 } })
    expect(reported.budget).toEqual({ perPage: 0.4 })
    await again.changeBudget(null)
    expect(again.budget).toEqual({ perPage: 0.5 })
  })

  it('leaves a page due that a neighbour has called for', async () => {
    const store = await followed(20, { visits: 10 })
    const controller = await CollectionController.open(parts(store))
    await controller.refresh({ now })
    const [page] = await all(store)
    const due = { at: now + 10, reason: 'a page of its site was found changed at 12:00 UTC' }
    await store.changePage(page!, { due })
    await controller.changeBudget(2)
    await controller.settle({ now })
    expect((await all(store))[0]!.due).toEqual(due)
  })

  it('is heard of by another process on the same store', async () => {
    const store = await followed(10, { visits: 3 })
    const [one, other] = [
      await CollectionController.open(parts(store)),
      await CollectionController.open(parts(store)),
    ]
    await other.refresh({ now })
    expect(await other.isDue(now)).toBe(false)
    await one.changeBudget(50)
    expect(await other.isDue(now)).toBe(true)
    expect(other.budget).toEqual({ perDay: 50 })
  })

  it('leaves the price at six hours of freshness where there is none', async () => {
    const store = await followed(10, { visits: 3 })
    const controller = await CollectionController.open({ ...parts(store), budget: null })
    await controller.changeBudget(50)
    await controller.settle({ now })
    expect(controller.price).not.toBe(6 * HOUR)
    await controller.changeBudget(null)
    expect(controller.price).toBe(6 * HOUR)
  })
})
