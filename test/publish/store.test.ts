import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../src/model/history.js'
import { DAY } from '../../src/model/units.js'
import type { VisitRecord } from '../../src/model/visit-record.js'
import { addressesOf, visitsPast } from '../../src/publish/store-record.js'

function visit(at: number, outcome: Outcome, gap: number | null, contentAge: number | null = null) {
  const rest = { status: 200, fingerprint: null, bytes: 0, duration: 0, fault: null }
  return { at, outcome, gap, contentAge, ...rest } satisfies VisitRecord
}

describe('the past as visits saw it', () => {
  it('has changes where they were seen, or where the page told', () => {
    const visits = [
      visit(0, 'first', null),
      visit(DAY, 'changed', DAY),
      visit(2 * DAY, 'failed', null),
      visit(3 * DAY, 'changed', 2 * DAY, DAY),
      visit(4 * DAY, 'unchanged', DAY),
    ]
    expect(visitsPast(visits, { now: 5 * DAY })).toEqual({ since: 0, changes: [DAY, 2 * DAY] })
  })

  it('begins after a stretch without visits', () => {
    const visits = [visit(0, 'first', null), visit(20 * DAY, 'changed', 20 * DAY)]
    expect(visitsPast(visits, { now: 21 * DAY })).toEqual({ since: 20 * DAY, changes: [] })
    expect(visitsPast(visits, { now: 40 * DAY })).toBeNull()
    expect(visitsPast([visit(0, 'failed', null)], { now: 1 })).toBeNull()
  })
})

describe('addresses of a file', () => {
  it('are those under which servers show it', () => {
    const base = 'https://example.org/docs'
    expect(addressesOf('a/index.html', { base })).toEqual([
      'https://example.org/docs/a/',
      'https://example.org/docs/a/index.html',
    ])
    expect(addressesOf('index.htm', { base })[0]).toBe('https://example.org/docs/')
    expect(addressesOf('a b/c#d.html', { base })).toEqual([
      'https://example.org/docs/a%20b/c%23d.html',
      'https://example.org/docs/a%20b/c%23d',
    ])
  })

  it('need a site', () => {
    for (const base of ['docs', 'ftp://example.org/'])
      expect(() => addressesOf('a.html', { base })).toThrow(/not the address of a site/)
  })
})
