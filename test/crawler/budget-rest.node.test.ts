import { expect, it } from 'vitest'
import { BarrelCycles } from '../../src/crawler/barrels.js'
import { Cycle } from '../../src/crawler/loop.js'
import { malcolmArmitageLearner } from '../../src/estimators/rate/malcolm-armitage.js'
import type { PoliteVisit } from '../../src/model/fetcher.js'
import { DAY } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { malcolmArmitage } from '../../src/policies/malcolm-armitage.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { VirtualClock } from '../fixtures/virtual-clock.js'
import { visitorOf, type WholeVisits } from '../fixtures/whole-visits.js'

const collection = 'c'
const tomorrow = 20_000 * DAY
const start = tomorrow - 1000
const pages = Array.from({ length: 40 }, (_, i) => ({ url: `http://h${i % 20}.example/${i}` }))

/** A loop whose budget lets so many visits be made before tomorrow. */
async function budgeted(budget: number, Loop: typeof Cycle | typeof BarrelCycles = Cycle) {
  const clock = new VirtualClock(start)
  const store = await openMemoryStore()
  await store.addPages({ collection, pages, now: start })
  const asked: number[] = []
  let made = 0
  const web: WholeVisits = {
    async visit({ url }): Promise<PoliteVisit> {
      const at = clock.now()
      asked.push(at)
      if (at < tomorrow && made >= budget) return { kind: 'spent', until: tomorrow, hosts: [] }
      made++
      const reported = { status: 200, at, url, headers: {}, bytesReceived: 1 }
      const answer = { ...reported, kind: 'content', body: new Uint8Array([1]) } as const
      return { kind: 'answered', answer, hosts: [] }
    },
  }
  const planner = { policy: malcolmArmitage(), learner: malcolmArmitageLearner }
  const cycle = new Loop(
    {
      store,
      visitor: visitorOf(web),
      clock,
      reader: { read: () => ({ fingerprint: 'x' }), lastModified: () => undefined },
      random: new Random(1),
      plannerFor: () => planner,
    },
    { collection, worker: 'w', concurrency: 4, ahead: 4 },
  )
  const opens: number[] = []
  const onSpent = (at: number) => void opens.push(at)
  const due = () => store.countPages({ collection, dueBy: clock.now() })
  /** Whether every page that is due can be had at once: none is held, and no host rests. */
  const free = async () => {
    const terms = { collection, limit: 100, perHost: 100, ttl: 1, worker: 'other' }
    const leases = await store.leaseDue({ ...terms, now: clock.now() })
    await store.releaseLeases(leases)
    return leases.length
  }
  return { cycle, clock, asked, opens, onSpent, due, free }
}

it('a run that is to end ends where the budget does, and leaves all pages and hosts as they were', async () => {
  const { cycle, clock, asked, opens, onSpent, due, free } = await budgeted(10)
  await cycle.run({ once: true, onSpent })
  expect(clock.now()).toBeLessThan(start + 60)
  expect([await due(), await free()]).toEqual([30, 30])
  expect(new Set(opens)).toEqual(new Set([tomorrow]))
  // Those that were under way when the first heard of it, and no more.
  expect(asked.length).toBeLessThanOrEqual(10 + 4)
})

it('so does a run with crawlers of barrels, whichever of them hears of it', async () => {
  const { cycle, clock, onSpent, due, free } = await budgeted(10, BarrelCycles)
  await cycle.run({ once: true, onSpent })
  expect(clock.now()).toBeLessThan(start + 60)
  expect([await due(), await free()]).toEqual([30, 30])
})

it('a loop rests meanwhile, asks now and then, and goes on when the budget opens', async () => {
  const { cycle, asked, onSpent, due } = await budgeted(10)
  await cycle.run({ until: tomorrow + 100, onSpent })
  expect(await due()).toBe(0)
  const before = asked.filter((at) => at < tomorrow)
  // A thousand seconds, a poll a minute, four visits at once.
  expect(before.length - 10).toBeLessThanOrEqual((1000 / 60 + 2) * 4)
  expect(asked.length - before.length).toBeGreaterThanOrEqual(30)
})
