import type { Clock, UnixSeconds } from '../../model/index.js'
import type { HostGate } from '../gate/host-gate.js'
import { allowsPath, type RobotsRecord } from '../robots/robots-record.js'
import { type Site, siteOf } from '../url/site.js'
import { bookedPermit } from './booking.js'
import type { Course } from './course.js'
import type { HostTurns } from './host-turns.js'
import { notAdmitted, type VisitEnd } from './polite-visit.js'
import type { RobotsDesk } from './robots-desk.js'
import { signalOf, type VisitOptions } from './visit-options.js'

interface Parts {
  readonly gate: HostGate
  readonly clock: Clock
  readonly turns: HostTurns
  readonly desk: RobotsDesk
}

interface OnTheWay {
  readonly course: Course
  readonly options: VisitOptions
}

/** A redirect is a request like any other: robots.txt, the delay, the budgets, the booking. */
export class PageRedirects {
  readonly #with: Parts

  constructor(parts: Parts) {
    this.#with = parts
  }

  /** Whether it may be followed; where the host is not to be asked yet, the course says until when. */
  async mayFollow(url: string, way: OnTheWay): Promise<boolean> {
    const { clock, turns } = this.#with
    const { course, options } = way
    const site = siteOf(url)!
    const { host } = site
    course.ledTo(host)
    const began = clock.now()
    const refused = await turns.hold(host, { options, beside: false })
    if (refused !== null) {
      course.end = { kind: 'put-off', until: refused.at, host }
      return false
    }
    // Put off, such a page would come to the same end each time.
    if (course.startedAt(host) && turns.isTooSlow(host)) return false
    const until = began + turns.patience(host)
    const robots = await this.#robots(site, { ...way, until })
    if ('kind' in robots) {
      course.end = robots.kind === 'wait' ? { ...robots, kind: 'put-off', host } : robots
      return false
    }
    if (allowsPath(robots, site.path)) return this.#enter(host, { ...way, until })
    if (robots.verdict === 'disallow-all')
      course.end = { kind: 'put-off', until: robots.until, host }
    return false
  }

  async #robots(
    site: Site,
    { course, options, until }: OnTheWay & { readonly until: UnixSeconds },
  ): Promise<RobotsRecord | VisitEnd> {
    const { clock, turns, desk } = this.#with
    const known = desk.current(site)
    if (known !== undefined) return known
    const met: string[] = []
    const patience = Math.max(0, until - clock.now())
    const terms = { options: { ...options, patience }, enter: turns.enter, met }
    const robots = await desk.fresh(site, terms)
    for (const each of met) course.met(each)
    return robots
  }

  async #enter(
    host: string,
    { course, options, until }: OnTheWay & { readonly until: UnixSeconds },
  ): Promise<boolean> {
    const { clock, turns } = this.#with
    const patience = Math.max(0, until - clock.now())
    const entered = await turns.enter(host, { ...signalOf(options), patience })
    if (!entered.admitted) {
      const end = notAdmitted(entered)
      course.end = end.kind === 'wait' ? { ...end, kind: 'put-off', host } : end
      return false
    }
    await bookedPermit(entered.permit, { ...this.#with, book: options.book })
    course.goesOn(entered.permit)
    return true
  }
}
