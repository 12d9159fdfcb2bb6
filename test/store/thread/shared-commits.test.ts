import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RecordResult, VisitReport } from '../../../src/model/visit-record.js'
import { SharedCommits } from '../../../src/store/thread/shared-commits.js'
import { aVisit } from '../../fixtures/a-visit.js'

/** A thread that takes ten milliseconds for a commit, and notes how many visits shared it. */
function slowThread() {
  const sizes: number[] = []
  const call = async <T>({ args }: { args: readonly unknown[] }): Promise<T> => {
    const { rows } = (args[0] as { visits: { rows: number } }).visits
    sizes.push(rows)
    await new Promise((resolve) => setTimeout(resolve, 10))
    return new Array<RecordResult>(rows).fill('recorded') as T
  }
  return { sizes, call }
}

const report = {
  lease: { page: { id: '1' }, token: 1 },
  visit: aVisit({ at: 1 }),
  due: { at: 2, reason: '' },
} as unknown as VisitReport

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('shared commits', () => {
  it('lets few visits wait for nobody', async () => {
    const thread = slowThread()
    const commits = new SharedCommits(thread)
    for (let visit = 0; visit < 3; visit++) {
      const results = commits.add([report])
      await vi.advanceTimersByTimeAsync(11)
      expect(await results).toEqual(['recorded'])
    }
    expect(thread.sizes).toEqual([1, 1, 1])
  })

  it('takes none of several visits where one cannot be written', async () => {
    const thread = slowThread()
    const commits = new SharedCommits(thread)
    const endless: Record<string, unknown> = {}
    endless.self = endless
    const bad = { ...report, hints: endless } as unknown as VisitReport
    expect(() => commits.add([report, bad])).toThrow(TypeError)
    const results = commits.add([report])
    await vi.advanceTimersByTimeAsync(11)
    expect(await results).toEqual(['recorded'])
    expect(thread.sizes).toEqual([1])
  })

  it('gathers those that follow a crowd, for some milliseconds and no longer', async () => {
    const thread = slowThread()
    const commits = new SharedCommits(thread)
    const results = Array.from({ length: 60 }, () => commits.add([report]))
    await vi.advanceTimersByTimeAsync(12)
    for (let visit = 0; visit < 5; visit++) {
      results.push(commits.add([report]))
      await vi.advanceTimersByTimeAsync(4)
    }
    expect(thread.sizes).toEqual([60])
    await vi.advanceTimersByTimeAsync(30)
    expect((await Promise.all(results)).flat()).toEqual(Array(65).fill('recorded'))
    expect(thread.sizes).toEqual([60, 5])
  })

  it('gathers no longer than that, though more and more come', async () => {
    const thread = slowThread()
    const commits = new SharedCommits(thread)
    for (let visit = 0; visit < 60; visit++) void commits.add([report])
    await vi.advanceTimersByTimeAsync(1)
    for (let visit = 0; visit < 60; visit++) {
      void commits.add([report])
      await vi.advanceTimersByTimeAsync(1)
    }
    const [first, second] = thread.sizes
    expect(first).toBe(60)
    expect(second).toBeGreaterThan(30)
    expect(second).toBeLessThan(50)
    await vi.advanceTimersByTimeAsync(100)
  })

  it('writes what waits before it ends', async () => {
    const thread = slowThread()
    const commits = new SharedCommits(thread)
    const results = Array.from({ length: 60 }, () => commits.add([report]))
    await vi.advanceTimersByTimeAsync(12)
    results.push(commits.add([report]))
    const ended = commits.ended()
    await vi.advanceTimersByTimeAsync(60)
    await ended
    expect((await Promise.all(results)).flat()).toEqual(Array(61).fill('recorded'))
  })
})
