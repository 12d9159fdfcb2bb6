import { describe, expect, it } from 'vitest'
import { recordedFrom } from '../../src/lab/evaluate/collection.js'
import type { Outcome } from '../../src/model/history.js'
import type { VisitRecord } from '../../src/model/visit-record.js'

function visit(at: number, outcome: Outcome, lastModified?: number): VisitRecord {
  const reported = lastModified === undefined ? {} : { lastModified }
  const rest = { status: 200, gap: null, contentAge: null, fingerprint: null }
  return { at, outcome, ...reported, ...rest, bytes: 0, duration: 0, fault: null }
}

const about = { id: 'a', source: 's', seed: 1 }

describe('recordedFrom', () => {
  it('puts a change where Last-Modified tells, else by a seeded draw in its gap', () => {
    const visits = [
      visit(1000, 'first'),
      visit(2000, 'changed', 1700),
      visit(3000, 'unchanged', 1700),
      visit(4000, 'failed'),
      visit(5000, 'changed'),
    ]
    const record = recordedFrom(visits, about)!
    expect(record).toMatchObject({ id: 'a', source: 's', from: 1000, until: 5000, cadence: 0 })
    const [reported, sampled] = record.changes
    expect(reported).toBe(1700)
    expect(sampled).toBeGreaterThan(3000)
    expect(sampled).toBeLessThanOrEqual(5000)
    expect(recordedFrom(visits, about)).toEqual(record)
    expect(recordedFrom(visits, { ...about, seed: 2 })!.changes[1]).not.toBe(sampled)
  })

  it('is null for a page that was not seen twice', () => {
    expect(recordedFrom([visit(1, 'first'), visit(2, 'failed')], about)).toBeNull()
    expect(recordedFrom([], about)).toBeNull()
  })
})
