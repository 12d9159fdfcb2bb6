import { describe, expect, it } from 'vitest'
import { RunTally, statusLines } from '../../../src/cli/live/live-status.js'
import type { VisitWords } from '../../../src/cli/live/visit-line.js'

const T = 1_700_000_000
const words = (more: Partial<VisitWords>): VisitWords => ({
  time: '2026-11-16T03:57:37Z',
  outcome: 'first',
  answer: '200',
  address: 'http://127.0.0.1:8931/news/today',
  size: '22 bytes',
  duration: '4 milliseconds',
  next: 'next in 3 seconds',
  advice: '',
  ...more,
})

/** The lines of the last visits at a terminal of this width. */
function lastLines(columns: number, ...last: readonly VisitWords[]): string[] {
  const health = { pages: 1, hosts: 1, dueNow: 0, inFlight: 0, oldestDue: null }
  const status = { tally: new RunTally(T), health, underWay: 0, now: T, last }
  return statusLines(status, { columns }).slice(3)
}

const short = words({})
const long = words({ address: `https://www.example.org/${'a/'.repeat(60)}the-end.html` })
const failed = words({
  outcome: 'failed',
  answer: 'address-refused',
  advice: 'it leads to a private network; set allowed-networks, such as 127.0.0.0/8, to allow it',
})

describe('the last visits in the live view', () => {
  // Worked out by hand: what does not fit beside the address goes, the date first.
  it.each([
    [
      130,
      '2026-11-16T03:57:37Z  first      200   ADDRESS  22 bytes in 4 milliseconds; next in 3 seconds',
    ],
    [120, '03:57:37Z  first      200   ADDRESS  22 bytes in 4 milliseconds; next in 3 seconds'],
    [100, '03:57:37Z  first      200   ADDRESS  22 bytes; next in 3 seconds'],
    [80, 'first      200   ADDRESS  next in 3 seconds'],
  ])('name the page whole at %i columns', (columns, line) => {
    expect(lastLines(columns, short)).toEqual([`  ${line.replace('ADDRESS', short.address)}`])
  })

  it('name the page by both ends at 60 columns', () => {
    expect(lastLines(60, short)).toEqual([
      '  first      200   http://127…news/today  next in 3 seconds',
    ])
  })

  it.each([60, 80, 100, 120])('keep both ends of a long address at %i columns', (columns) => {
    const [line] = lastLines(columns, long)
    expect(line!.length).toBeLessThan(columns)
    const address = /https:\S+end\.html/.exec(line!)?.[0] ?? ''
    expect(address.length).toBeGreaterThanOrEqual((columns - 3) / 3)
    expect(line).toMatch(/^ {2}(\S+Z {2})?first {6}200 /)
  })

  it.each([60, 80, 100, 120])('are all of one shape at %i columns', (columns) => {
    const lines = lastLines(columns, short, long)
    expect(new Set(lines.map((line) => line.indexOf('http'))).size).toBe(1)
    expect(new Set(lines.map((line) => line.includes('next in 3 seconds'))).size).toBe(1)
  })

  it.each([60, 80, 100, 120, 160])(
    'tell of a failure what there is room for at %i columns',
    (columns) => {
      const [line] = lastLines(columns, failed)
      expect(line!.length).toBeLessThan(columns)
      expect(line).toMatch(/failed {5}address-refused {2}http:/)
      expect(line!.includes('(it leads to a private')).toBe(columns === 160)
    },
  )

  it('stay within a terminal that is very narrow', () => {
    for (let columns = 4; columns < 60; columns++)
      for (const line of lastLines(columns, short, long, failed))
        expect(line.length).toBeLessThan(Math.max(columns, 6))
  })
})
