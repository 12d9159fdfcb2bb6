import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outcomes } from '../../src/model/history.js'
import type { Lease } from '../../src/model/lease.js'
import { type PageRecord, pageSorts } from '../../src/model/page.js'
import type { Store } from '../../src/model/store.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { openPostgresStore } from '../../src/store/postgres/store.js'
import { openSqliteStore } from '../../src/store/sqlite/store.js'
import { aVisit } from '../fixtures/a-visit.js'
import { newDatabase, newSchema } from '../fixtures/postgres.js'
import { tempFolder } from '../fixtures/temp-folder.js'

const collections = ['c1', 'c2']
const start = 1_700_000_000
const retention = { newest: 2, youngerThan: 25 }

/** What both stores have been through; leases are named by their place in this list. */
interface Run {
  now: number
  leases: Lease[]
}

type Act = (store: Store, run: Run) => Promise<unknown>
type Step =
  | { readonly kind: 'act'; readonly name: string; readonly act: Act }
  | { readonly kind: 'pass'; readonly time: number }
  | { readonly kind: 'crash' | 'reopen' }

const hostNames = [0, 1, 2].map((host) => `h${host}.example`)
const collection = fc.constantFrom(...collections)
const url = fc
  .record({ host: fc.integer({ min: 0, max: 2 }), page: fc.integer({ min: 0, max: 3 }) })
  .map(({ host, page }) => `https://h${host}.example/${page}`)
