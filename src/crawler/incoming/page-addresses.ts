import { AddressGuard } from '../../fetch/address-guard.js'
import { contactAdvice, isLocalUrl } from '../../fetch/contact.js'
import { shown } from '../../formats/printable-text.js'
import { normalUrl, trackingParameters } from '../../formats/url.js'
import { InputError } from '../../model/errors.js'
import type { CrawlerSettings } from '../settings.js'

type Rules = Pick<CrawlerSettings, 'allowedNetworks' | 'contact' | 'dropTracking'>

/** The addresses under which pages are kept that somebody names over the network. */
export interface PageAddresses {
  /** The form under which a page is kept; throws an InputError where it may not be followed. */
  address(text: string): string
  /** The same for a page of a log: recording asks no server, so nobody need be reachable for it. */
  loggedAddress(text: string): string
}

/**
 * Who adds pages over HTTP must not make us ask machines of our own network:
 * addresses that a visit would be refused are refused at once. What a name
 * leads to is checked at each visit. A public host is not visited without a
 * contact, where this process visits pages itself.
 */
export function pageAddresses(
  /** As they are now: they may be changed while the service runs. */
  rules: () => Rules,
  { crawling }: { readonly crawling: boolean },
): PageAddresses {
  let known: { readonly rules: Rules; readonly guard: AddressGuard } | undefined
  const guardNow = () => {
    const now = rules()
    if (known?.rules !== now) known = { rules: now, guard: new AddressGuard(now) }
    return known.guard
  }
  const loggedAddress = (text: string) => {
    const guard = guardNow()
    const url = normalUrl(text, rules().dropTracking ? { without: trackingParameters } : {})
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
    if (crawling && rules().contact === null && !isLocalUrl(url))
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
