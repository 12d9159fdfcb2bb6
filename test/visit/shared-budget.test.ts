import { describe, expect, it } from 'vitest'
import { DAY } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { SharedBudget } from '../../src/visit/politeness/day-budget.js'
import { HostGate } from '../../src/visit/politeness/host-gate.js'
import { VirtualClock } from '../fixtures/clocks.js'
import { TimeLine } from '../fixtures/time-line.js'

const requestsPerDay = 10
const collection = 'c'

/** Processes of one store, each with a gate of its own. */
function processes(count: number) {
  const clock = new VirtualClock(100 * DAY)
  const store = openMemoryStore()
  const made: string[] = []
  const random = new Random(3)
  const all = Array.from({ length: count }, (_, process) => {
    const gate = new HostGate({ clock, politeness: { delay: 0, requestsPerDay } })
    const add = async (more: { day: number; requests: number }) => {
      for (let wait = random.below(4); wait > 0; wait--) await Promise.resolve()
      return (await store).addToDay(collection, 'requests-today', more)
    }
    const budget = new SharedBudget({ gate, clock, add })
    const visit = (host: string) =>
      budget.claimed(async () => {
        const admission = gate.tryEnter(host)
        if (!admission.admitted) return
        made.push(`${process} ${host}`)
        for (let wait = random.below(4); wait > 0; wait--) await Promise.resolve()
        admission.permit.release('redirected')
      })
    return { gate, budget, visit }
  })
  const stored = async () => (await store).getSetting(collection, 'requests-today')
  return { clock, all, made, stored }
}

describe('SharedBudget', () => {
  it('is never overdrawn by processes that visit at the same time, and is used up', async () => {
    const { all, made, stored } = processes(3)
    for (let turn = 0; turn < 6; turn++)
      await Promise.all(
        all.flatMap(({ visit }, at) => [0, 1].map((place) => visit(`h${turn}-${at}-${place}`))),
      )
    expect(made.length).toBeLessThanOrEqual(requestsPerDay)
    for (const { budget } of all) await budget.settle()
    for (let left = 0; left < requestsPerDay; left++) await all[left % 3]!.visit(`last-${left}`)
    for (const { budget } of all) await budget.settle()
    expect(made).toHaveLength(requestsPerDay)
    expect(await stored()).toEqual({ day: 100, requests: requestsPerDay })
  })

  it('counts what a visit asked for beyond its first request, and opens again the next day', async () => {
    const { clock, all, made } = processes(2)
    const [one, two] = [all[0]!, all[1]!]
    await one.visit('a.test')
    for (let more = 1; more < requestsPerDay; more++) {
      const entered = await one.gate.enter('b.test', { patience: 0 })
      if (entered.admitted) entered.permit.release('redirected')
    }
    expect(one.gate.ours.requests).toBe(requestsPerDay)
    await one.budget.settle()
    await two.visit('c.test')
    expect(made).toEqual(['0 a.test'])
    clock.at += DAY
    await two.visit('c.test')
    expect(made).toEqual(['0 a.test', '1 c.test'])
    expect(two.gate.today).toEqual({ day: 101, requests: 1 })
  })
})

describe('a day of 10,000 requests, shared by four processes', () => {
  const budget = 10_000

  /** Four processes that make visits of 10 to 40 ms, eight at a time, until the budget is used up or they are killed. */
  async function day({ kill }: { readonly kill: number }) {
    const time = new TimeLine(100 * DAY + 3600)
    const store = openMemoryStore()
    const random = new Random(7)
    const writes: number[][] = []
    const counts = { made: 0, most: 0 }
    const workers = Array.from({ length: 4 }, async (_, worker) => {
      const gate = new HostGate({ clock: time, politeness: { delay: 0, requestsPerDay: budget } })
      const wrote: number[] = []
      writes.push(wrote)
      const shared = new SharedBudget({
        gate,
        clock: time,
        async add(more) {
          wrote.push(time.now())
          await time.sleep(0.002)
          return store.addToDay(collection, 'requests-today', more)
        },
      })
      const dies = worker < kill ? 2 + worker : Infinity
      const lives = () => time.now() - 100 * DAY - 3600 < dies
      let spent = false
      const ask = async (host: string) => {
        const entered = await gate.enter(host, { patience: 1 })
        spent ||= !entered.admitted
        if (!entered.admitted || !lives()) return
        counts.made++
        await time.sleep(0.01 + 0.03 * random.uniform())
        entered.permit.release('redirected')
      }
      const visits = Array.from({ length: 8 }, async (_, place) => {
        while (!spent && lives()) {
          const host = `h${worker}-${place}`
          await shared.claimed(() => ask(host))
          // A redirect now and then: a request that nobody has claimed yet.
          if (random.uniform() < 0.1 && lives()) await ask(host)
        }
      })
      await Promise.all(visits)
      if (lives()) await shared.settle()
    })
    await time.until(Promise.all(workers))
    const stored = await store.getSetting(collection, 'requests-today')
    return { ...counts, writes, stored, took: time.now() - 100 * DAY - 3600 }
  }

  it('is used up, never overdrawn, with two writes a second and process', async () => {
    const { made, writes, stored, took } = await day({ kill: 0 })
    expect(made).toBeLessThanOrEqual(budget)
    expect(made).toBeGreaterThanOrEqual(0.98 * budget)
    expect(stored).toEqual({ day: 100, requests: made })
    // Visits went on at full speed: 32 at a time, of 25 ms each.
    expect(took).toBeLessThan(30)
    for (const wrote of writes) {
      const claims = wrote.slice(0, -1)
      const gaps = claims.slice(1).map((at, i) => at - claims[i]!)
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0.5 - 1e-6)
      expect(wrote.length).toBeLessThanOrEqual(2 * took + 2)
    }
  })

  it('is never overdrawn when two of them are killed', async () => {
    const { made, stored } = await day({ kill: 2 })
    expect(made).toBeLessThanOrEqual(budget)
    // What they had claimed is lost, no more: some seconds of their visits.
    expect(made).toBeGreaterThan(0.5 * budget)
    expect((stored as { requests: number }).requests).toBeLessThanOrEqual(budget)
  })
})
