import { readingRules } from '../../../content/reading-rules.js'
import { contactAdvice, isLocalUrl } from '../../../crawler/contact.js'
import { AddressGuard } from '../../../fetch/address-guard.js'
import { answerKind, retryAfter } from '../../../fetch/answer.js'
import { shown } from '../../../formats/printable-text.js'
import { productToken } from '../../../formats/robots-file.js'
import { normalUrl, originOf, trackingParameters } from '../../../formats/url.js'
import { productName } from '../../../formats/user-agent.js'
import { InputError } from '../../../model/errors.js'
import type { HostRecord } from '../../../model/lease.js'
import type { Reader } from '../../../model/reader.js'
import type { Clock, UnixSeconds } from '../../../model/units.js'
import type { HostRules, WebRules } from '../../../server/service-parts.js'
import type { HostGate } from '../../../visit/politeness/host-gate.js'
import {
  delayOf,
  type HostState,
  hostFrom,
  recordOf,
  requestEnded,
} from '../../../visit/politeness/host-state.js'
import { isCurrent, robotsAllow } from '../../../visit/politeness/robots.js'
import type { Configuration } from '../../settings/settings.js'

const agent = productToken(productName)

/** Politeness for outside fetchers, from the gate that our own visits pass. */
function hostRules({ gate, clock }: { gate: HostGate; clock: Clock }): HostRules {
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
    facts(host, record) {
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

type Rules = Pick<Configuration, 'allowedNetworks' | 'contact' | 'dropTracking' | 'retryAfter'>

interface WebRuleParts {
  readonly gate: HostGate
  readonly clock: Clock
  /** Whether this process visits pages itself. */
  readonly crawling: boolean
  readonly reader: Reader
}

/** The crawler's rules as the service asks for them. */
export function webRules(config: Rules, { gate, clock, crawling, reader }: WebRuleParts): WebRules {
  const most = config.retryAfter
  return {
    ...addressRules(config, crawling),
    answerKind,
    retryAfter: (text, now) => retryAfter(text, { now, most }),
    reader,
    checkReading: readingRules,
    hosts: hostRules({ gate, clock }),
  }
}

/**
 * Who adds pages over HTTP must not make us ask machines of our own network:
 * addresses that a visit would be refused are refused at once. What a name
 * leads to is checked at each visit. A public host is not visited without a
 * contact.
 */
function addressRules(
  { allowedNetworks, dropTracking, contact }: Rules,
  crawling: boolean,
): Pick<WebRules, 'address' | 'loggedAddress'> {
  const guard = new AddressGuard({ allowedNetworks })
  const options = dropTracking ? { without: trackingParameters } : {}
  const loggedAddress = (text: string) => {
    const url = normalUrl(text, options)
    if (url === undefined)
      throw new InputError('bad-url', `${shown(text)} is no http or https address of a page`)
    if (!mayVisit(new URL(url).hostname, guard))
      throw new InputError(
        'address-refused',
        `${shown(url)} is on this machine or a private network; allowed-networks can allow it`,
      )
    return url
  }
  const address = (text: string) => {
    const url = loggedAddress(text)
    if (crawling && contact === null && !isLocalUrl(url))
      throw new InputError('no-contact', contactAdvice)
    return url
  }
  return { address, loggedAddress }
}

function mayVisit(hostname: string, guard: AddressGuard): boolean {
  if (/(^|\.)localhost$/.test(hostname)) return guard.allows('127.0.0.1')
  try {
    guard.checkLiteral(hostname)
    return true
  } catch {
    return false
  }
}