const soon = fc.integer({ min: -20, max: 20 })
const dueSoon = fc.option(soon, { nil: null })
const due = (at: number | null, now: number) => ({
  at: at === null ? ('never' as const) : now + at,
  reason: `in ${at}`,
})
const step = (name: string, act: Act): Step => ({ kind: 'act', name, act })

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ collection, urls: fc.array(url, { maxLength: 4 }), dueSoon }).map((of) =>
      step('add', (store, { now }) =>
        store.addPages({
          collection: of.collection,
          now,
          pages: of.urls.map((each) => ({ url: each, due: due(of.dueSoon, now) })),
        }),
      ),
    ),
  },
  {
    weight: 5,
    arbitrary: fc
      .record({
        collection,
        limit: fc.integer({ min: 0, max: 5 }),
        perHost: fc.integer({ min: 1, max: 3 }),
        further: fc.integer({ min: 0, max: 3 }),
        ttl: fc.integer({ min: 1, max: 30 }),
        worker: fc.constantFrom('w1', 'w2'),
      })
      .map(({ further, ...of }) =>
        step('lease', (store, { now }) =>
          store.leaseDue({ ...of, ahead: of.perHost + further, now }),
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({
        pages: fc.array(fc.record({ collection, url }), { minLength: 1, maxLength: 4 }),
        ttl: fc.integer({ min: 1, max: 30 }),
        room: fc.option(fc.constantFrom({ perHost: 1 }, { perHost: 1, ahead: 3 }), { nil: {} }),
        worker: fc.constantFrom('w1', 'w3'),
      })
      .map(({ room, ...of }) =>
        step('lease by name', (store, { now }) => store.leasePages({ ...of, ...room, now })),
      ),
  },
  {
    weight: 6,
    arbitrary: fc
      .record({
        picks: fc.array(fc.nat(40), { maxLength: 4 }),
        outcome: fc.constantFrom(...outcomes),
        dueSoon,
        keepLease: fc.boolean(),
        body: fc.option(fc.constantFrom('x', 'y', 'z'), { nil: null }),
        block: dueSoon,
        unchangedFor: fc.option(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), { nil: null }),
      })
      .map((of) =>
        step('record', async (store, { now, leases }) =>
          store.recordVisits(
            of.picks.flatMap((pick) => {
              const lease = leases[pick % Math.max(1, leases.length)]
              if (lease === undefined) return []
              return [
                {
                  lease,
                  visit: aVisit({
                    ...{ at: now, outcome: of.outcome, fingerprint: of.body },
                    ...(of.unchangedFor === null ? {} : { unchangedFor: of.unchangedFor }),
                  }),
                  due: due(of.dueSoon, now),
                  state: { learner: 'l', numbers: Float64Array.of(now, 0, pick) },
                  keepLease: of.keepLease,
                  host: {
                    host: lease.page.host,
                    state: { pick },
                    blockedUntil: of.block === null ? null : now + of.block,
                  },
                  ...(of.body === null ? {} : { content: { body: Buffer.from(of.body) } }),
                },
              ]
            }),
          ),
        ),
      ),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({
        host: fc.constantFrom(...hostNames),
        worker: fc.constantFrom('w1', 'w2'),
        ttl: fc.integer({ min: 1, max: 30 }),
        given: fc.boolean(),
      })
      .map(({ given, ...of }) =>
        step('hold', async (store, { now }) => {
          const hold = await store.holdHost({ ...of, now })
          if (hold === null || !given) return hold
          const fence = { token: hold.token, step: 1 }
          const record = { host: of.host, state: { held: hold.token }, blockedUntil: null, fence }
          return [hold, await store.releaseHost(hold, record)]
        }),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .nat(40)
      .map((pick) =>
        step('release', (store, { leases }) => store.releaseLeases(leases.slice(pick, pick + 2))),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ pick: fc.nat(40), soon })
      .map((of) =>
        step('extend', (store, { leases, now }) =>
          store.extendLeases(leases.slice(of.pick, of.pick + 2), { until: now + of.soon }),
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ collection, url, dueSoon })
      .map((of) =>
        step('change', async (store, { now }) =>
          plain(await store.changePage(of, { due: due(of.dueSoon, now), importance: 2 })),
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ collection, url })
      .map((of) => step('remove', (store) => store.removePages([of]))),
  },
  {
    weight: 1,
    arbitrary: collection.map((of) =>
      step('prune', (store, { now }) =>
        store.prune({ collection: of, now, retention: { newest: 1, youngerThan: 10 } }),
      ),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant(step('release worker', (store) => store.releaseWorker('w1'))),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        name: fc.constantFrom('scan c1', 'scan c2'),
        worker: fc.constantFrom('w1', 'w2'),
        ttl: fc.integer({ min: 1, max: 30 }),
        released: fc.boolean(),
      })
      .map(({ released, ...of }) =>
        step('chore', async (store, { now }) =>
          released ? store.releaseChore(of) : store.holdChore({ ...of, now }),
        ),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('w1', 'w2')
      .map((name) =>
        step('sign of life', (store, { now }) =>
          store.noteWorker({ name, role: 'run', version: '1', now }),
        ),
      ),
  },
  {
    weight: 4,
    arbitrary: fc.integer({ min: 1, max: 15 }).map((time): Step => ({ kind: 'pass', time })),
  },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ kind: 'crash' }, { kind: 'reopen' }) },
)

/** Ids are each store's own. */
function plain(page: PageRecord | null) {
  return page === null ? null : { ...page, id: '' }
}

function plainAnswer(answer: unknown) {
  if (!Array.isArray(answer)) return answer
  return answer.map((each) =>
    typeof each === 'object' && 'token' in each ? { ...each, page: plain(each.page) } : each,
  )
}

/** Everything that can be asked. */
async function wholeState(store: Store, now: number) {
  const perCollection = collections.map(async (name) => {
    const lists = pageSorts.map((sort) => store.listPages({ collection: name, limit: 50, sort }))
    const pages = (await Promise.all(lists)).map((list) => list.pages.map(plain))
    const details = (pages[0] ?? []).map(async (page) => ({
      visits: await store.visitsOf({ collection: name, url: page!.url }),
      versions: await store.versionsOf({ collection: name, url: page!.url }),
    }))
    return {
      pages,
      details: await Promise.all(details),
      visits: (await store.listVisits({ collection: name, limit: 999 })).visits,
      health: await store.health({ collection: name, now }),
      next: await Promise.all(
        [1, 2, 3].flatMap((perHost) => [
          store.nextDue({ collection: name, now, perHost }),
          ...hostNames.map((host) => store.nextDue({ collection: name, now, perHost, host })),
        ]),
      ),
    }
  })
  const hosts = hostNames.map((host) => store.getHost(host))
  const { packedBytes: _, ...totals } = await store.totals()
  return {
    per: await Promise.all(perCollection),
    hosts: await Promise.all(hosts),
    totals,
    chores: await store.chores(),
    workers: await store.workers({ now }),
  }
}

