import { describe, expect, it } from 'vitest'
import { Redrawn, RunTally, statusLines } from '../../../src/cli/live/live-status.js'
import { aVisit } from '../../fixtures/a-visit.js'

const T = 1_700_000_000

describe('RunTally', () => {
  it('counts visits, changes, 304s and bytes, and the rate of late', () => {
    const tally = new RunTally(T)
    const visits = [
      { outcome: 'first', status: 200, bytes: 1000 },
      { outcome: 'changed', status: 200, bytes: 500 },
      { outcome: 'unchanged', status: 304, bytes: 0 },
      { outcome: 'failed', status: null, bytes: 10 },
    ] as const
    visits.forEach((each, i) => {
      tally.add(aVisit({ at: T + i, ...each }), T + i)
    })
    expect(tally).toMatchObject({ total: 4, notModified: 1, bytes: 1510 })
    expect(tally.byOutcome).toMatchObject({ changed: 1, failed: 1 })
    // By hand: one of the three visits that saw the page.
    expect(tally.notModifiedShare).toBeCloseTo(1 / 3, 12)
    // By hand: 4 visits in 4 seconds, and none in the 10 seconds before T + 60.
    expect(tally.visitsPerSecond(T + 4)).toBe(1)
    expect(tally.visitsPerSecond(T + 60)).toBe(0)
  })
})

describe('the live view', () => {
  it('says what is due, under way and done, within the width', () => {
    const tally = new RunTally(T)
    tally.add(aVisit({ at: T, outcome: 'unchanged', status: 304, bytes: 2_000_000 }), T)
    const health = { pages: 12, hosts: 3, dueNow: 0, inFlight: 2, oldestDue: T + 300 }
    const status = { tally, health, underWay: 2, now: T + 100, last: [] }
    const lines = statusLines(status, { columns: 70 })
    expect(lines.slice(0, 3)).toEqual([
      '12 pages on 3 hosts  running for 100 seconds',
      'due 0  in flight 2  next in 3.3 minutes',
      'visits 1 (0/s)  changes 0  304 100%  failed 0  2.0 MB',
    ])
    for (const line of lines) expect(line.length).toBeLessThan(70)
  })

  it('is drawn in its place', () => {
    const texts: string[] = []
    const screen = new Redrawn((text) => texts.push(text))
    screen.draw(['a', 'b'])
    screen.draw(['c'])
    expect(texts).toEqual(['\ra\u001b[K\nb\u001b[K\n\u001b[J', '\u001b[2A\rc\u001b[K\n\u001b[J'])
  })
})
