import { describe, expect, it } from 'vitest'
import { UnsavedVisits } from '../../src/crawler/unsaved-visits.js'
import type { HostRecord, Lease } from '../../src/model/lease.js'
import type { RecordResult, VisitReport } from '../../src/model/visit-record.js'
import { aVisit } from '../fixtures/a-visit.js'

const lease = (token: number) => ({ host: 'a', token }) as Lease
const report = (host?: HostRecord, size = 0) =>
  ({
    visit: aVisit({ at: 1 }),
    due: { at: 2, reason: '' },
    ...(host === undefined ? {} : { host }),
    ...(size === 0 ? {} : { content: { body: { length: size } } }),
  }) as VisitReport
const record = (blockedUntil: number, hints?: string): HostRecord =>
  ({
    host: 'a',
    state: null,
    blockedUntil,
    ...(hints === undefined ? {} : { hints }),
  }) as HostRecord

/** Keeps what it is given until it is told what became of it. */
function unsaved(most = 10) {
  const given: {
    reports: readonly VisitReport[]
    end: (results: RecordResult[] | Error) => void
  }[] = []
  const reported: unknown[] = []
  const recordVisits = (reports: readonly VisitReport[]) =>
    new Promise<readonly RecordResult[]>((resolve, reject) => {
      const end = (results: RecordResult[] | Error) =>
        results instanceof Error ? reject(results) : resolve(results)
      given.push({ reports, end })
    })
  const visits = new UnsavedVisits({
    store: { recordVisits },
    most,
    onSaved: (saved, fate) => reported.push([saved.lease.token, fate]),
    onRoom: (failure) => reported.push(failure ?? 'room'),
  })
  return { visits, given, reported }
}
const turn = () => new Promise((resolve) => setTimeout(resolve, 0))

describe('visits that are not yet on the disk', () => {
  it('are handed over as they end, and told of as they are saved', async () => {
    const { visits, given, reported } = unsaved()
    for (const token of [1, 2, 3]) visits.add(lease(token), report())
    await turn()
    visits.add(lease(4), report())
    await turn()
    expect(given.map(({ reports }) => reports.length)).toEqual([1, 1, 1, 1])
    expect([visits.count, reported]).toEqual([4, []])
    given[0]!.end(['recorded'])
    given[1]!.end(['lease-lost'])
    given[2]!.end(['recorded'])
    await turn()
    expect([visits.count, reported]).toEqual([
      1,
      [[1, 'recorded'], 'room', [2, 'lease-lost'], 'room', [3, 'recorded'], 'room'],
    ])
  })

  it('are no more than may be, in number and in bytes', async () => {
    const { visits, given } = unsaved(2)
    visits.add(lease(1), report())
    expect(visits.hasRoom).toBe(true)
    visits.add(lease(2), report())
    expect(visits.hasRoom).toBe(false)
    await turn()
    given[0]!.end(['recorded'])
    given[1]!.end(['recorded'])
    await turn()
    expect(visits.hasRoom).toBe(true)
    visits.add(lease(3), report(undefined, 64 * 1024 * 1024))
    expect(visits.hasRoom).toBe(false)
    await turn()
    given[2]!.end(['recorded'])
    await turn()
    expect(visits.hasRoom).toBe(true)
  })

  it('tell of their host until the last of them is saved; what a record leaves out stays', async () => {
    const { visits, given } = unsaved()
    visits.add(lease(1), report(record(5, 'hints')))
    await turn()
    visits.add(lease(2), report(record(7)))
    await turn()
    expect(visits.host('a')).toEqual(record(7, 'hints'))
    given[0]!.end(['recorded'])
    await turn()
    expect(visits.host('a')?.blockedUntil).toBe(7)
    given[1]!.end(['recorded'])
    await turn()
    expect(visits.host('a')).toBeUndefined()
  })

  it('make room where the store fails, and tell why', async () => {
    const { visits, given, reported } = unsaved(1)
    visits.add(lease(1), report(record(5)))
    await turn()
    const failure = new Error('the disk is full')
    given[0]!.end(failure)
    await turn()
    expect([visits.count, visits.hasRoom, visits.host('a'), reported]).toEqual([
      0,
      true,
      undefined,
      [failure],
    ])
  })
})
