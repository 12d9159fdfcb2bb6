import { describe, expect, it } from 'vitest'
import { Chore } from '../../src/crawler/processes/chore.js'
import { StoreClock } from '../../src/crawler/processes/store-clock.js'
import { mayRun, workerName } from '../../src/crawler/processes/worker-name.js'
import { openMemoryStore } from '../../src/store/memory/store.js'
import { VirtualClock } from '../fixtures/virtual-clock.js'

const start = 1_700_000_000

function twoWorkers() {
  const store = openMemoryStore()
  const clock = new VirtualClock(start)
  const chore = (worker: string) => new Chore({ store, clock, worker, name: 'scan c' })
  return { store, clock, one: chore('w1'), two: chore('w2') }
}

describe('a chore', () => {
  it('is done by one worker at a time, and given back', async () => {
    const { store, one, two } = twoWorkers()
    const done: string[] = []
    const first = await one.attempt(async () => {
      expect(await two.attempt(async () => void done.push('two'))).toBe(false)
      done.push('one')
    })
    expect(first).toBe(true)
    expect(await store.chores()).toEqual([])
    expect(await two.attempt(async () => void done.push('two, later'))).toBe(true)
    expect(done).toEqual(['one', 'two, later'])
  })

  it('is given back where it fails, and the failure is told', async () => {
    const { store, one } = twoWorkers()
    const broken = one.attempt(() => Promise.reject(new Error('no disk')))
    await expect(broken).rejects.toThrow('no disk')
    expect(await store.chores()).toEqual([])
  })

  it('is renewed between slices, however long it takes', async () => {
    const { clock, one, two } = twoWorkers()
    await one.attempt(async () => {
      for (let slice = 0; slice < 20; slice++) {
        await clock.sleep(9)
        await one.renew()
        expect(await two.attempt(async () => {})).toBe(false)
      }
    })
  })

  it('is lost by a worker that stood still, which ends its work and takes nothing back', async () => {
    const { store, clock, one } = twoWorkers()
    const done: string[] = []
    const first = await one.attempt(async () => {
      await clock.sleep(31)
      await store.holdChore({ name: 'scan c', worker: 'w2', now: clock.now(), ttl: 30 })
      await one.renew()
      done.push('too late')
    })
    expect(first).toBe(false)
    expect(done).toEqual([])
    expect(await store.chores()).toMatchObject([{ worker: 'w2' }])
  })

  it('is waited for', async () => {
    const { store, clock, one } = twoWorkers()
    await store.holdChore({ name: 'scan c', worker: 'killed', now: start, ttl: 30 })
    await one.whenFree(async () => expect(clock.now()).toBe(start + 30))
    const stop = AbortSignal.abort()
    await store.holdChore({ name: 'scan c', worker: 'w2', now: clock.now(), ttl: 30 })
    await one.whenFree(() => Promise.reject(new Error('not ours')), stop)
  })
})

describe('the clock of a store', () => {
  it('is the store’s where it has one, whatever the machine’s says', async () => {
    const machine = new VirtualClock(start + 30)
    const clock = new StoreClock(machine)
    await clock.follow({ now: async () => null })
    expect(clock.now()).toBe(start + 30)
    await clock.follow({ now: async () => start })
    expect(clock.now()).toBe(start)
    await machine.sleep(100)
    expect(clock.now()).toBe(start + 100)
    expect(clock.ahead).toBe(-30)
  })

  it('is the store’s time in the middle of the call, and none of a call that took long', async () => {
    const machine = new VirtualClock(start)
    const clock = new StoreClock(machine)
    let ahead = 60
    const calls: number[] = []
    /** Calls that take so long, all of it before the answer is made. */
    const taking = (...times: number[]) => ({
      async now() {
        const time = times.length > 1 ? times.shift()! : times[0]!
        calls.push(time)
        await machine.sleep(time)
        return machine.now() + ahead
      },
    })
    // The process stood still in the first call: it is asked again, for as long as that helps.
    await clock.follow(taking(8, 0.02, 100))
    expect(clock.ahead).toBeCloseTo(60.01, 6)
    expect(calls).toEqual([8, 0.02])
    await clock.follow(taking(10))
    expect(clock.ahead).toBeCloseTo(60.01, 6)
    // A clock was set: what is known cannot be right any more.
    ahead = 0
    await clock.follow(taking(1))
    expect(clock.ahead).toBeCloseTo(0.5, 6)
    await clock.follow(taking(0.02))
    expect(clock.ahead).toBeCloseTo(0.01, 6)
  })
})

describe('parts of a process', () => {
  it('are known to be gone with it', () => {
    const name = workerName()
    expect(mayRun(`${name}:plan`)).toBe(true)
    const other = workerName(2 ** 22 + 1)
    expect(mayRun(`${other}:plan`)).toBe(false)
    expect(mayRun(`${other} notifier`)).toBe(false)
  })
})
