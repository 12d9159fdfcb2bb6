import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RecordResult, VisitReport } from '../../src/model/visit-record.js'
import { type PackedReports, reportPacker } from '../../src/store/report-rows.js'
import { WriteBuffer } from '../../src/store/write-buffer.js'
import { aVisit } from '../fixtures/a-visit.js'

/** A store that takes ten milliseconds for a commit, and notes how many visits shared it. */
function slowStore() {
  const sizes: number[] = []
  const write = async ({ visits: { rows } }: PackedReports) => {
    sizes.push(rows)
    await new Promise((resolve) => setTimeout(resolve, 10))
    return new Array<RecordResult>(rows).fill('recorded')
  }
  return { sizes, write }
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

describe('the write buffer', () => {
  it('lets few visits wait for nobody', async () => {
    const store = slowStore()
    const buffer = new WriteBuffer(reportPacker, store.write)
    for (let visit = 0; visit < 3; visit++) {
      const results = buffer.add([report])
      await vi.advanceTimersByTimeAsync(11)
      expect(await results).toEqual(['recorded'])
    }
    expect(store.sizes).toEqual([1, 1, 1])
  })

  it('takes none of several visits where one cannot be written', async () => {
    const store = slowStore()
    const buffer = new WriteBuffer(reportPacker, store.write)
    const endless: Record<string, unknown> = {}
    endless.self = endless
    const bad = { ...report, hints: endless } as unknown as VisitReport
    expect(() => buffer.add([report, bad])).toThrow(TypeError)
    const results = buffer.add([report])
    await vi.advanceTimersByTimeAsync(11)
    expect(await results).toEqual(['recorded'])
    expect(store.sizes).toEqual([1])
  })

  it('gathers those that follow a crowd, for some milliseconds and no longer', async () => {
    const store = slowStore()
    const buffer = new WriteBuffer(reportPacker, store.write)
    const results = Array.from({ length: 60 }, () => buffer.add([report]))
    await vi.advanceTimersByTimeAsync(12)
    for (let visit = 0; visit < 5; visit++) {
      results.push(buffer.add([report]))
      await vi.advanceTimersByTimeAsync(4)
    }
    expect(store.sizes).toEqual([60])
    await vi.advanceTimersByTimeAsync(30)
    expect((await Promise.all(results)).flat()).toEqual(Array(65).fill('recorded'))
    expect(store.sizes).toEqual([60, 5])
  })

  it('gathers no longer than that, though more and more come', async () => {
    const store = slowStore()
    const buffer = new WriteBuffer(reportPacker, store.write)
    for (let visit = 0; visit < 60; visit++) void buffer.add([report])
    await vi.advanceTimersByTimeAsync(1)
    for (let visit = 0; visit < 60; visit++) {
      void buffer.add([report])
      await vi.advanceTimersByTimeAsync(1)
    }
    const [first, second] = store.sizes
    expect(first).toBe(60)
    expect(second).toBeGreaterThan(30)
    expect(second).toBeLessThan(50)
    await vi.advanceTimersByTimeAsync(100)
  })

  it('writes what waits before it ends', async () => {
    const store = slowStore()
    const buffer = new WriteBuffer(reportPacker, store.write)
    const results = Array.from({ length: 60 }, () => buffer.add([report]))
    await vi.advanceTimersByTimeAsync(12)
    results.push(buffer.add([report]))
    const ended = buffer.ended()
    await vi.advanceTimersByTimeAsync(60)
    await ended
    expect((await Promise.all(results)).flat()).toEqual(Array(61).fill('recorded'))
  })
})
