import { expect, it } from 'vitest'
import { HostGate } from '../../src/visit/politeness/host-gate.js'
import { HostTurns } from '../../src/visit/politeness/host-turns.js'

const now = 1.7e9
const host = 'b.test'

it('lets as many wait as will have their turn, and tells the others when to come back', async () => {
  const clock = { now: () => now, sleep: () => new Promise<void>(() => {}) }
  const gate = new HostGate({ clock, politeness: { delay: 10 } })
  const turns = new HostTurns(gate)
  expect(gate.tryEnter(host).admitted).toBe(true)
  const patience = turns.patience(host)
  expect(patience).toBe(30)
  const settled: number[] = []
  for (const each of [1, 2, 3]) void turns.enter(host, { patience }).then(() => settled.push(each))
  expect(await turns.enter(host, { patience })).toEqual({ admitted: false, at: now + 40 })
  expect(await turns.enter(host, { patience })).toEqual({ admitted: false, at: now + 50 })
  expect(settled).toEqual([])
})
