import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/crawler/system-clock.js'

describe('systemClock', () => {
  it('tells the time in seconds and sleeps', async () => {
    const from = systemClock.now()
    expect(Math.abs(from - Date.now() / 1000)).toBeLessThan(60)
    await systemClock.sleep(0.02)
    // Timers and the wall clock are two clocks: a millisecond of slack.
    expect(systemClock.now() - from).toBeGreaterThan(0.018)
  })

  it('wakes at once when called, and does not sleep for nothing', async () => {
    const stop = new AbortController()
    const year = systemClock.sleep(31_556_952, stop.signal)
    stop.abort()
    await year
    await systemClock.sleep(1e9, AbortSignal.abort())
    await systemClock.sleep(-1)
    await systemClock.sleep(Number.NaN)
  })
})
