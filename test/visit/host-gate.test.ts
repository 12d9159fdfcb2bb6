import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FetchAnswer } from '../../src/model/fetcher.js'
import { DAY, HOUR } from '../../src/model/units.js'
import { HostGate, type RequestPermit } from '../../src/visit/politeness/host-gate.js'
import {
  type HostState,
  newHost,
  type RequestEnd,
  recordOf,
} from '../../src/visit/politeness/host-state.js'
import { backoff, type Politeness } from '../../src/visit/politeness/politeness.js'
import { VirtualClock } from '../fixtures/clocks.js'

const printed = { status: 200, at: 0, url: 'http://a.test/', headers: {}, bytesReceived: 0 }
const fine: FetchAnswer = { kind: 'content', ...printed, body: new Uint8Array(0) }
const later = (retryAfter: number | null): FetchAnswer => ({
  kind: 'later',
  ...printed,
  retryAfter,
})
const failed = (fault: 'timeout' | 'too-large' | 'aborted'): FetchAnswer => ({
  kind: 'failed',
  fault,
  message: '',
  at: 0,
  bytesReceived: 0,
})

function setUp(changed: Partial<Politeness> = {}) {
  const clock = new VirtualClock(100 * DAY)
  const gate = new HostGate({
    clock,
    politeness: { delay: 5, firstBackoff: 60, longestBackoff: HOUR, ...changed },
  })
  return { clock, gate }
}

function enter(gate: HostGate, host = 'a.test'): RequestPermit {
  const admission = gate.tryEnter(host)
  if (!admission.admitted) throw new Error(`not before ${admission.at}`)
  return admission.permit
}

/** How long the host is closed after a request that ended so. */
function closedFor(gate: HostGate, clock: VirtualClock, end: RequestEnd): number {
  const permit = enter(gate)
  permit.release(end)
  return gate.state(permit.host).nextAllowedAt - clock.now()
}