/** A kind of store, and how many of them are made: a server takes longer for each. */
interface Kind {
  readonly name: string
  readonly runs: number
  /** A way to open a new store again and again. */
  begin(): Promise<() => Promise<Store>>
}

const kinds: readonly Kind[] = [
  {
    name: 'SQLite',
    runs: 25,
    async begin() {
      const path = join(tempFolder(), 'revisit.db')
      return () => openSqliteStore({ path, retention })
    },
  },
  {
    name: 'PostgreSQL',
    runs: 8,
    async begin() {
      const url = newSchema(await database())
      return () => openPostgresStore({ url, retention, connections: 2 })
    },
  },
]

let made: Promise<string> | undefined
function database(): Promise<string> {
  made ??= newDatabase()
  return made
}

describe.each(kinds)('$name and memory', ({ begin, runs }) => {
  it('give the same answers to the same calls, over crashes and reopenings', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 10, maxLength: 60 }), async (all) => {
        const open = await begin()
        const memory = openMemoryStore({ retention })
        let stored = await open()
        const abandoned: Store[] = []
        const inMemory: Run = { now: start, leases: [] }
        const inStore: Run = { now: start, leases: [] }
        for (const each of all) {
          if (each.kind === 'pass') {
            inMemory.now += each.time
            inStore.now += each.time
          } else if (each.kind === 'act') {
            const expected = await each.act(memory, inMemory)
            const answer = await each.act(stored, inStore)
            expect(plainAnswer(answer), each.name).toEqual(plainAnswer(expected))
            if (each.name.startsWith('lease')) {
              inMemory.leases.push(...(expected as Lease[]))
              inStore.leases.push(...(answer as Lease[]))
            }
          } else {
            // A crash leaves the old connection as a killed process would: a file with its log.
            if (each.kind === 'crash') abandoned.push(stored)
            else await stored.close()
            stored = await open()
          }
        }
        const { now } = inMemory
        expect(await wholeState(stored, now)).toEqual(await wholeState(memory, now))
        expect(await stored.check()).toEqual([])
        for (const store of [...abandoned, stored, memory]) await store.close()
      }),
      { seed: 6, numRuns: runs },
    )
  })

  it('lease at the next due time, and not before', async () => {
    const acts = steps.filter((each) => each.kind !== 'crash' && each.kind !== 'reopen')
    await fc.assert(
      fc.asyncProperty(
        fc.array(acts, { minLength: 5, maxLength: 40 }),
        fc.integer({ min: 1, max: 3 }),
        async (all, perHost) => {
          const store = await (await begin())()
          const run: Run = { now: start, leases: [] }
          for (const each of all) {
            if (each.kind === 'pass') run.now += each.time
            if (each.kind !== 'act') continue
            const answer = await each.act(store, run)
            if (each.name.startsWith('lease')) run.leases.push(...(answer as Lease[]))
          }
          const ask = { collection: 'c1', perHost, limit: 1, ttl: 1, worker: 'w' }
          const next = await store.nextDue({ ...ask, now: run.now })
          const before = next === null ? run.now + 1e9 : next - 0.5
          if (before >= run.now) expect(await store.leaseDue({ ...ask, now: before })).toEqual([])
          if (next !== null) expect(await store.leaseDue({ ...ask, now: next })).toHaveLength(1)
          await store.close()
        },
      ),
      { seed: 7, numRuns: runs },
    )
  })
})
