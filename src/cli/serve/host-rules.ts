import {
  delayOf,
  type HostGate,
  type HostState,
  hostFrom,
  isCurrent,
  originOf,
  productName,
  recordOf,
  requestEnded,
  robotsAllow,
} from '../../crawl/index.js'
import { productToken } from '../../formats/index.js'
import type { Clock, HostRecord, UnixSeconds } from '../../model/index.js'
import type { HostRules } from '../../server/index.js'

const agent = productToken(productName)

/** Politeness for outside fetchers, from the gate that our own visits pass. */
export function hostRules({ gate, clock }: { gate: HostGate; clock: Clock }): HostRules {
  const { politeness } = gate
  // While a visit of our own has the host, the gate knows more than the store.
  const stateOf = (host: string, record: HostRecord | null): HostState =>
    gate.holds(host) ? gate.state(host) : hostFrom(host, record)
  const delay = (host: string, record: HostRecord | null) =>
    delayOf(stateOf(host, record), gate.politeness)
  // While a request of ours is under way nobody knows when the next may start.
  const readyAt = (host: string, record: HostRecord | null) => {
    const now = clock.now()
    const state = stateOf(host, record)
    const at = gate.readyAt(host, state)
    const soonest = at === Infinity ? now + Math.max(1, delay(host, record)) : at
    return Math.max(soonest, robotsMissingUntil(state, now))
  }
  return {
    delay,
    spentUntil: () => gate.spentUntil,
    readyAt,
    allows(url, record) {
      const origin = originOf(url)
      if (origin === undefined) return null
      const robots = stateOf(new URL(url).host, record).robots[origin]
      if (!isCurrent(robots, { now: clock.now(), agent })) return null
      // What could not be had forbids nothing for good: its host rests meanwhile.
      return robots.verdict === 'disallow-all' ? null : robotsAllow(robots, url)
    },
    begun(host, record, at) {
      return recordOf(gate.begunElsewhere(hostFrom(host, record), at), clock.now())
    },
    ended(host, record, answer) {
      const now = clock.now()
      return recordOf(requestEnded(hostFrom(host, record), { end: answer, now, politeness }), now)
    },
    told(host, record) {
      const { failures, today, robots } = stateOf(host, record)
      const day = Math.floor(clock.now() / 86_400)
      return {
        delay: delay(host, record),
        readyAt: readyAt(host, record),
        failures,
        requestsToday: today.day === day ? today.requests : 0,
        robots: Object.entries(robots).map(([origin, each]) => ({
          origin,
          verdict: each.verdict,
          until: each.until,
          crawlDelay: each.crawlDelay,
          rules: each.rules.length,
        })),
      }
    },
  }
}

/** Until when a robots.txt of the host is not asked for again that could not be had; 0 where none is missing. */
function robotsMissingUntil({ robots }: HostState, now: UnixSeconds): UnixSeconds {
  const missing = Object.values(robots).filter(
    (each) => each.verdict === 'disallow-all' && isCurrent(each, { now, agent }),
  )
  return Math.max(0, ...missing.map((each) => each.until))
}