describe('HostGate', () => {
  it('admits by a clock that moves on between two looks', () => {
    let now = 100 * DAY
    const clock = { now: () => now++, sleep: async () => {} }
    const gate = new HostGate({ clock, politeness: { delay: 5 } })
    expect(gate.tryEnter('a.test').admitted).toBe(true)
  })

  it('lets one request at a time to a host, and others to other hosts', () => {
    const { clock, gate } = setUp({ delay: 0 })
    const permit = enter(gate)
    // Asked again after its delay, a second at least, and not a day later: most requests end soon.
    expect(gate.tryEnter('a.test')).toEqual({ admitted: false, at: clock.now() + 1 })
    expect(gate.readyAt('a.test')).toBe(Infinity)
    enter(gate, 'b.test')
    permit.release(fine)
    expect(gate.readyAt('a.test')).toBe(clock.now())
    enter(gate)
  })

  it('counts the delay from the end of a request, and from its start until then', () => {
    const { clock, gate } = setUp()
    const permit = enter(gate)
    expect(gate.state('a.test').nextAllowedAt).toBe(clock.at + 5)
    clock.at += 30
    permit.release(fine)
    expect(gate.tryEnter('a.test')).toEqual({ admitted: false, at: clock.at + 5 })
    clock.at += 5
    enter(gate)
  })

  it('honours Crawl-delay up to the cap', () => {
    const { clock, gate } = setUp({ longestDelay: 100 })
    const robots = (crawlDelay: number | null) => ({
      'http://a.test': {
        agent: 'revisit',
        verdict: 'rules',
        at: 0,
        until: 0,
        failures: 0,
        rules: [],
        sitemaps: [],
        crawlDelay,
      } as const,
    })
    const delayed = (crawlDelay: number | null) => {
      gate.remember({ ...gate.state('a.test'), nextAllowedAt: 0, robots: robots(crawlDelay) })
      return closedFor(gate, clock, fine)
    }
    expect([delayed(null), delayed(1), delayed(30), delayed(1e9)]).toEqual([5, 5, 30, 100])
  })

  it('waits as long as the server asks', () => {
    const { clock, gate } = setUp()
    expect(closedFor(gate, clock, later(3000))).toBe(3000)
  })

  it('backs off from a host that fails, ever longer, and comes back when it answers', () => {
    const { clock, gate } = setUp()
    const waits = [failed('timeout'), later(null), failed('timeout'), failed('timeout')].map(
      (end) => {
        const wait = closedFor(gate, clock, end)
        clock.at += wait
        return wait
      },
    )
    expect(waits).toEqual([60, 120, 240, 480])
    // A visit called off tells nothing; a page's own fault is an answer of the host.
    const aborted = closedFor(gate, clock, failed('aborted'))
    clock.at += aborted
    expect([aborted, gate.state('a.test').failures]).toEqual([480, 4])
    expect(closedFor(gate, clock, failed('too-large'))).toBe(5)
    expect(backoff(1e6, { firstBackoff: 60, longestBackoff: HOUR })).toBe(HOUR)
  })

  it('keeps the budget of a host and of all, and opens the next day', () => {
    const { clock, gate } = setUp({ delay: 0, hostRequestsPerDay: 2, requestsPerDay: 3 })
    enter(gate).release(fine)
    enter(gate).release(fine)
    expect(gate.readyAt('a.test')).toBe(101 * DAY)
    enter(gate, 'b.test').release(fine)
    expect(gate.readyAt('c.test')).toBe(101 * DAY)
    clock.at = 101 * DAY
    enter(gate).release(fine)
    enter(gate, 'c.test').release(fine)
    expect(gate.today).toEqual({ day: 101, requests: 2 })
    expect(setUp({ requestsPerDay: 0 }).gate.readyAt('a.test')).toBe(101 * DAY)
  })

  it('is as polite after a restart as before', () => {
    const { clock, gate } = setUp({ hostRequestsPerDay: 1, requestsPerDay: 10 })
    enter(gate).release(later(500))
    const stored = JSON.parse(JSON.stringify({ host: gate.state('a.test'), today: gate.today }))
    const again = new HostGate({ clock, politeness: gate.politeness, today: stored.today })
    again.remember(stored.host as HostState)
    expect(again.readyAt('a.test')).toBe(gate.readyAt('a.test'))
    expect(again.today).toEqual(gate.today)
  })

  it('knows a host only while it is held, and by the record that the last hold brings', () => {
    const { clock, gate } = setUp({ hostRequestsPerDay: 10 })
    const stored = (requests: number) =>
      recordOf(
        { ...newHost('a.test'), today: { day: Math.floor(clock.at / DAY), requests }, token: 1 },
        clock.at,
      )
    const hold = (token: number, requests: number) =>
      gate.hold('a.test', { token, expiresAt: clock.at + 60, record: () => stored(requests) })
    hold(5, 3)
    expect(gate.state('a.test')).toMatchObject({ today: { requests: 3 }, token: 5, step: 0 })
    enter(gate).release(fine)
    expect(gate.state('a.test')).toMatchObject({ today: { requests: 4 }, token: 5, step: 2 })
    // A second hold of ours finds an older record in the store than we have.
    hold(6, 3)
    expect(gate.state('a.test')).toMatchObject({ today: { requests: 4 }, token: 6, step: 1 })
    const ours = { host: 'a.test', expiresAt: clock.at + 60 }
    gate.letGo(ours)
    expect(gate.holds('a.test')).toBe(true)
    gate.letGo(ours)
    expect(gate.holds('a.test')).toBe(false)
    expect(gate.state('a.test')).toEqual(newHost('a.test'))
    // Meanwhile others have asked it; and after a hold has run out they may have, too.
    hold(9, 8)
    expect(gate.state('a.test')).toMatchObject({ today: { requests: 8 } })
    clock.at += 60
    hold(12, 9)
    expect(gate.state('a.test')).toMatchObject({ today: { requests: 9 }, token: 12, step: 0 })
  })

  it('takes a permit back where another may have the host before the delay is over', () => {
    const { clock, gate } = setUp()
    const from = clock.at
    // Without a hold nobody shares the host.
    const alone = enter(gate, 'b.test')
    clock.at += DAY
    expect(alone.holdsNow()).toBe(true)
    clock.at = from
    gate.hold('a.test', { token: 1, expiresAt: from + 60, record: () => null })
    const permit = enter(gate)
    // The delay of 5 s must be over before the lease is, which ends after 60.
    clock.at = from + 54
    expect(permit.holdsNow()).toBe(true)
    clock.at = from + 56
    expect(permit.holdsNow()).toBe(false)
    // What is booked keeps others away as well; but not from a request that is under way.
    permit.bookedFor(from + 57)
    expect(permit.holdsNow()).toBe(true)
    permit.bookedFor(from + 90)
    clock.at = from + 60
    expect(permit.holdsNow()).toBe(false)
  })

  it('holds a host no longer than the leases that are left', () => {
    const { clock, gate } = setUp({ delay: 0 })
    const from = clock.at
    for (const expiresAt of [from + 10, from + 30])
      gate.hold('a.test', { token: 1, expiresAt, record: () => null })
    const permit = enter(gate)
    clock.at = from + 20
    expect(permit.holdsNow()).toBe(true)
    gate.letGo({ host: 'a.test', expiresAt: from + 30 })
    expect(permit.holdsNow()).toBe(false)
    clock.at = from + 9
    expect(permit.holdsNow()).toBe(true)
  })

  it('waits for admission as long as its patience', async () => {
    const { clock, gate } = setUp()
    enter(gate).release(fine)
    const from = clock.at
    expect(await gate.enter('a.test', { patience: 4 })).toMatchObject({
      admitted: false,
      at: from + 5,
    })
    expect(clock.at).toBe(from)
    expect((await gate.enter('a.test', { patience: 5 })).admitted).toBe(true)
    expect(clock.at).toBe(from + 5)
  })

  it('wakes who waits for a request to end', async () => {
    const { gate } = setUp({ delay: 0 })
    const still = { now: () => 100 * DAY, sleep: () => new Promise<void>(() => {}) }
    const other = new HostGate({ clock: still, politeness: gate.politeness })
    const permit = enter(other)
    const waiting = other.enter('a.test', { patience: 60 })
    permit.release(fine)
    expect((await waiting).admitted).toBe(true)
  })

  it('never lets two requests to one host start closer than the delay, in any order of events', () => {
    const end = fc.constantFrom<RequestEnd>(
      fine,
      'redirected',
      later(7),
      later(null),
      failed('timeout'),
      failed('aborted'),
    )
    const steps = fc.array(
      fc.record({
        host: fc.constantFrom('a', 'b'),
        wait: fc.double({ min: 0, max: 20, noNaN: true }),
        took: fc.double({ min: 0, max: 9, noNaN: true }),
        end,
      }),
    )
    fc.assert(
      fc.property(steps, (list) => {
        const { clock, gate } = setUp({ hostRequestsPerDay: 20 })
        const last: Record<string, number> = {}
        for (const step of list) {
          clock.at += step.wait
          const admission = gate.tryEnter(step.host)
          if (!admission.admitted) continue
          expect(clock.at - (last[step.host] ?? -Infinity)).toBeGreaterThanOrEqual(5)
          clock.at += step.took
          last[step.host] = clock.at
          admission.permit.release(step.end)
          expect(Number.isFinite(gate.readyAt(step.host))).toBe(true)
        }
      }),
      { seed: 65 },
    )
  })

  it('refuses a politeness that is none', () => {
    expect(() => setUp({ delay: -1 })).toThrow(/delay/)
    expect(() => setUp({ hostRequestsPerDay: Number.NaN })).toThrow(/hostRequestsPerDay/)
  })
})
