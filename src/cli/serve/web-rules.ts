import { answerKind } from '../../crawl/fetch/answer-kind.js'
import { retryAfter } from '../../crawl/fetch/retry-after.js'
import {
  AddressGuard,
  type HostGate,
  normalUrl,
  readingRules,
  trackingParameters,
} from '../../crawl/index.js'
import { shown } from '../../formats/index.js'
import { type Clock, InputError, type Reader } from '../../model/index.js'
import type { WebRules } from '../../server/index.js'
import type { Configuration } from '../config/settings.js'
import { contactAdvice, isLocalUrl } from '../crawler/local-only-fetcher.js'
import { hostRules } from './host-rules.js'

type Rules = Pick<Configuration, 'allowedNetworks' | 'contact' | 'dropTracking' | 'retryAfter'>

export interface WebRuleParts {
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
