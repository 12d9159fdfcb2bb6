import { describe, expect, it } from 'vitest'
import { SteppingClock } from '../../../src/lab/demo-web/clocks.js'

describe('SteppingClock', () => {
  it('steps to whoever wakes first, once everybody sleeps', async () => {
    const clock = new SteppingClock({ start: 100 })
    clock.actors = () => 2
    const seen: string[] = []
    const actor = async (name: string, naps: readonly number[]) => {
      for (const nap of naps) {
        await clock.sleep(nap)
        seen.push(`${name} ${clock.now()}`)
      }
      clock.actors = () => 1
      clock.wakeDue()
    }
    await Promise.all([actor('a', [10, 10, 10]), actor('b', [15, 30])])
    expect(seen).toEqual(['a 110', 'b 115', 'a 120', 'a 130', 'b 145'])
  })

  it('stands still while somebody is at work, however long that takes', async () => {
    const clock = new SteppingClock({ start: 0 })
    clock.actors = () => 2
    const slept = clock.sleep(50)
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(clock.now()).toBe(0)
    await Promise.all([slept, clock.sleep(60)].slice(0, 1))
    expect(clock.now()).toBe(50)
  })

  it('wakes who is told to stop, and time does not move for it', async () => {
    const clock = new SteppingClock({ start: 0 })
    clock.actors = () => 2
    const stop = new AbortController()
    const slept = clock.sleep(1e9, stop.signal)
    stop.abort()
    await slept
    await clock.sleep(1, AbortSignal.abort())
    expect(clock.now()).toBe(0)
  })
})
