import { describe, expect, it } from 'vitest'
import { DAY } from '../../src/model/units.js'
import { Random } from '../../src/numeric/random.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { SharedBudget } from '../../src/visit/politeness/day-budget.js'
import { HostGate } from '../../src/visit/politeness/host-gate.js'
import { VirtualClock } from '../fixtures/clocks.js'

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
    const budget = new SharedBudget({ gate, now: () => clock.now(), add })
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
    for (let more = 1; more < requestsPerDay; more++) one.gate.reserve('b.test', 0)
    await one.budget.settle()
    await two.visit('c.test')
    expect(made).toEqual(['0 a.test'])
    clock.at += DAY
    await two.visit('c.test')
    expect(made).toEqual(['0 a.test', '1 c.test'])
    expect(two.gate.today).toEqual({ day: 101, requests: 1 })
  })
})
