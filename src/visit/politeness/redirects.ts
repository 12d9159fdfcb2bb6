import { type Site, siteOf } from '../../formats/url.js'
import type { VisitEnd } from '../../model/fetcher.js'
import type { UnixSeconds } from '../../model/units.js'
import type { HostGate } from './host-gate.js'
import { type HostTurns, nextRequest } from './host-turns.js'
import type { RequestChain, VisitTerms } from './request-chain.js'
import type { RobotsService } from './robots.js'
import { allowsPath, type RobotsRecord } from './robots-record.js'

interface Parts {
  readonly gate: HostGate
  readonly turns: HostTurns
  readonly robotsService: RobotsService
}

interface OnTheWay {
  readonly chain: RequestChain
  readonly visit: VisitTerms
}

/** A redirect is a request like any other: robots.txt, the delay, the budgets, the booking. */
export class PageRedirects {
  readonly #with: Parts

  constructor(parts: Parts) {
    this.#with = parts
  }

  /** Whether it may be followed; where the host is not to be asked yet, the request chain says until when. */
  async mayFollow(url: string, way: OnTheWay): Promise<boolean> {
    const { gate, turns } = this.#with
    const { chain, visit } = way
    const site = siteOf(url)!
    const { host } = site
    chain.ledTo(host)
    const began = gate.clock.now()
    const refused = await turns.hold(host, { visit, beside: false })
    if (refused !== null) {
      chain.end = { kind: 'deferred', until: refused.at, host }
      return false
    }
    // Put off, such a page would come to the same end each time.
    if (chain.startedAt(host) && turns.isTooSlow(host)) return false
    const until = began + turns.patience(host)
    const robots = await this.#robots(site, { ...way, until })
    if ('kind' in robots) {
      chain.end = robots.kind === 'wait' ? { ...robots, kind: 'deferred', host } : robots
      return false
    }
    if (allowsPath(robots, site.path)) return this.#enter(host, { ...way, until })
    if (robots.verdict === 'disallow-all')
      chain.end = { kind: 'deferred', until: robots.until, host }
    return false
  }

  async #robots(
    site: Site,
    { chain, visit, until }: OnTheWay & { readonly until: UnixSeconds },
  ): Promise<RobotsRecord | VisitEnd> {
    const { gate, turns, robotsService } = this.#with
    const known = robotsService.current(site)
    if (known !== undefined) return known
    const met: string[] = []
    const patience = Math.max(0, until - gate.clock.now())
    const robots = await robotsService.fresh(site, { visit, patience, enter: turns.enter, met })
    for (const each of met) chain.met(each)
    return robots
  }

  async #enter(
    host: string,
    { chain, visit, until }: OnTheWay & { readonly until: UnixSeconds },
  ): Promise<boolean> {
    const patience = Math.max(0, until - this.#with.gate.clock.now())
    const end = await nextRequest(host, { ...this.#with, chain, visit, patience })
    if (end !== null) chain.end = end.kind === 'wait' ? { ...end, kind: 'deferred', host } : end
    return end === null
  }
}
