import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Deadline } from '../../src/fetch/deadline.js'

describe('Deadline', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('does not count what is waited between two hops', () => {
    const deadline = new Deadline({ wholeTime: 60 })
    deadline.startHop(20)
    deadline.hopBegan()
    vi.advanceTimersByTime(50_000)
    deadline.pause()
    vi.advanceTimersByTime(100_000)
    deadline.startHop(20)
    vi.advanceTimersByTime(9_000)
    expect(() => deadline.throwIfReached()).not.toThrow()
    vi.advanceTimersByTime(2_000)
    expect(() => deadline.throwIfReached()).toThrow('the visit took longer than 60 s')
  })
})
